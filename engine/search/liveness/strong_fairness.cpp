#include "search/liveness/strong_fairness.h"

#include <algorithm>
#include <functional>
#include <new>
#include <numeric>
#include <vector>

namespace scrimp {

bool StrongFairness::look(const Word* state, const Inside& inside) {
  list(state, inside);  // L1
  for (Number node = 0; node + 1 < nodes_.size(); ++node) part_.push(node);
  next_part_ = 1;
  wait(part_.begin(), part_.end(), 0);
  while (!waiting_.empty())
    if (divide(take_part())) return true;  // L2
  return false;
}

void StrongFairness::wait(const Number* first, const Number* last, Number part) {
  Number count = 0;
  for (const Number* node = first; node != last; ++node) {
    if (nodes_[*node].part != part) continue;
    waiting_.push(*node);
    ++count;
  }
  waiting_.push(count);
  waiting_.push(part);
}

StrongFairness::Number StrongFairness::take_part() {
  const Number part = waiting_.pop();
  part_.clear();
  for (Number count = waiting_.pop(); count != 0; --count) part_.push(waiting_.pop());
  return part;
}

bool StrongFairness::is_accepted(const Word* state) {
  const std::optional<Number> found = number(state, false);
  return found && nodes_[*found].part == accepted_;
}

std::optional<StrongFairness::Number> StrongFairness::number(const Word* state, bool add) {
  if (!add && !numbers_.contains(state)) return std::nullopt;
  const auto entry = scrimp::visit(numbers_, state);
  if (entry.insertion == Insertion::no_room) throw std::bad_alloc();
  if (entry.insertion == Insertion::fresh) {
    const std::size_t end = states_.size();
    states_.resize(end + edges_.words());
    std::copy_n(state, edges_.words(), states_.data() + end);
    entry.annotation() = states_.size() / edges_.words();
  }
  return static_cast<Number>(entry.annotation() - 1);
}

void StrongFairness::list(const Word* state, const Inside& inside) {
  const std::size_t words = edges_.words();
  number(state, true);
  std::vector<Word> source(words);
  for (Number node = 0; node < states_.size() / words; ++node) {
    std::copy_n(states_.data() + node * words, words, source.data());
    edges_.list(source.data());
    nodes_.push({arcs_.size(), 0, 0, 0});
    append(edges_.enabled(), enabled_);
    for (std::uint32_t ordinal = 0; ordinal < edges_.count(); ++ordinal) {
      if (!edges_.leads_somewhere(ordinal) || !inside(edges_.target(ordinal))) continue;
      append(edges_.marks(ordinal), marks_);
      arcs_.push(*number(edges_.target(ordinal), true));
    }
  }
  nodes_.push({arcs_.size(), ~Number{0}, 0, 0});
}

void StrongFairness::append(const Word* set, RegionVector<Word>& sets) {
  const std::size_t end = sets.size();
  sets.resize(end + set_words());
  std::copy_n(set, set_words(), sets.data() + end);
}

/// Tarjan's algorithm, iterative.
bool StrongFairness::divide(Number part) {
  for (const Number node : part_) nodes_[node].index = 0;
  last_index_ = 0;
  for (const Number start : part_) {
    if (nodes_[start].part != part || nodes_[start].index != 0) continue;
    enter(start);
    while (!path_.empty()) {
      Frame& frame = path_.back();
      if (frame.next_arc == nodes_[frame.node + 1].first_arc) {
        if (leave()) return true;
        continue;
      }
      const Number target = arcs_[frame.next_arc++];
      if (nodes_[target].part != part) continue;
      if (nodes_[target].index == 0) {
        enter(target);
      } else {
        nodes_[frame.node].low = std::min(nodes_[frame.node].low, nodes_[target].index);
      }
    }
  }
  return false;
}

void StrongFairness::enter(Number node) {
  nodes_[node].index = nodes_[node].low = ++last_index_;
  live_.push(node);
  path_.push({node, nodes_[node].first_arc});
}

bool StrongFairness::leave() {
  const Number left = path_.pop().node;
  const Node& node = nodes_[left];
  if (!path_.empty()) {
    Node& before = nodes_[path_.back().node];
    before.low = std::min(before.low, node.low);
  }
  if (node.low != node.index) return false;
  std::size_t first = live_.size() - 1;
  while (live_[first] != left) --first;
  const bool accepts = judge(live_.begin() + first, live_.end());
  live_.resize(first);
  return accepts;
}

/// Each component becomes a part of its own, so that no other looks at its states again.
bool StrongFairness::judge(const Number* first, const Number* last) {
  const Number part = next_part_++;
  for (const Number* node = first; node != last; ++node) nodes_[*node].part = part;
  bool has_edges = false;
  const GatheredSets gathered = gathered_by(first, last, part, has_edges);
  if (!has_edges) return false;
  std::vector<Word> stuck(set_words());
  if (!acceptance_.list_missing(gathered, stuck.data())) {  // L3
    accepted_ = part;
    return true;
  }
  if (!acceptance_.accepts_without_some(gathered)) return false;  // L4
  const Number rest = next_part_++;
  const auto is_stuck = [&](Number node) {
    return std::inner_product(stuck.begin(), stuck.end(), enabled(node), Word{0}, std::bit_or<>(), std::bit_and<>());
  };
  for (const Number* node = first; node != last; ++node)
    if (is_stuck(*node) == 0) nodes_[*node].part = rest;
  wait(first, last, rest);  // L5
  return false;
}

/// By the edges between these states, which are those of a part.
GatheredSets StrongFairness::gathered_by(const Number* first, const Number* last, Number part, bool& has_edges) const {
  GatheredSets gathered(set_words());
  const std::vector<Word> nothing(set_words());
  for (const Number* node = first; node != last; ++node) {
    gathered.add(nothing.data(), enabled(*node));
    for (std::uint64_t arc = nodes_[*node].first_arc; arc != nodes_[*node + 1].first_arc; ++arc) {
      if (nodes_[arcs_[arc]].part != part) continue;
      gathered.add(marks_.data() + arc * set_words(), nothing.data());
      has_edges = true;
    }
  }
  return gathered;
}

}  // namespace scrimp
