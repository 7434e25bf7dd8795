#include "lts/strong_bisimilarity.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace scrimp {

namespace {

using State = std::uint32_t;
using Block = std::uint32_t;

/// Calls a poll after every million steps or so.
class Pace {
 public:
  explicit Pace(const Poll& poll) : poll_(poll) {}

  void step(std::size_t steps = 1) {
    if (left_ > steps) {
      left_ -= steps;
      return;
    }
    left_ = between;
    if (poll_) poll_();
  }

 private:
  static constexpr std::size_t between = std::size_t{1} << 20;

  const Poll& poll_;
  std::size_t left_ = between;
};

/// The transitions that leave or reach each state: those of s are `items[first[s]]` up to `items[first[s + 1]]`.
template <class Item>
struct Adjacency {
  std::vector<std::size_t> first;
  std::vector<Item> items;

  template <class ItemOf>
  Adjacency(const LtsColumns& lts, const State* keys, ItemOf item_of, Pace& pace)
      : first(std::size_t{lts.states} + 1), items(lts.transitions) {
    for (std::size_t i = 0; i < lts.transitions; ++i) {
      pace.step();
      if (keys[i] >= lts.states) throw std::out_of_range("a transition refers to a state that does not exist");
      ++first[keys[i] + 1];
    }
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<std::size_t> next(first.begin(), first.end() - 1);
    for (std::size_t i = 0; i < lts.transitions; ++i) {
      pace.step();
      items[next[keys[i]]++] = item_of(i);
    }
  }

  const Item* begin(State state) const { return items.data() + first[state]; }
  const Item* end(State state) const { return items.data() + first[state + 1]; }
};

struct Arrow {
  std::uint32_t label;
  State target;
};

/// Sets of numbers, each once: their parts lie one after the other, and a hash table has their places. It takes less
/// than a map of vectors, and it is known how much.
class Signatures {
 public:
  /// Sets of so many parts in all: a vector that grows takes up to three times as much as it needs.
  Signatures(std::size_t most, std::size_t parts) {
    parts_.reserve(parts);
    ends_.reserve(most + 1);
  }

  /// Forgets all, and makes room for so many.
  void begin(std::size_t most) {
    parts_.clear();
    ends_.assign(1, 0);
    std::size_t slots = 2;
    while (slots < 2 * most) slots *= 2;
    table_.assign(slots, none);
  }

  void add_part(std::uint64_t part) { parts_.push_back(part); }

  /// The number of the set of the parts added since the last call; a new one if there was none like it.
  std::uint32_t number() {
    const auto begin = parts_.begin() + static_cast<std::ptrdiff_t>(ends_.back());
    std::sort(begin, parts_.end());
    parts_.erase(std::unique(begin, parts_.end()), parts_.end());
    std::uint64_t hash = parts_.size() - ends_.back();
    for (auto part = begin; part != parts_.end(); ++part) hash = (hash ^ *part) * 0x9e3779b97f4a7c15u ^ (hash >> 29);
    std::size_t slot = (hash ^ (hash >> 32)) & (table_.size() - 1);
    for (; table_[slot] != none; slot = (slot + 1) & (table_.size() - 1)) {
      if (is_last(table_[slot])) {
        parts_.resize(ends_.back());
        return table_[slot];
      }
    }
    table_[slot] = static_cast<std::uint32_t>(ends_.size() - 1);
    ends_.push_back(parts_.size());
    return table_[slot];
  }

  std::size_t count() const { return ends_.size() - 1; }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  bool is_last(std::uint32_t number) const {
    const auto at = [&](std::size_t place) { return parts_.begin() + static_cast<std::ptrdiff_t>(place); };
    return std::equal(at(ends_[number]), at(ends_[number + 1]), at(ends_.back()), parts_.end());
  }

  std::vector<std::uint64_t> parts_;
  std::vector<std::size_t> ends_;
  std::vector<std::uint32_t> table_;
};

class Refinement {
 public:
  Refinement(const LtsColumns& lts, const Poll& poll)
      : pace_(poll),
        leaving_(
            lts, lts.sources, [&](std::size_t i) { return Arrow{lts.labels[i], lts.targets[i]}; }, pace_),
        reaching_(
            lts, lts.targets, [&](std::size_t i) { return lts.sources[i]; }, pace_),
        block_(lts.states, 0),
        order_(lts.states),
        place_(lts.states),
        signatures_(lts.states, lts.transitions) {
    blocks_.reserve(lts.states);
    for (std::vector<State>* each : {&waiting_, &touched_, &dirty_, &group_, &ends_}) each->reserve(lts.states);
    std::iota(order_.begin(), order_.end(), State{0});
    std::iota(place_.begin(), place_.end(), State{0});
    if (lts.states != 0) add_block(0, lts.states, 0);  // L1
  }

  std::vector<Block> run() {
    while (!waiting_.empty()) {  // L2
      const Block block = waiting_.back();
      waiting_.pop_back();
      split(block);
    }
    return renumbered();
  }

 private:
  /// The states of a block are order_[begin] up to order_[end]; those from `dirty` on are dirty.
  struct Range {
    State begin, dirty, end;
  };

  Block add_block(State begin, State end, State dirty) {
    blocks_.push_back({begin, dirty, end});
    const auto block = static_cast<Block>(blocks_.size() - 1);
    if (dirty != end) waiting_.push_back(block);
    return block;
  }

  std::uint32_t signature(State state) {
    for (const Arrow* arrow = leaving_.begin(state); arrow != leaving_.end(state); ++arrow)
      signatures_.add_part(std::uint64_t{arrow->label} << 32 | block_[arrow->target]);
    pace_.step(1 + static_cast<std::size_t>(leaving_.end(state) - leaving_.begin(state)));
    return signatures_.number();
  }

