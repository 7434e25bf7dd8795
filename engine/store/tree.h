// A state as a pair of 32-bit numbers: the binary tree of LTSmin's tree compression (Laarman, van de Pol, Weber 2011).
//
//                        (left, right)            the pair that stands for the state
//                        ____|    |____
//                       |              |
//                   Numbering      Numbering      of pairs: (number, number) -> number
//                    __| |__        __| |__
//                   |       |      |       |
//                Numb.   Numb.   Numb.   Numb.    of bit ranges: up to 64 bits -> number
//                   |       |      |       |
//     used bits  [------|-------|-------|------]  halved until a range fits a word
//
// Parts of a state recur in many states, so the inner tables stay small while the pairs at the root, one per state, are
// all that grows with the number of states. A range that fits 32 bits may stand for itself, which saves its table;
// where small numbers matter more than speed (`narrow`), every range is numbered. The first used bit, always one, lies
// in the leftmost range, and numbers start at one: a pair is never zero.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/budget.h"
#include "store/bit_ranges.h"
#include "store/numbering.h"

namespace scrimp {

/// Whether ranges of up to 32 bits may stand for themselves or get small numbers.
enum class Numbers { any, narrow };

class Tree {
 public:
  struct Pair {
    std::uint32_t left, right;
    Word word() const { return Word{left} | Word{right} << 32; }
  };
  static Pair pair_of(Word word) { return {static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32)}; }

  static constexpr std::uint32_t block = 256;

  Tree(const Machine& machine, Budget& budget, Numbers numbers) : words_(machine.words), numbers_(numbers) {
    const unsigned bits = used_bits(machine);
    left_ = build(machine, budget, 0, bits / 2);
    right_ = build(machine, budget, bits / 2, bits);
  }

  /// The pairs for up to `block` states, with new numbers for parts never seen; returns how many were made before there
  /// was no room. Works node by node, so that the look-ups of different states overlap.
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
        count = node.table->number(keys, count, node.values.data());
      } else {
        for (std::uint32_t i = 0; i < count; ++i) node.values[i] = static_cast<std::uint32_t>(keys[i]);
      }
    }
    for (std::uint32_t i = 0; i < count; ++i) pairs[i] = {nodes_[left_].values[i], nodes_[right_].values[i]};
    return count;
  }

  /// The pair for a state; nothing where a part was never seen.
  std::optional<Pair> find(const Word* state) const {
    for (const Node& node : nodes_) {
      const Word key =
          node.range ? (*node.range)(state) : Pair{nodes_[node.left].found, nodes_[node.right].found}.word();
      node.found = node.table ? node.table->find(key) : static_cast<std::uint32_t>(key);
      if (node.table && node.found == Numbering::none) return std::nullopt;
    }
    return Pair{nodes_[left_].found, nodes_[right_].found};
  }

  /// The greatest numbers given on both sides. Only where all numbers are narrow.
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
  /// A leaf reads a range, an inner node pairs the values of two earlier nodes; a table turns that into a number.
  struct Node {
    std::optional<BitRange> range;
    std::size_t left, right;
    std::optional<Numbering> table;
    std::array<std::uint32_t, block> values;  // of the states being numbered
    mutable std::uint32_t found;              // of the state being looked up
  };

  /// Adds the nodes for the used bits [from, to), children first, and returns the last.
  std::size_t build(const Machine& machine, Budget& budget, unsigned from, unsigned to) {
    Node node{};
    if (to - from <= 64) {
      node.range.emplace(machine, from, to);
    } else {
      node.left = build(machine, budget, from, (from + to) / 2);
      node.right = build(machine, budget, (from + to) / 2, to);
    }
    if (numbers_ == Numbers::narrow || to - from > 32) node.table.emplace(budget);
    nodes_.push_back(std::move(node));
    return nodes_.size() - 1;
  }

  std::size_t words_;
  Numbers numbers_;
  std::vector<Node> nodes_;
  std::size_t left_, right_;
};

}  // namespace scrimp
