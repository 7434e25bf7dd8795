// compress=tree: states as pairs of 32-bit numbers, eight bytes each (store/tree.h), in a plain set of words.
//
//     state  --Tree-->  (left, right)  --as one word-->  PlainSet<1>
//
// States whose used bits fit one word are packed into it and need no tree.
#pragma once

#include <optional>

#include "store/bit_ranges.h"
#include "store/plain_set.h"
#include "store/tree.h"

namespace scrimp {

/// `Words` is as in PlainSet; a state of one word is that word.
template <std::uint32_t Words>
class TreeSet {
 public:
  TreeSet(const Machine& machine, Budget& budget) : words_(machine.words), roots_(budget, 1) {
    if (used_bits(machine) <= 64) {
      packed_.emplace(machine, 0, used_bits(machine));
    } else {
      tree_.emplace(machine, budget, Numbers::any);
    }
  }

  Insertion insert(const Word* state) {
    Word root;
    return number(state, 1, &root) == 0 ? Insertion::no_room : roots_.insert(&root);
  }

  void insert(const Word* states, std::uint32_t count, Insertion* results) {
    Word roots[Tree::block];
    for (std::uint32_t done = 0; done < count;) {
      const std::uint32_t part = std::min(Tree::block, count - done);
      const std::uint32_t numbered = number(states + std::size_t{done} * words_, part, roots);
      roots_.insert(roots, numbered, results + done);
      done += numbered;
      if (numbered < part) results[done++] = Insertion::no_room;
    }
  }

  /// A key is the root of the state, or zero where there was no room for it.
  void prepare(const Word* states, std::uint32_t count, Word* keys) {
    for (std::uint32_t done = 0; done < count; done += std::min(Tree::block, count - done)) {
      const std::uint32_t part = std::min(Tree::block, count - done);
      const std::uint32_t numbered = number(states + std::size_t{done} * words_, part, keys + done);
      for (std::uint32_t i = 0; i < numbered; ++i) roots_.prefetch(keys + done + i);
      std::fill(keys + done + numbered, keys + done + part, 0);
    }
  }
  Insertion insert(const Word* state, Word key) { return key == 0 ? insert(state) : roots_.insert(&key); }

  void prefetch(const Word* state) const {
    if (const Word root = find(state); root != 0) roots_.prefetch(&root);
  }

  bool contains(const Word* state) const {
    const Word root = find(state);
    return root != 0 && roots_.contains(&root);
  }

  std::uint64_t size() const { return roots_.size(); }
  std::uint64_t bytes() const { return roots_.bytes() + (tree_ ? tree_->bytes() : 0); }
  std::uint64_t state_bytes() const { return roots_.state_bytes() + (tree_ ? tree_->state_bytes() : 0); }

 private:
  /// The words that stand for states; returns how many could be made.
  std::uint32_t number(const Word* states, std::uint32_t count, Word* roots) {
    if (!tree_) {
      (*packed_)(states, words_, count, roots);
      return count;
    }
    Tree::Pair pairs[Tree::block];
    const std::uint32_t numbered = tree_->number(states, count, pairs);
    for (std::uint32_t i = 0; i < numbered; ++i) roots[i] = pairs[i].word();
    return numbered;
  }

  /// The word that stands for a state, or zero where a part of it was never seen.
  Word find(const Word* state) const {
    if (!tree_) return (*packed_)(state);
    const std::optional<Tree::Pair> pair = tree_->find(state);
    return pair ? pair->word() : 0;
  }

  std::size_t words_;
  std::optional<BitRange> packed_;
  std::optional<Tree> tree_;
  PlainSet<1> roots_;
};

/// A state of one word takes eight bytes as it is.
template <>
class TreeSet<1> : public PlainSet<1> {
 public:
  using PlainSet<1>::PlainSet;
};

static_assert(StateSet<TreeSet<0>> && StateSet<TreeSet<1>> && StateSet<TreeSet<2>>);

}  // namespace scrimp
