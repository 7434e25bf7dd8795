// A state as a pair of 31-bit numbers: the binary tree of LTSmin's tree compression (Laarman, van de Pol, Weber 2011).
//
//                        (left, right)            the pair that stands for the state
//                        ____|    |____
//                       |              |
//                   Numbering      Numbering      of pairs: (number, number) -> number
//                    __| |__        __| |__
//                   |       |      |       |
//                Numb.   Numb.   Numb.   Numb.    of bit ranges: up to 64 bits -> number
//                   |       |      |       |
//     used bits  [------|-------|-------|------]  cut in two until a range fits a word (store/cuts.h)
//
// Parts of a state recur in many states, so the inner tables stay small, while only the pairs at the root, one per
// state, grow with the number of states. A range that fits 32 bits may stand for itself, which saves its table; if
// small numbers matter more than speed (`narrow`), every range is numbered. The first used bit, always one, lies in the
// leftmost range, and numbers start at one: a pair is never zero.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include "core/budget.h"
#include "core/memory.h"
#include "store/bit_ranges.h"
#include "store/cuts.h"
#include "store/numbering.h"

namespace scrimp {

/// Whether ranges of up to 31 bits may stand for themselves or must get small numbers.
enum class Numbers { any, narrow };

class Tree {
 public:
  struct Pair {
    std::uint32_t left, right;
    Word word() const { return Word{left} | Word{right} << 32; }
  };
  static Pair pair_of(Word word) { return {static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32)}; }

  static constexpr std::uint32_t block = 256;

  /// A leaf reads a range, an inner node pairs the values of two earlier nodes; a table turns that into a number.
  struct Node {
    std::optional<BitRange> range;
    std::size_t left, right;
    std::optional<Numbering> table;
    std::array<std::uint32_t, block> values;  // of the states being numbered
    mutable std::uint32_t found;              // of the state being looked up
  };

  /// The numbers of keys, of which only those that differ from the previous one are looked up: neighbours in a search
  /// share most parts. `look_up` returns how many numbers it wrote, and so does this.
  template <class LookUp>
  static std::uint32_t by_changes(const Word* keys, std::uint32_t count, std::uint32_t* values, LookUp look_up) {
    if (count == 0) return 0;
    Word changed[block];
    std::uint16_t rank[block];  // index of the i-th key among the changed ones
    std::uint32_t numbers[block];
    std::uint32_t changes = 0;
    changed[0] = keys[0];
    rank[0] = 0;
    for (std::uint32_t i = 1; i < count; ++i) {
      changes += keys[i] != keys[i - 1];
      changed[changes] = keys[i];
      rank[i] = static_cast<std::uint16_t>(changes);
    }
    const std::uint32_t numbered = look_up(changed, changes + 1, numbers);
    std::uint32_t i = 0;
    for (; i < count && rank[i] < numbered; ++i) values[i] = numbers[rank[i]];
    return i;
  }

  Tree(const Machine& machine, Budget& budget, Numbers numbers, const Cuts& cuts = {})
      : words_(machine.words), numbers_(numbers), budget_(&budget) {
    const unsigned bits = used_bits(machine), cut = cuts.at(0, bits);
    left_ = build(machine, budget, cuts, 0, cut);
    right_ = build(machine, budget, cuts, cut, bits);
  }

  /// The pairs for up to `block` states, with new numbers for new parts; returns how many were made before there was no
  /// room. Works node by node, so that the look-ups of different states overlap.
  std::uint32_t number(const Word* states, std::uint32_t count, Pair* pairs) {
    Word keys[block];
    for (Node& node : nodes_) {
      if (node.range) {
        (*node.range)(states, words_, count, keys);
      } else {
        for (std::uint32_t i = 0; i < count; ++i)
          keys[i] = Pair{nodes_[node.left].values[i], nodes_[node.right].values[i]}.word();
      }
      if (node.table) {
        count = by_changes(keys, count, node.values.data(), [&](const Word* words, std::uint32_t n, std::uint32_t* to) {
          return node.table->number(words, n, to);
        });
      } else {
        for (std::uint32_t i = 0; i < count; ++i) node.values[i] = static_cast<std::uint32_t>(keys[i]);
      }
    }
    for (std::uint32_t i = 0; i < count; ++i) pairs[i] = {nodes_[left_].values[i], nodes_[right_].values[i]};
    return count;
  }

  /// The values of the nodes for some states: what a thread needs to look up several at once.
  struct Scratch {
    std::vector<std::array<std::uint32_t, block>> values;
  };

