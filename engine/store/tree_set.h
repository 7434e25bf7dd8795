// compress=tree: states as pairs of numbers, eight bytes each (store/tree.h), in a plain set of words.
//
//     state  --Tree-->  (left, right)  --as one word-->  PlainSet<1>
//
// States whose used bits fit one word are packed into it and need no tree. While the set is small, the tree is replaced
// when the states show a better one.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "store/bit_ranges.h"
#include "store/plain_set.h"
#include "store/tree.h"
#include "store/tree_fitting.h"

namespace scrimp {

/// `Words` and `Beside` are as in PlainSet; a state of one word is that word.
template <std::uint32_t Words, std::uint32_t Beside = 0>
class TreeSet {
 public:
  static constexpr bool keys_are_hashes = false;

  using Place = typename PlainSet<1, Beside>::Place;

  TreeSet(const Machine& machine, Budget& budget) : machine_(machine), budget_(budget), roots_(budget, 1) {
    if (used_bits(machine) <= 64) {
      packed_.emplace(machine, 0, used_bits(machine));
    } else {
      tree_.emplace(machine, budget, Numbers::any);
    }
  }

  Insertion insert(const Word* state) {
    Word root;
    return number(state, 1, &root) == 0 ? Insertion::no_room : insert_root(root);
  }

  void insert(const Word* states, std::uint32_t count, Insertion* results) {
    Word roots[Tree::block];
    for (std::uint32_t done = 0; done < count;) {
      const std::uint32_t part = std::min(Tree::block, count - done);
      const std::uint32_t numbered = number(states + std::size_t{done} * words(), part, roots);
      roots_.insert(roots, numbered, results + done);
      done += numbered;
      if (numbered < part) results[done++] = Insertion::no_room;
      if (tree_ && reviews_.due(size())) [[unlikely]]
        review();
    }
  }

  /// A key is the root of the state, with the version of the tree, or zero where there was no room for it.
  void prepare(const Word* states, std::uint32_t count, Word* keys) {
    for (std::uint32_t done = 0; done < count; done += std::min(Tree::block, count - done)) {
      const std::uint32_t part = std::min(Tree::block, count - done);
      const std::uint32_t numbered = number(states + std::size_t{done} * words(), part, keys + done);
      for (std::uint32_t i = done; i < done + numbered; ++i) {
        roots_.prefetch(keys[i]);
        if (tree_) keys[i] = reviews_.stamped(keys[i]);
      }
      std::fill(keys + done + numbered, keys + done + part, 0);
    }
  }

  Insertion insert(const Word* state, Word key) {
    if (key == 0) return insert(state);
    if (!tree_) return roots_.insert(&key);
    return reviews_.is_current(key) ? insert_root(Reviews::unstamped(key)) : insert(state);
  }

  Place place(const Word* state, Word key)
    requires(Beside == 1)
  {
    Word root = key;
    if (tree_ && reviews_.due(size())) [[unlikely]]
      review();
    if (tree_ && key != 0 && reviews_.is_current(key)) {
      root = Reviews::unstamped(key);
    } else if ((tree_ || key == 0) && number(state, 1, &root) == 0) {
      return {Insertion::no_room, nullptr};
    }
    return roots_.place(root);
  }

  bool contains(const Word* state) const {
    const Word root = find(state);
    return root != 0 && roots_.contains(&root);
  }

  std::uint64_t size() const { return roots_.size(); }
  std::uint64_t bytes() const { return roots_.bytes() + (tree_ ? tree_->bytes() : 0); }
  std::uint64_t state_bytes() const { return roots_.state_bytes() + (tree_ ? tree_->state_bytes() : 0); }

 private:
  std::size_t words() const { return Words == 0 ? machine_.words : Words; }

  Insertion insert_root(Word root) {
    const Insertion result = roots_.insert(&root);
    if (tree_ && reviews_.due(size())) [[unlikely]]
      review();
    return result;
  }

  /// The words that stand for states; returns how many could be made.
  std::uint32_t number(const Word* states, std::uint32_t count, Word* roots) {
    if (!tree_) {
      (*packed_)(states, words(), count, roots);
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

  /// Replaces the tree where another would do with much smaller tables.
  [[gnu::noinline]] void review() {
    reviews_.next(size());
    if (tree_->state_bytes() * 20 < roots_.state_bytes()) return;
    const Tree::Reader reader(*tree_);
    if (!reader.good()) return;
    std::vector<Word> state(words());
    const auto read = [&](Word root) {
      reader.read(Tree::pair_of(root), state.data());
      return state.data();
    };
    const auto for_each_state = [&](auto visit) { roots_.for_each([&](Word root, auto...) { visit(read(root)); }); };
    std::optional<Tree> tree =
        fitted_tree(machine_, budget_, Numbers::any, tree_->state_bytes() * 4 / 5, for_each_state);
    if (!tree) return;
    PlainSet<1, Beside> roots(budget_, 1);
    bool complete = true;
    roots_.for_each([&](Word root, auto... beside) {
      Tree::Pair pair{};
      tree->number(read(root), 1, &pair);
      complete = complete && roots.copy(pair.word(), beside...);
    });
    if (!complete) return;
    tree_ = std::move(tree);
    roots_ = std::move(roots);
    reviews_.replaced();
  }

  const Machine& machine_;
  Budget& budget_;
  std::optional<BitRange> packed_;
  std::optional<Tree> tree_;
  Reviews reviews_;
  PlainSet<1, Beside> roots_;
};

/// A state of one word takes eight bytes as it is.
template <std::uint32_t Beside>
class TreeSet<1, Beside> : public PlainSet<1, Beside> {
 public:
  using PlainSet<1, Beside>::PlainSet;
};

static_assert(StateSet<TreeSet<0>> && StateSet<TreeSet<1>> && StateSet<TreeSet<2>>);

}  // namespace scrimp
