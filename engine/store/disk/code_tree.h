// A state as a few small numbers: the tree of store/tree.h, of which the upper nodes were cut off.
//
//                 (left, right)                   the numbers of the nodes at the cut, its parts, stand for the state
//                  |         |
//               [ 816783 ]  4356167               the nodes above it have no tables: the largest are near the root
//                __|  |__    |    |
//               |        |  [402812] [26376]
//
// Its numbers can be turned back into states, because the tables are reversible. If they grow too large, a part can be
// split: its children take its place at the cut.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <new>
#include <optional>
#include <vector>

#include "core/budget.h"
#include "core/machine.h"
#include "store/bit_ranges.h"
#include "store/disk/parts_code.h"
#include "store/disk/reversible_numbering.h"
#include "store/tree.h"

namespace scrimp {

class CodeTree {
 public:
  using Numbers = PartsCode::Numbers;
  static constexpr std::uint32_t block = Tree::block;
  /// On average, unless a table is small.
  static constexpr std::uint64_t bytes_per_number = 14;

  /// Takes the numbers of a tree over, whose tables are freed on the way. At first the parts are the two children of
  /// the root. Throws std::bad_alloc.
  CodeTree(const Machine& machine, Tree& tree, Budget& budget) : words_(machine.words) {
    for (std::size_t i = 0; i < tree.node_count(); ++i) nodes_.emplace_back(budget);
    tree.hand_over([&](std::size_t place, const Tree::Node& node) {
      nodes_[place].range = node.range;
      nodes_[place].left = node.left;
      nodes_[place].right = node.right;
      if (!nodes_[place].numbers.take_over(*node.table)) throw std::bad_alloc();
    });
    parts_ = {tree.left(), tree.right()};
    root_ = {tree.left(), tree.right()};
  }

  std::size_t parts() const { return parts_.size(); }
  std::uint32_t greatest(std::size_t part) const { return nodes_[parts_[part]].numbers.size(); }
  /// The bits of its parts' numbers.
  unsigned bits() const {
    unsigned sum = 0;
    for (const std::size_t part : parts_) sum += width(part);
    return sum;
  }
  /// The numbers of all nodes from the cut on.
  std::uint64_t size() const {
    std::uint64_t sum = 0;
    for_each_kept([&](const Node& node) { sum += node.numbers.size(); });
    return sum;
  }
  std::uint64_t bytes() const {
    std::uint64_t sum = 0;
    for (const Node& node : nodes_) sum += node.numbers.bytes();
    return sum;
  }

  /// The part that has the most numbers among those that can be split, if there is one.
  std::optional<std::size_t> largest_part() const {
    std::optional<std::size_t> largest;
    for (std::size_t i = 0; i < parts(); ++i)
      if (!nodes_[parts_[i]].range && (!largest || greatest(i) > greatest(*largest))) largest = i;
    return parts() == PartsCode::most_parts ? std::nullopt : largest;
  }
  /// The bits of the parts' numbers once a part is split.
  unsigned bits_after_split(std::size_t part) const {
    const Node& node = nodes_[parts_[part]];
    return bits() - width(parts_[part]) + width(node.left) + width(node.right);
  }
  /// Its words stay, so that numbers can be split, until `drop_upper_tables`.
  void split(std::size_t part) {
    split_ = {part, parts_[part]};
    nodes_[parts_[part]].numbers.drop_index();
    parts_[part] = nodes_[split_.node].right;
    parts_.insert(parts_.begin() + static_cast<std::ptrdiff_t>(part), nodes_[split_.node].left);
  }

  /// The numbers of the parts that the numbers of the root's children lead to.
  void numbers_of(Tree::Pair pair, Numbers& numbers) const {
    std::uint32_t* next = numbers.data();
    descend(root_[0], pair.left, next);
    descend(root_[1], pair.right, next);
  }
  /// The numbers after the last split, by those before it.
  void split_numbers(const Numbers& before, Numbers& after) const {
    const Tree::Pair pair = Tree::pair_of(nodes_[split_.node].numbers.word(before[split_.part]));
    for (std::size_t i = 0; i < parts(); ++i) after[i] = before[i > split_.part ? i - 1 : i];
    after[split_.part] = pair.left;
    after[split_.part + 1] = pair.right;
  }
  void state(const Numbers& numbers, Word* state) const {
    std::fill(state, state + words_, 0);
    for (std::size_t i = 0; i < parts(); ++i) read(parts_[i], numbers[i], state);
  }

  /// Once numbers are no longer asked for by pair.
  void drop_upper_tables() {
    std::vector<bool> is_kept(nodes_.size());
    for (const std::size_t part : parts_) mark(part, is_kept);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      nodes_[i].is_kept = is_kept[i];
      if (!is_kept[i]) nodes_[i].numbers.clear();
    }
  }
  /// Before states are numbered. Returns false, without any index, if there is no room.
  [[nodiscard]] bool make_indexes() {
    size_ = size();
    for (Node& node : nodes_)
      if (node.is_kept && !node.numbers.make_index()) return drop_indexes(), false;
    return true;
  }