  /// The pairs for up to `block` states as words, zero for a state with a new part. Any thread may call this while no
  /// state is numbered.
  void find(const Word* states, std::uint32_t count, Word* pairs, Scratch& scratch) const {
    Word keys[block];
    bool is_new[block] = {};
    scratch.values.resize(nodes_.size());
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      const Node& node = nodes_[n];
      std::uint32_t* const values = scratch.values[n].data();
      if (node.range) {
        (*node.range)(states, words_, count, keys);
      } else {
        for (std::uint32_t i = 0; i < count; ++i)
          keys[i] = Pair{scratch.values[node.left][i], scratch.values[node.right][i]}.word();
      }
      if (!node.table) {
        for (std::uint32_t i = 0; i < count; ++i) values[i] = static_cast<std::uint32_t>(keys[i]);
        continue;
      }
      by_changes(keys, count, values, [&](const Word* changed, std::uint32_t changes, std::uint32_t* numbers) {
        node.table->find(changed, changes, numbers);
        return changes;
      });
      for (std::uint32_t i = 0; i < count; ++i) is_new[i] |= values[i] == Numbering::none;
    }
    for (std::uint32_t i = 0; i < count; ++i)
      pairs[i] = is_new[i] ? 0 : Pair{scratch.values[left_][i], scratch.values[right_][i]}.word();
  }

  /// The pair for a state; empty if one of its parts is new.
  std::optional<Pair> find(const Word* state) const {
    for (const Node& node : nodes_) {
      const Word key =
          node.range ? (*node.range)(state) : Pair{nodes_[node.left].found, nodes_[node.right].found}.word();
      node.found = node.table ? node.table->find(key) : static_cast<std::uint32_t>(key);
      if (node.table && node.found == Numbering::none) return std::nullopt;
    }
    return Pair{nodes_[left_].found, nodes_[right_].found};
  }

  /// Turns pairs back into states, as long as no more are numbered. Holds the word of every number.
  class Reader {
   public:
    explicit Reader(const Tree& tree) : tree_(tree) {
      for (const Node& node : tree.nodes_) {
        Region& words = words_.emplace_back(*tree.budget_);
        if (!node.table) continue;
        good_ = good_ && words.resize((std::size_t{node.table->size()} + 1) * sizeof(Word));
        if (good_) node.table->for_each([&](Word word, std::uint32_t number) { words.as<Word>()[number] = word; });
      }
    }
    /// Whether there was room for its memory.
    bool good() const { return good_; }

    void read(Pair pair, Word* state) const {
      std::fill(state, state + tree_.words_, 0);
      read(tree_.left_, pair.left, state);
      read(tree_.right_, pair.right, state);
    }

   private:
    void read(std::size_t index, std::uint32_t value, Word* state) const {
      const Node& node = tree_.nodes_[index];
      const Word word = node.table ? words_[index].as<Word>()[value] : value;
      if (node.range) return node.range->write(word, state);
      read(node.left, pair_of(word).left, state);
      read(node.right, pair_of(word).right, state);
    }

    const Tree& tree_;
    std::vector<Region> words_;  // by node and number
    bool good_ = true;
  };

  /// Frees the tables one by one, the small ones first, after calling `take(place, node)` for each node.
  template <class Take>
  void hand_over(Take take) {
    std::vector<std::size_t> order(nodes_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto size = [&](std::size_t place) { return nodes_[place].table ? nodes_[place].table->size() : 0; };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return size(a) < size(b); });
    for (const std::size_t place : order) {
      take(place, static_cast<const Node&>(nodes_[place]));
      nodes_[place].table.reset();
    }
  }
  std::size_t node_count() const { return nodes_.size(); }
  std::size_t left() const { return left_; }
  std::size_t right() const { return right_; }
  /// The memory of the words of the largest table.
  std::uint64_t largest_words() const {
    std::uint64_t most = 0;
    for (const Node& node : nodes_)
      if (node.table) most = std::max<std::uint64_t>(most, (std::uint64_t{node.table->size()} + 1) * sizeof(Word));
    return round_up(most, small_page);
  }

  /// The greatest numbers on both sides. Only if all numbers are narrow.
  Pair greatest() const { return {nodes_[left_].table->size(), nodes_[right_].table->size()}; }

  std::uint64_t bytes() const {
    std::uint64_t bytes = 0;
    for (const Node& node : nodes_) bytes += node.table ? node.table->bytes() : 0;
    return bytes;
  }
  std::uint64_t state_bytes() const {
    std::uint64_t bytes = 0;
    for (const Node& node : nodes_) bytes += node.table ? node.table->state_bytes() : 0;
    return bytes;
  }

 private:
  /// Adds the nodes for the used bits [from, to), children first, and returns the last one.
  std::size_t build(const Machine& machine, Budget& budget, const Cuts& cuts, unsigned from, unsigned to) {
    Node node{};
    if (to - from <= 64) {
      node.range.emplace(machine, from, to);
    } else {
      node.left = build(machine, budget, cuts, from, cuts.at(from, to));
      node.right = build(machine, budget, cuts, cuts.at(from, to), to);
    }
    if (numbers_ == Numbers::narrow || to - from > Numbering::number_bits) node.table.emplace(budget);
    nodes_.push_back(std::move(node));
    return nodes_.size() - 1;
  }

  std::size_t words_;
  Numbers numbers_;
  Budget* budget_;
  std::vector<Node> nodes_;
  std::size_t left_, right_;
};

}  // namespace scrimp
