// Bitstate hashing: a table of bits, k of which are set by each state. A state whose bits are all set counts as
// visited.
//
// Holzmann, "An improved protocol reachability analysis technique", 1988; the bits of a state lie in one cache line, as
// in Putze, Sanders and Singler, "Cache-, hash- and space-efficient Bloom filters", 2007.
//
//     hash of the state  --scale-->  line        mix(hash)  =  ... | 9 bits | 9 bits | 9 bits
//                                     |                                 |        |        |
//                                     v                                 v        v        v
//     | 512 bits | 512 bits | ... | ......1..........1........................1............. | ... | 512 bits |
//
// The expected number of states lost to hash collisions. A new state whose line has c bits set is lost with probability
// (c / 512)^k; let p be the mean of that over all lines. New states are lost until one is recognised as fresh, so
// before the next fresh state p / (1 - p) losses are expected. The sum of (c / 512)^k is updated whenever bits are set.
// Only states that the search met are counted, as in store/compact_set.h.
//
// The lines of a table that is not tiny are divided evenly into shards, by the upper bits of the hash. If states are
// inserted many at a time, p is known before and after each round of them, and taken to change evenly in between.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/hash.h"
#include "core/memory.h"
#include "store/inexact.h"
#include "store/line.h"
#include "store/shards.h"
#include "store/state_set.h"

namespace scrimp {

/// `Words` is as in PlainSet.
template <std::uint32_t Words>
class BitstateSet {
 public:
  static constexpr std::size_t annotations = 0;
  static constexpr bool keys_are_hashes = true;

  BitstateSet(const Machine& machine, const strategy::Bitstate& bitstate, Budget& budget)
      : words_(machine.words), functions_(bitstate.functions), region_(budget), losses_(line_bits + 1) {
    const std::uint64_t bytes = bitstate.bytes.value_or(budget.left() / 4 * 3);
    std::uint64_t lines = std::max<std::uint64_t>(bytes / line_bytes, 1);
    if (lines >= shard_count) {
      lines = lines / shard_count * shard_count;
      tallies_.resize(shard_count);
    }
    if (region_.resize(lines * line_bytes)) lines_ = lines;
    for (unsigned set = 0; set <= line_bits; ++set) losses_[set] = std::pow(double(set) / line_bits, functions_);
  }

  Insertion insert(const Word* state) { return visit(state, hash(state)).insertion; }

  void insert(const Word* states, std::uint32_t count, Insertion* results) {
    Word hashes[ahead];
    for (std::uint32_t i = 0; i < std::min(count, ahead); ++i) fetch(hashes[i] = hash(states + i * words()));
    for (std::uint32_t i = 0; i < count; ++i) {
      const Word hashed = hashes[i % ahead];
      if (i + ahead < count) fetch(hashes[i % ahead] = hash(states + std::size_t{i + ahead} * words()));
      results[i] = lines_ == 0 ? Insertion::no_room : insert_hashed(hashed, tally_of(hashed));
    }
  }

  /// A key is the state's hash.
  void prepare(const Word* states, std::uint32_t count, Word* keys) const {
    for (std::uint32_t i = 0; i < count; ++i) fetch(keys[i] = hash(states + std::size_t{i} * words()));
  }

  Visited visit(const Word*, Word key) {
    if (lines_ == 0) [[unlikely]]
      return {Insertion::no_room};
    Tally& tally = tally_of(key);
    const double before = tally.lost_anywhere;
    const Insertion insertion = insert_hashed(key, tally);
    if (insertion == Insertion::fresh) {
      expected_ += losses_per_state(lost_everywhere_);
      lost_everywhere_ += tally.lost_anywhere - before;
      ++counted_;
    }
    return {insertion};
  }

  /// Counts the losses among the states that were inserted many at a time.
  void complete_round() {
    const std::uint64_t fresh = size() - counted_;
    if (fresh == 0) return;
    double lost = 0;
    for (const Tally& tally : tallies_) lost += tally.lost_anywhere;
    expected_ += static_cast<double>(fresh) * (losses_per_state(lost_everywhere_) + losses_per_state(lost)) / 2;
    lost_everywhere_ = lost;
    counted_ += fresh;
  }

  std::uint64_t size() const {
    std::uint64_t total = 0;
    for (const Tally& tally : tallies_) total += tally.states;
    return total;
  }
  std::uint64_t bytes() const { return region_.bytes(); }
  /// The whole table: no part of it belongs to a single state.
  std::uint64_t state_bytes() const { return lines_ * line_bytes; }
  double expected_omissions() const { return expected_; }

  struct Scratch {};

  using Section = std::uint32_t;  // a shard

