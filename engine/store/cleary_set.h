// compress=cleary: states in a quotiented table (store/quotient_table.h), which stores only part of each.
//
//     packed     state  --used bits as one number, mixed-->  QuotientTable
//     by tree    state  --Tree-->  (left, right)  --PairCode-->  QuotientTable
//
// States of more than 64 used bits go through the tree (store/tree.h), which makes a pair of small numbers of each.
// Smaller ones are their own numbers at first. Once there are enough of them to judge, all are numbered by a tree to
// see what it would take, with its tables; if that is less, the set changes over to it: parts of states that recur
// often have numbers of few bits.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "store/bit_ranges.h"
#include "store/pair_code.h"
#include "store/quotient_table.h"
#include "store/tree.h"

namespace scrimp {

/// `Words` is as in PlainSet.
template <std::uint32_t Words>
class ClearySet {
 public:
  ClearySet(const Machine& machine, Budget& budget)
      : machine_(machine),
        packed_(machine, 1, std::clamp(used_bits(machine), 2u, most_packed_bits + 1)),
        mixer_(packed_.bits()),
        code_(Tree::Pair{first_number, first_number}),
        table_(budget, is_packable() ? packed_.bits() : code_.bits()) {
    if (!is_packable()) tree_.emplace(machine, budget, Numbers::narrow);
  }

  Insertion insert(const Word* state) {
    if (!tree_) {
      const Insertion result = table_.insert(pack(state));
      if (table_.size() >= next_judgement_) [[unlikely]]
        judge();
      return result;
    }
    Tree::Pair pair;
    return tree_->number(state, 1, &pair) == 0 ? Insertion::no_room : insert(pair);
  }

  void insert(const Word* states, std::uint32_t count, Insertion* results) {
    Word codes[Tree::block];
    for (std::uint32_t done = 0; done < count;) {
      const std::uint32_t part = std::min(Tree::block, count - done);
      const std::uint32_t coded = encode(states + std::size_t{done} * words(), part, codes);
      table_.insert(codes, coded, results + done);
      done += coded;
      if (coded < part) {  // the next one needs wider codes, or there is no room
        results[done] = insert(states + std::size_t{done} * words());
        ++done;
      }
      if (!tree_ && table_.size() >= next_judgement_) [[unlikely]]
        judge();
    }
  }

  /// A key is the pair that the tree makes of a state, or zero: there is no tree, or no room in it.
  void prepare(const Word* states, std::uint32_t count, Word* keys) {
    Tree::Pair pairs[Tree::block];
    for (std::uint32_t done = 0; done < count; done += std::min(Tree::block, count - done)) {
      const std::uint32_t part = std::min(Tree::block, count - done);
      const Word* const first = states + std::size_t{done} * words();
      const std::uint32_t numbered = tree_ ? tree_->number(first, part, pairs) : 0;
      for (std::uint32_t i = 0; i < numbered; ++i) {
        keys[done + i] = pairs[i].word();
        if (code_.fits(pairs[i])) table_.prefetch(code_(pairs[i]));
      }
      for (std::uint32_t i = numbered; i < part; ++i) {
        keys[done + i] = 0;
        if (!tree_) table_.prefetch(pack(first + i * words()));
      }
    }
  }
  Insertion insert(const Word* state, Word key) { return key == 0 ? insert(state) : insert(Tree::pair_of(key)); }

  void prefetch(const Word* state) const {
    if (!tree_) return table_.prefetch(pack(state));
    const std::optional<Tree::Pair> pair = tree_->find(state);
    if (pair && code_.fits(*pair)) table_.prefetch(code_(*pair));
  }

  bool contains(const Word* state) const {
    if (!tree_) return table_.contains(pack(state));
    const std::optional<Tree::Pair> pair = tree_->find(state);
    return pair && code_.fits(*pair) && table_.contains(code_(*pair));
  }

  std::uint64_t size() const { return table_.size(); }
  std::uint64_t bytes() const { return table_.bytes() + (tree_ ? tree_->bytes() : 0); }
  std::uint64_t state_bytes() const { return table_.state_bytes() + (tree_ ? tree_->state_bytes() : 0); }

