// compress=cleary: states in a quotiented table (store/quotient_table.h), which stores only part of each.
//
//     few bits     state  --used bits as one number, mixed-->  QuotientTable
//     many bits    state  --Tree-->  (left, right)  --PairCode-->  QuotientTable
//
// A state of few bits is its own number. Of a state of many bits the tree (store/tree.h) makes a pair of small numbers.
#pragma once

#include <optional>

#include "store/bit_ranges.h"
#include "store/pair_code.h"
#include "store/quotient_table.h"
#include "store/tree.h"

namespace scrimp {

/// Any number of words; `Words` is as in PlainSet.
template <std::uint32_t Words>
class ClearySet {
 public:
  ClearySet(const Machine& machine, Budget& budget)
      : words_(machine.words),
        packed_(machine, 1, std::clamp(used_bits(machine), 2u, most_packed_bits + 1)),
        mixer_(packed_.bits()),
        code_(first_bits, first_bits),
        table_(budget, used_bits(machine) <= most_packed_bits + 1 ? packed_.bits() : code_.bits()) {
    if (used_bits(machine) > most_packed_bits + 1) tree_.emplace(machine, budget, Numbers::narrow);
  }

  Insertion insert(const Word* state) {
    if (!tree_) return table_.insert(mixer_(packed_(state)));
    const std::optional<Tree::Pair> pair = tree_->number(state);
    if (!pair) return Insertion::no_room;
    while (!code_.fits(*pair))
      if (!widen(*pair)) return Insertion::no_room;
    return table_.insert(code_(*pair));
  }

  void insert(const Word* states, std::uint32_t count, Insertion* results) {
    Word codes[block];
    for (std::uint32_t done = 0; done < count;) {
      const std::uint32_t part = std::min(block, count - done);
      const std::uint32_t coded = encode(states + std::size_t{done} * words(), part, codes);
      table_.insert(codes, coded, results + done);
      done += coded;
      if (coded == part) continue;
      results[done] = insert(states + std::size_t{done} * words());  // needs wider codes, or there is no room
      ++done;
    }
  }

  void prefetch(const Word* state) const {
    if (!tree_) return table_.prefetch(mixer_(packed_(state)));
    const std::optional<Tree::Pair> pair = tree_->find(state);
    if (pair && code_.fits(*pair)) table_.prefetch(code_(*pair));
  }

  bool contains(const Word* state) const {
    if (!tree_) return table_.contains(mixer_(packed_(state)));
    const std::optional<Tree::Pair> pair = tree_->find(state);
    return pair && code_.fits(*pair) && table_.contains(code_(*pair));
  }

  std::uint64_t size() const { return table_.size(); }
  std::uint64_t bytes() const { return table_.bytes() + (tree_ ? tree_->bytes() : 0); }
  std::uint64_t state_bytes() const { return table_.state_bytes() + (tree_ ? tree_->state_bytes() : 0); }

 private:
  static constexpr std::uint32_t block = 256;
  static constexpr unsigned most_packed_bits = 48;
  static constexpr unsigned first_bits = 4;
  /// Up to this size a table is made anew for wider numbers, so that all their bits are mixed; larger ones are widened.
  static constexpr std::size_t most_remade_bytes = std::size_t{2} << 20;

  std::size_t words() const { return Words == 0 ? words_ : Words; }

  /// Codes states until one does not fit; returns how many it did.
  std::uint32_t encode(const Word* states, std::uint32_t count, Word* codes) {
    if (!tree_) {
      for (std::uint32_t i = 0; i < count; ++i) codes[i] = mixer_(packed_(states + i * words()));
      return count;
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::optional<Tree::Pair> pair = tree_->number(states + i * words());
      if (!pair || !code_.fits(*pair)) return i;
      codes[i] = code_(*pair);
    }
    return count;
  }

  [[gnu::noinline]] bool widen(Tree::Pair pair) {
    if (table_.bytes() <= most_remade_bytes && !code_.has_extra_bits() && remake(pair)) return true;
    const PairCode wider = code_.widened_for(pair);
    if (!table_.recode(wider.bits(), [&](Word code) { return wider.recode(code); })) return false;
    code_ = wider;
    return true;
  }

  bool remake(Tree::Pair pair) {
    const PairCode wider = code_.based_for(pair);
    QuotientTable table(table_.budget(), wider.bits(), table_.size());
    bool complete = true;
    table_.for_each(
        [&](Word code) { complete = complete && table.insert(wider(code_.pair(code))) == Insertion::fresh; });
    if (!complete) return false;
    table_ = std::move(table);
    code_ = wider;
    return true;
  }

  std::size_t words_;
  BitRange packed_;
  BitMixer mixer_;
  std::optional<Tree> tree_;
  PairCode code_;
  QuotientTable table_;
};

static_assert(StateSet<ClearySet<0>> && StateSet<ClearySet<1>> && StateSet<ClearySet<2>>);

}  // namespace scrimp