  /// States are numbered up to so many numbers in all nodes.
  void allow(std::uint64_t numbers) { most_ = numbers; }
  bool is_at_limit() const { return size_ >= most_; }
  /// How many there are while states are numbered.
  std::uint64_t numbered() const { return size_; }

  /// The numbers of a state, with new ones for new parts. Returns false if there is no room.
  [[nodiscard]] bool number(const Word* state, Numbers& numbers) {
    for (Node& node : nodes_) {
      if (!node.is_kept) continue;
      const Word key =
          node.range ? (*node.range)(state) : Tree::Pair{nodes_[node.left].value, nodes_[node.right].value}.word();
      node.value = node.numbers.find(key);
      if (node.value != ReversibleNumbering::none) continue;
      if (size_ >= most_ || (node.value = node.numbers.add(key)) == ReversibleNumbering::none) return false;
      ++size_;
    }
    for (std::size_t i = 0; i < parts(); ++i) numbers[i] = nodes_[parts_[i]].value;
    return true;
  }

  /// What a thread needs: the values of the nodes for some states, and which states have a new part.
  struct Scratch {
    std::vector<std::array<std::uint32_t, block>> values;
    bool is_new[block];
  };
  /// Looks up to `block` states up. Any thread, while no state is numbered.
  void find(const Word* states, std::uint32_t count, Scratch& scratch) const {
    Word keys[block];
    scratch.values.resize(nodes_.size());
    std::fill_n(scratch.is_new, count, false);
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      const Node& node = nodes_[n];
      if (!node.is_kept) continue;
      if (node.range) {
        (*node.range)(states, words_, count, keys);
      } else {
        for (std::uint32_t i = 0; i < count; ++i)
          keys[i] = Tree::Pair{scratch.values[node.left][i], scratch.values[node.right][i]}.word();
      }
      std::uint32_t* const values = scratch.values[n].data();
      Tree::by_changes(keys, count, values, [&](const Word* changed, std::uint32_t changes, std::uint32_t* numbers) {
        node.numbers.find(changed, changes, numbers);
        return changes;
      });
      for (std::uint32_t i = 0; i < count; ++i) scratch.is_new[i] |= values[i] == ReversibleNumbering::none;
    }
  }
  /// Of one of the states that were looked up.
  void found_numbers(const Scratch& scratch, std::uint32_t place, Numbers& numbers) const {
    for (std::size_t i = 0; i < parts(); ++i) numbers[i] = scratch.values[parts_[i]][place];
  }

 private:
  struct Node {
    explicit Node(Budget& budget) : numbers(budget) {}
    std::optional<BitRange> range;  // of a leaf
    std::size_t left = 0, right = 0;
    ReversibleNumbering numbers;
    bool is_kept = true;
    std::uint32_t value = 0;  // of the state being numbered
  };

  void drop_indexes() {
    for (Node& node : nodes_) node.numbers.drop_index();
  }

  unsigned width(std::size_t place) const {
    return static_cast<unsigned>(std::bit_width(nodes_[place].numbers.size()));
  }

  template <class Use>
  void for_each_kept(Use use) const {
    std::vector<bool> is_kept(nodes_.size());
    for (const std::size_t part : parts_) mark(part, is_kept);
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (is_kept[i]) use(nodes_[i]);
  }
  void mark(std::size_t place, std::vector<bool>& marks) const {
    marks[place] = true;
    if (nodes_[place].range) return;
    mark(nodes_[place].left, marks);
    mark(nodes_[place].right, marks);
  }
  void descend(std::size_t place, std::uint32_t number, std::uint32_t*& next) const {
    if (std::find(parts_.begin(), parts_.end(), place) != parts_.end()) {
      *next++ = number;
      return;
    }
    const Tree::Pair pair = Tree::pair_of(nodes_[place].numbers.word(number));
    descend(nodes_[place].left, pair.left, next);
    descend(nodes_[place].right, pair.right, next);
  }
  void read(std::size_t place, std::uint32_t number, Word* state) const {
    const Node& node = nodes_[place];
    const Word word = node.numbers.word(number);
    if (node.range) return node.range->write(word, state);
    read(node.left, Tree::pair_of(word).left, state);
    read(node.right, Tree::pair_of(word).right, state);
  }

  std::size_t words_;
  std::vector<Node> nodes_;  // children first
  std::array<std::size_t, 2> root_;
  std::vector<std::size_t> parts_;
  struct {
    std::size_t part, node;
  } split_{};  // the last one
  std::uint64_t size_ = 0;
  std::uint64_t most_ = std::numeric_limits<std::uint64_t>::max();
};

}  // namespace scrimp