 private:
  static constexpr unsigned most_packed_bits = 64;
  static constexpr std::uint32_t first_number = 15;
  /// Up to this size a table is made anew for wider numbers, so that all their bits are mixed; larger ones are widened.
  static constexpr std::size_t most_remade_bytes = std::size_t{2} << 20;
  /// A tree is considered when there are that many states, and again when there are that many.
  static constexpr std::uint64_t first_judgement = 1u << 16, last_judgement = 1u << 19;
  /// Bits by which the numbers of a tree may be expected to grow after that.
  static constexpr unsigned expected_growth = 3;
  /// A tree costs time: it must save that much.
  static constexpr double worthwhile = 0.75;

  std::size_t words() const { return Words == 0 ? machine_.words : Words; }
  bool is_packable() const { return used_bits(machine_) <= most_packed_bits + 1; }
  Word pack(const Word* state) const { return mixer_(packed_(state)); }
  void unpack(Word packed, Word* state) const {
    std::fill(state, state + words(), 0);
    packed_.write(mixer_.inverse(packed), state);
    state[0] |= 1;
  }

  Insertion insert(Tree::Pair pair) {
    while (!code_.fits(pair))
      if (!widen(pair)) return Insertion::no_room;
    return table_.insert(code_(pair));
  }

  /// Codes states until one does not fit; returns how many it did.
  std::uint32_t encode(const Word* states, std::uint32_t count, Word* codes) {
    if (!tree_) {
      for (std::uint32_t i = 0; i < count; ++i) codes[i] = pack(states + i * words());
      return count;
    }
    Tree::Pair pairs[Tree::block];
    const std::uint32_t numbered = tree_->number(states, count, pairs);
    for (std::uint32_t i = 0; i < numbered; ++i) {
      if (!code_.fits(pairs[i])) return i;
      codes[i] = code_(pairs[i]);
    }
    return numbered;
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
    return rebuild(wider, [&](Word code) { return code_.pair(code); });
  }

  /// Replaces the table by one of the new codes of the pairs of what it holds, or leaves it where there is no room.
  template <class PairOf>
  bool rebuild(const PairCode& code, PairOf pair_of) {
    QuotientTable table(table_.budget(), code.bits(), table_.size());
    bool complete = true;
    table_.for_each([&](Word old) { complete = complete && table.insert(code(pair_of(old))) == Insertion::fresh; });
    if (!complete) return false;
    table_ = std::move(table);
    code_ = code;
    return true;
  }

  /// Changes over to a tree if that is much smaller. Not asked again where the tree would be larger by far.
  [[gnu::noinline]] void judge() {
    next_judgement_ = table_.size() < last_judgement ? last_judgement : ~std::uint64_t{0};
    Tree tree(machine_, table_.budget(), Numbers::narrow);
    if (!number_all(tree)) {
      next_judgement_ = ~std::uint64_t{0};
      return;
    }
    const PairCode code(tree.greatest());
    const double by_tree = table_.stored_bits(code.bits() + expected_growth) + tree_bits(tree);
    if (by_tree > worthwhile * table_.stored_bits(packed_.bits())) return;
    if (rebuild(code, [&](Word packed) { return number(tree, packed); })) tree_.emplace(std::move(tree));
  }

  double tree_bits(const Tree& tree) const { return double(tree.state_bytes()) * 8 / double(table_.size()); }

  /// Numbers all states of a table of packed ones; gives up where that is hopeless.
  bool number_all(Tree& tree) const {
    bool hopeful = true;
    std::uint32_t count = 0;
    std::vector<Word> states(Tree::block * words());
    const auto flush = [&] {
      Tree::Pair pairs[Tree::block];
      hopeful = hopeful && tree.number(states.data(), count, pairs) == count && tree_bits(tree) < 2 * packed_.bits();
      count = 0;
    };
    table_.for_each([&](Word packed) {
      if (!hopeful) return;
      unpack(packed, &states[count * words()]);
      if (++count == Tree::block) flush();
    });
    flush();
    return hopeful;
  }

  Tree::Pair number(Tree& tree, Word packed) const {
    std::vector<Word> state(words());
    Tree::Pair pair{};
    unpack(packed, state.data());
    tree.number(state.data(), 1, &pair);
    return pair;
  }

  const Machine& machine_;
  BitRange packed_;
  BitMixer mixer_;
  std::uint64_t next_judgement_ = first_judgement;
  std::optional<Tree> tree_;
  PairCode code_;
  QuotientTable table_;
};

static_assert(StateSet<ClearySet<0>> && StateSet<ClearySet<1>> && StateSet<ClearySet<2>>);

}  // namespace scrimp