  void split(Block block) {
    const Range range = blocks_[block];
    const bool has_clean = range.begin != range.dirty;
    signatures_.begin(std::size_t{range.end} - range.dirty + 1);
    if (has_clean) signature(order_[range.begin]);
    dirty_.assign(order_.begin() + range.dirty, order_.begin() + range.end);
    group_.clear();
    for (const State state : dirty_) group_.push_back(signature(state));  // L3
    lay_out(block, range, has_clean);
  }

  /// Puts the members of each group side by side, those of the first group after the clean states, and numbers them.
  void lay_out(Block block, const Range& range, bool has_clean) {
    ends_.assign(signatures_.count(), 0);
    for (const std::uint32_t group : group_) ++ends_[group];
    State next = range.dirty;
    for (State& end : ends_) next += std::exchange(end, next);
    for (std::size_t i = 0; i < dirty_.size(); ++i) put(dirty_[i], ends_[group_[i]]++);  // L4
    const auto begin_of = [&](std::size_t group) {
      if (group != 0) return ends_[group - 1];
      return has_clean ? range.begin : range.dirty;
    };
    std::size_t largest = 0;
    for (std::size_t group = 1; group < ends_.size(); ++group)
      if (ends_[group] - begin_of(group) > ends_[largest] - begin_of(largest)) largest = group;
    blocks_[block] = {begin_of(largest), ends_[largest], ends_[largest]};  // L5
    const std::size_t first_new = blocks_.size();
    for (std::size_t group = 0; group < ends_.size(); ++group) {
      if (group == largest) continue;
      const Block fresh = add_block(begin_of(group), ends_[group], ends_[group]);
      for (State i = begin_of(group); i < ends_[group]; ++i) block_[order_[i]] = fresh;
    }
    for (std::size_t fresh = first_new; fresh < blocks_.size(); ++fresh) {  // L6
      for (State i = blocks_[fresh].begin; i < blocks_[fresh].end; ++i) touched_.push_back(order_[i]);
    }
    for (const State state : touched_) {
      for (const State* source = reaching_.begin(state); source != reaching_.end(state); ++source) soil(*source);
      pace_.step(1 + static_cast<std::size_t>(reaching_.end(state) - reaching_.begin(state)));
    }
    touched_.clear();
  }

  void put(State state, State place) {
    order_[place] = state;
    place_[state] = place;
  }

  void soil(State state) {
    Range& range = blocks_[block_[state]];
    const State place = place_[state];
    if (place >= range.dirty) return;
    if (range.dirty == range.end) waiting_.push_back(block_[state]);
    --range.dirty;
    const State other = order_[range.dirty];
    put(state, range.dirty);
    put(other, place);
  }

  std::vector<Block> renumbered() {
    constexpr Block none = std::numeric_limits<Block>::max();
    std::vector<Block> names(blocks_.size(), none);
    Block next = 0;
    for (Block& block : block_) {
      if (names[block] == none) names[block] = next++;
      block = names[block];
    }
    return std::move(block_);
  }

  Pace pace_;
  const Adjacency<Arrow> leaving_;
  const Adjacency<State> reaching_;
  std::vector<Block> block_;
  std::vector<State> order_, place_;  // a permutation, by blocks, and its inverse
  std::vector<Range> blocks_;
  std::vector<Block> waiting_;
  std::vector<State> touched_;
  // Of the block that is split: its dirty states, the group of each, and where each group ends.
  Signatures signatures_;
  std::vector<State> dirty_;
  std::vector<std::uint32_t> group_;
  std::vector<State> ends_;
};

/// The first state of each block: its transitions lead to the same blocks as those of the others.
std::vector<State> representatives(const std::vector<Block>& blocks) {
  std::vector<State> first;
  for (std::size_t state = 0; state < blocks.size(); ++state)
    if (blocks[state] == first.size()) first.push_back(static_cast<State>(state));
  return first;
}

}  // namespace

std::vector<std::uint32_t> strongly_bisimilar(const LtsColumns& lts, const Poll& poll) {
  return Refinement(lts, poll).run();
}

MinimalLts minimised(const LtsColumns& lts, const Poll& poll) {
  const std::vector<Block> blocks = strongly_bisimilar(lts, poll);
  const std::vector<State> first = representatives(blocks);
  Pace pace(poll);
  const auto is_kept = [&](std::size_t i) { return first[blocks[lts.sources[i]]] == lts.sources[i]; };
  MinimalLts found{static_cast<std::uint32_t>(first.size()), {}};
  std::vector<std::size_t> ends(first.size() + 1);
  for (std::size_t i = 0; i < lts.transitions; ++i) {
    pace.step();
    if (is_kept(i)) ++ends[blocks[lts.sources[i]] + 1];
  }
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  found.edges.resize(ends.back());
  for (std::size_t i = 0; i < lts.transitions; ++i) {
    pace.step();
    if (!is_kept(i)) continue;
    const Block source = blocks[lts.sources[i]];
    found.edges[ends[source]++] = {source, lts.labels[i], blocks[lts.targets[i]]};
  }
  auto kept = found.edges.begin(), begin = kept;  // ends[s] is now where the edges of s end
  for (std::size_t source = 0; source < first.size(); ++source) {
    const auto end = found.edges.begin() + static_cast<std::ptrdiff_t>(ends[source]);
    pace.step(static_cast<std::size_t>(end - begin));
    std::sort(begin, end, [](const LtsEdge& one, const LtsEdge& other) {
      return std::tie(one.label, one.target) < std::tie(other.label, other.target);
    });
    kept = std::move(begin, std::unique(begin, end), kept);
    begin = end;
  }
  found.edges.erase(kept, found.edges.end());
  return found;
}

}  // namespace scrimp