  bool can_share() const { return has_shards() && lines_ != 0; }
  void review_if_due() {}

  std::size_t code_words() const { return 1; }
  bool codes_at_once() const { return true; }
  bool codes_cheaply() const { return true; }
  void look_up(const Word* states, std::uint32_t count, Word* codes, Scratch&) const {
    for (std::uint32_t i = 0; i < count; ++i) codes[i] = hash(states + std::size_t{i} * words());
  }
  bool number(const Word*, std::uint32_t, Word*) { return true; }
  void place(Word* codes, std::uint32_t count, Shard* shards) const {
    for (std::uint32_t i = 0; i < count; ++i) shards[i] = shard_of(codes[i]);
  }
  bool make_room(std::uint64_t, const Crew&) { return true; }
  Section section(std::uint32_t shard) const { return shard; }
  void fetch(Section, Codes codes) const {
    for (std::uint32_t i = 0; i < codes.count; ++i) fetch(codes.first[i]);
  }
  void insert(Section shard, Codes codes, Insertion* results, Codes next) {
    insert_and_fetch(
        codes.count, [&](std::uint32_t i) { results[i] = insert_hashed(codes.first[i], tallies_[shard]); }, next.count,
        [&](std::uint32_t i) { fetch(next.first[i]); });
  }
  void count_inserted(std::uint64_t) {}  // by shards already
  Insertion insert_late(const Word* code) { return insert_hashed(*code, tally_of(*code)); }

 private:
  static constexpr unsigned line_bits = line_bytes * 8;
  static constexpr unsigned place_bits = std::bit_width(line_bits - 1);
  static constexpr unsigned places_per_word = 64 / place_bits;
  static constexpr std::uint32_t ahead = 32;
  // Rounding must not yield a loss probability of 1 while there are fresh states.
  static constexpr double most_lost = 1 - 1e-6;

  std::uint32_t words() const { return Words == 0 ? words_ : Words; }
  Word hash(const Word* state) const { return hash_words(state, words()); }
  Word* line_of(Word hashed) const { return region_.as<Word>() + scale(hashed, lines_) * line_words; }
  void fetch(Word hashed) const { fetch_line(line_of(hashed)); }

  /// Sets the bits of a state; returns how many were not set before.
  unsigned set_bits(Word* line, Word hashed) {
    unsigned added = 0;
    Word places = hashed;
    for (unsigned i = 0; i < functions_; ++i) {
      places = i % places_per_word == 0 ? mix(hashed += odd_constants[2]) : places >> place_bits;
      const auto place = static_cast<unsigned>(places % line_bits);
      const Word bit = Word{1} << (place % 64);
      added += (line[place / 64] & bit) == 0;
      line[place / 64] |= bit;
    }
    return added;
  }

  /// What is known of the lines of a shard, or of all lines; each in a cache line of its own.
  struct alignas(2 * line_bytes) Tally {
    std::uint64_t states = 0;
    double lost_anywhere = 0;  // the sum over its lines of the probability that a new state is lost there
  };

  bool has_shards() const { return tallies_.size() == shard_count; }
  static Shard shard_of(Word hashed) { return static_cast<Shard>(hashed >> (64 - shard_bits)); }

  Tally& tally_of(Word hashed) { return tallies_[has_shards() ? shard_of(hashed) : 0]; }

  Insertion insert_hashed(Word hashed, Tally& tally) {
    Word* const line = line_of(hashed);
    const unsigned added = set_bits(line, hashed);
    if (added == 0) return Insertion::known;
    unsigned set = 0;
    for (std::size_t i = 0; i < line_words; ++i) set += static_cast<unsigned>(std::popcount(line[i]));
    tally.lost_anywhere += losses_[set] - losses_[set - added];
    ++tally.states;
    return Insertion::fresh;
  }

  /// The expected number of states lost before the next fresh one, given the sum of the probabilities over all lines.
  double losses_per_state(double lost_everywhere) const {
    const double lost = std::min(lost_everywhere / static_cast<double>(lines_), most_lost);
    return lost / (1 - lost);
  }

  const std::uint32_t words_;
  const unsigned functions_;
  Region region_;
  std::uint64_t lines_ = 0;     // 0 if the budget refused the table
  std::vector<double> losses_;  // by number of bits set: the probability that a new state is lost in such a line
  std::vector<Tally> tallies_{1};
  std::uint64_t counted_ = 0;   // states whose losses are part of the expectation
  double lost_everywhere_ = 0;  // the sum over all lines, after these states
  double expected_ = 0;
};

static_assert(ShardableSet<BitstateSet<0>> && ShardableSet<BitstateSet<1>>);

}  // namespace scrimp
