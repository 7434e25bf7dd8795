#include "lts/strong_bisimilarity.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <unordered_map>
#include <utility>

namespace scrimp {

namespace {

using State = std::uint32_t;
using Block = std::uint32_t;

/// The transitions that leave or reach each state: those of s are `items[first[s]]` up to `items[first[s + 1]]`.
template <class Item>
struct Adjacency {
  std::vector<std::size_t> first;
  std::vector<Item> items;

  template <class ItemOf>
  Adjacency(const LtsColumns& lts, const State* keys, ItemOf item_of)
      : first(std::size_t{lts.states} + 1), items(lts.transitions) {
    for (std::size_t i = 0; i < lts.transitions; ++i) {
      if (keys[i] >= lts.states) throw std::out_of_range("a transition refers to a state that does not exist");
      ++first[keys[i] + 1];
    }
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<std::size_t> next(first.begin(), first.end() - 1);
    for (std::size_t i = 0; i < lts.transitions; ++i) items[next[keys[i]]++] = item_of(i);
  }

  const Item* begin(State state) const { return items.data() + first[state]; }
  const Item* end(State state) const { return items.data() + first[state + 1]; }
};

struct Arrow {
  std::uint32_t label;
  State target;
};

using Signature = std::vector<std::uint64_t>;

struct SignatureHash {
  std::size_t operator()(const Signature& signature) const {
    std::uint64_t hash = signature.size();
    for (const std::uint64_t part : signature) hash = (hash ^ part) * 0x9e3779b97f4a7c15u ^ (hash >> 29);
    return hash;
  }
};

class Refinement {
 public:
  explicit Refinement(const LtsColumns& lts)
      : leaving_(lts, lts.sources, [&](std::size_t i) { return Arrow{lts.labels[i], lts.targets[i]}; }),
        reaching_(lts, lts.targets, [&](std::size_t i) { return lts.sources[i]; }),
        block_(lts.states, 0),
        order_(lts.states),
        place_(lts.states) {
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

  const Signature& signature(State state) {
    signature_.clear();
    for (const Arrow* arrow = leaving_.begin(state); arrow != leaving_.end(state); ++arrow)
      signature_.push_back(std::uint64_t{arrow->label} << 32 | block_[arrow->target]);
    std::sort(signature_.begin(), signature_.end());
    signature_.erase(std::unique(signature_.begin(), signature_.end()), signature_.end());
    return signature_;
  }

  void split(Block block) {
    const Range range = blocks_[block];
    std::unordered_map<Signature, std::uint32_t, SignatureHash> groups;
    std::vector<std::vector<State>> members;
    const bool has_clean = range.begin != range.dirty;
    if (has_clean) {
      groups.emplace(signature(order_[range.begin]), 0);
      members.emplace_back();
    }
    for (State i = range.dirty; i < range.end; ++i) {  // L3
      const auto [group, is_new] = groups.try_emplace(signature(order_[i]), static_cast<std::uint32_t>(members.size()));
      if (is_new) members.emplace_back();
      members[group->second].push_back(order_[i]);
    }
    lay_out(block, range, members, has_clean);
  }

  /// Puts the members of each group side by side, those of the first group after the clean states, and numbers them.
  void lay_out(Block block, const Range& range, const std::vector<std::vector<State>>& members, bool has_clean) {
    std::vector<std::pair<State, State>> pieces;
    State next = range.dirty;
    for (std::size_t group = 0; group < members.size(); ++group) {  // L4
      const State begin = group == 0 && has_clean ? range.begin : next;
      for (const State state : members[group]) put(state, next++);
      pieces.emplace_back(begin, next);
    }
    const auto largest = std::max_element(pieces.begin(), pieces.end(), [](const auto& one, const auto& other) {
      return one.second - one.first < other.second - other.first;
    });
    blocks_[block] = {largest->first, largest->second, largest->second};  // L5
    const std::size_t first_new = blocks_.size();
    for (auto piece = pieces.begin(); piece != pieces.end(); ++piece) {
      if (piece == largest) continue;
      const Block fresh = add_block(piece->first, piece->second, piece->second);
      for (State i = piece->first; i < piece->second; ++i) block_[order_[i]] = fresh;
    }
    for (std::size_t fresh = first_new; fresh < blocks_.size(); ++fresh) {  // L6
      for (State i = blocks_[fresh].begin; i < blocks_[fresh].end; ++i) touched_.push_back(order_[i]);
    }
    for (const State state : touched_)
      for (const State* source = reaching_.begin(state); source != reaching_.end(state); ++source) soil(*source);
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

  const Adjacency<Arrow> leaving_;
  const Adjacency<State> reaching_;
  std::vector<Block> block_;
  std::vector<State> order_, place_;  // a permutation, by blocks, and its inverse
  std::vector<Range> blocks_;
  std::vector<Block> waiting_;
  std::vector<State> touched_;
  Signature signature_;
};

}  // namespace

std::vector<std::uint32_t> strongly_bisimilar(const LtsColumns& lts) { return Refinement(lts).run(); }

}  // namespace scrimp
