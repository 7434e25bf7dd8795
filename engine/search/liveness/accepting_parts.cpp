#include "search/liveness/accepting_parts.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

namespace scrimp {

bool AcceptingParts::find(bool one_is_enough) {
  one_is_enough_ = one_is_enough;
  places_.clear();
  for (Number node = 0; node < graph_.size(); ++node) {
    places_.push({0, 0, 0});
    part_.push(node);
  }
  wait(part_.begin(), part_.end(), 0);
  while (!waiting_.empty() && !is_done()) divide(take_part());  // L1
  return found_;
}

void AcceptingParts::wait(const Number* first, const Number* last, Number part) {
  Number count = 0;
  for (const Number* node = first; node != last; ++node) {
    if (places_[*node].part != part) continue;
    waiting_.push(*node);
    ++count;
  }
  waiting_.push(count);
  waiting_.push(part);
}

AcceptingParts::Number AcceptingParts::take_part() {
  const Number part = waiting_.pop();
  part_.clear();
  for (Number count = waiting_.pop(); count != 0; --count) part_.push(waiting_.pop());
  return part;
}

/// Tarjan's algorithm, iterative.
void AcceptingParts::divide(Number part) {
  for (const Number node : part_) places_[node].index = 0;
  last_index_ = 0;
  for (const Number start : part_) {
    if (places_[start].part != part || places_[start].index != 0) continue;
    enter(start);
    while (!path_.empty() && !is_done()) {
      Frame& frame = path_.back();
      if (frame.next_arc == graph_.end_arc(frame.node)) {
        leave();
        continue;
      }
      const Number target = graph_.target(frame.next_arc++);
      if (!belongs(target, part)) continue;
      if (places_[target].index == 0) {
        enter(target);
      } else {
        places_[frame.node].low = std::min(places_[frame.node].low, places_[target].index);
      }
    }
  }
}

void AcceptingParts::enter(Number node) {
  places_[node].index = places_[node].low = ++last_index_;
  live_.push(node);
  path_.push({node, graph_.first_arc(node)});
}

void AcceptingParts::leave() {
  const Number left = path_.pop().node;
  const Place& place = places_[left];
  if (!path_.empty()) {
    Place& before = places_[path_.back().node];
    before.low = std::min(before.low, place.low);
  }
  if (place.low != place.index) return;
  std::size_t first = live_.size() - 1;
  while (live_[first] != left) --first;
  judge(live_.begin() + first, live_.end());
  live_.resize(first);
}

/// Each component becomes a part of its own, so that no other looks at its nodes again.
void AcceptingParts::judge(const Number* first, const Number* last) {
  const Number part = next_part_++;
  call(first, last, part);
  if (last - first == 1 && !turns(*first)) return;
  const GatheredSets gathered = gathered_by(first, last, part);
  std::vector<Word> stuck(graph_.set_words());
  if (!acceptance_.list_missing(gathered, stuck.data())) {  // L2
    call(first, last, part | accepted);
    found_ = true;
    return;
  }
  if (!acceptance_.accepts_without_some(gathered)) return;  // L3
  const Number rest = next_part_++;
  const auto is_stuck = [&](Number node) {
    return std::inner_product(stuck.begin(), stuck.end(), graph_.enabled(node), Word{0}, std::bit_or<>(),
                              std::bit_and<>());
  };
  for (const Number* node = first; node != last; ++node)
    if (is_stuck(*node) == 0) places_[*node].part = rest;
  wait(first, last, rest);  // L4
}

void AcceptingParts::call(const Number* first, const Number* last, Number part) {
  for (const Number* node = first; node != last; ++node) places_[*node].part = part;
}

/// By the arcs between these nodes, which are those of a part.
GatheredSets AcceptingParts::gathered_by(const Number* first, const Number* last, Number part) const {
  GatheredSets gathered(graph_.set_words());
  const std::vector<Word> nothing(graph_.set_words());
  for (const Number* node = first; node != last; ++node) {
    gathered.add(nothing.data(), graph_.enabled(*node));
    for (std::uint64_t arc = graph_.first_arc(*node); arc != graph_.end_arc(*node); ++arc) {
      if (belongs(graph_.target(arc), part)) gathered.add(graph_.marks(arc), nothing.data());
    }
  }
  return gathered;
}

bool AcceptingParts::turns(Number node) const {
  for (std::uint64_t arc = graph_.first_arc(node); arc != graph_.end_arc(node); ++arc)
    if (graph_.target(arc) == node) return true;
  return false;
}

}  // namespace scrimp
