// Hash compaction: b bits of a hash of each state, in a quotient table (store/quotient_table.h).
//
// Wolper and Leroy, "Reliable hashing without collision detection", 1993; Stern and Dill, "Improved probabilistic
// verification by hash compaction", 1995.
//
//     state  --hash-->  64 bits  --the upper b-->  QuotientTable: about b - log2(n) + 6 bits for each of n states
//
// The expected number of states lost to hash collisions. Let B = 2^b. With m hashes stored, a new state collides with
// one of them with probability p = m / B. New states are lost until one is recognised as fresh, so before the next
// fresh state p / (1 - p) losses are expected. Over a search that found n states the sum is, with H(i) = 1 + 1/2 + ...
// + 1/i,
//
//     sum of m / (B - m) for m = 0 ... n - 1   =   B (H(B) - H(B - n)) - n   ~   n^2 / 2B   if n is far below B.
//
// Only states that the search met are counted; states reachable only through a lost state are never met.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/hash.h"
#include "store/inexact.h"
#include "store/quotient_table.h"
#include "store/state_set.h"

namespace scrimp {

/// `Words` is as in PlainSet.
template <std::uint32_t Words>
class CompactSet {
 public:
  static constexpr bool is_compressed = true;
  static constexpr std::size_t annotations = 0;
  static constexpr bool keys_are_hashes = false;

  CompactSet(const Machine& machine, const strategy::Compact& compact, Budget& budget)
      : words_(machine.words), bits_(compact.hash), table_(budget, bits_) {}

  Insertion insert(const Word* state) { return table_.insert(compacted(state)); }

  void insert(const Word* states, std::uint32_t count, Insertion* results) {
    Word hashes[block];
    for (std::uint32_t done = 0; done < count; done += block) {
      const std::uint32_t part = std::min(block, count - done);
      for (std::uint32_t i = 0; i < part; ++i) hashes[i] = compacted(states + std::size_t{done + i} * words());
      table_.insert(hashes, part, results + done);
    }
  }

  /// A key is the stored part of the state's hash.
  void prepare(const Word* states, std::uint32_t count, Word* keys) const {
    for (std::uint32_t i = 0; i < count; ++i) {
      keys[i] = compacted(states + std::size_t{i} * words());
      table_.prefetch(keys[i]);
    }
  }
  Visited visit(const Word*, Word key) { return {table_.insert(key)}; }

  /// A row is the stored part of a state's hash.
  std::size_t row_words() const { return 1; }
  template <class Use>
  bool for_each_row(Use use) const {
    table_.for_each([&](Word number, Word) { use(static_cast<const Word*>(&number)); });
    return true;
  }
  bool add_row(const Word* row) { return table_.insert(*row) == Insertion::fresh; }

  std::uint64_t size() const { return table_.size(); }
  std::uint64_t bytes() const { return table_.bytes(); }
  std::uint64_t state_bytes() const { return table_.state_bytes(); }

  struct Scratch {};

  using Section = QuotientTable::Section;

  bool can_share() const { return table_.can_share(); }
  void review_if_due() {}

  std::size_t code_words() const { return 1; }
  bool codes_at_once() const { return true; }
  bool codes_cheaply() const { return true; }
  void look_up(const Word* states, std::uint32_t count, Word* codes, Scratch&) const {
    for (std::uint32_t i = 0; i < count; ++i) codes[i] = compacted(states + std::size_t{i} * words());
  }
  bool number(const Word*, std::uint32_t, Word*) { return true; }
  void place(Word* codes, std::uint32_t count, Shard* shards) const { table_.place(codes, count, shards); }
  bool make_room(std::uint64_t codes, const Crew& crew) { return table_.make_room(codes, crew); }
  Section section(std::uint32_t shard) const { return table_.section(shard); }
  void fetch(const Section&, Codes codes) const { table_.fetch(codes); }
  void insert(const Section& section, Codes codes, Insertion* results, Codes next) {
    table_.insert(section, codes, results, next);
  }
  void count_inserted(std::uint64_t fresh) { table_.count_inserted(fresh); }
  Insertion insert_late(const Word* code) { return table_.insert(*code); }

  double expected_omissions() const {
    const double range = std::ldexp(1.0, static_cast<int>(bits_));
    const auto found = static_cast<double>(size());
    const double filling = found / range;
    // If few hashes are taken, the difference below would be lost in rounding: use the first terms of its series.
    if (filling < 1e-3) return found * (found - 1) / (2 * range) * (1 + filling * 2 / 3);
    return -range * std::log1p(-found / (range + 0.5)) - found;  // H(i) ~ ln(i + 1/2) + a constant
  }

 private:
  static constexpr std::uint32_t block = 256;

  std::uint32_t words() const { return Words == 0 ? words_ : Words; }
  Word compacted(const Word* state) const { return hash_words(state, words()) >> (64 - bits_); }

  const std::uint32_t words_;
  const unsigned bits_;
  QuotientTable table_;
};

static_assert(EnumerableSet<CompactSet<0>> && EnumerableSet<CompactSet<1>>);
static_assert(ShardableSet<CompactSet<0>> && ShardableSet<CompactSet<1>>);

}  // namespace scrimp
