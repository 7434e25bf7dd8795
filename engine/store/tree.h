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

  Tree(const Machine& machine, Budget& budget, Numbers numbers) : numbers_(numbers) {
    const unsigned bits = used_bits(machine);
    left_ = build(machine, budget, 0, bits / 2);
    right_ = build(machine, budget, bits / 2, bits);
    values_.resize(nodes_.size());
  }

  /// The pair for a state, with new numbers for parts never seen; nothing where there is no room for them.
  std::optional<Pair> number(const Word* state) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      Node& node = nodes_[i];
      const Word key = node.key(state, values_.data());
      if (!node.table) {
        values_[i] = static_cast<std::uint32_t>(key);
      } else if (node.last_number != Numbering::none && node.last_key == key) {
        values_[i] = node.last_number;
      } else {
        const std::uint32_t number = node.table->number(key);
        if (number == Numbering::none) return std::nullopt;
        values_[i] = node.last_number = number;
        node.last_key = key;
      }
    }
    return Pair{values_[left_], values_[right_]};
  }

  /// The pair for a state; nothing where a part was never seen.
  std::optional<Pair> find(const Word* state) const {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Node& node = nodes_[i];
      const Word key = node.key(state, values_.data());
      values_[i] = node.table ? node.table->find(key) : static_cast<std::uint32_t>(key);
      if (node.table && values_[i] == Numbering::none) return std::nullopt;
    }
    return Pair{values_[left_], values_[right_]};
  }

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
    Word last_key = 0;  // neighbours in a search share most of their parts
    std::uint32_t last_number = Numbering::none;

    Word key(const Word* state, const std::uint32_t* values) const {
      return range ? (*range)(state) : Word{values[left]} | Word{values[right]} << 32;
    }
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

  Numbers numbers_;
  std::vector<Node> nodes_;
  std::size_t left_, right_;
  mutable std::vector<std::uint32_t> values_;  // of the state at hand, by node
};

}  // namespace scrimp
