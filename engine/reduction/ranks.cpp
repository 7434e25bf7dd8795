#include "reduction/ranks.h"

#include <bit>

namespace scrimp {

Ranks::Ranks(const Relations& relations, const Word* initial, std::uint32_t words)
    : relations_(relations), words_(words), weights_(relations.place_count + std::size_t{64} * words) {
  const ControlFlow flow(relations);
  for (std::uint32_t process = 0; process < relations.locations.size(); ++process)
    number_places(flow, process, relations.place(initial, process));
}

/// L1. Places that the initial one does not lead to are numbered from the others, by the same rule.
void Ranks::number_places(const ControlFlow& flow, std::uint32_t process, std::uint32_t initial) {
  struct Step {
    std::uint32_t place;
    std::size_t next;  // exit
  };
  auto rank = static_cast<std::int64_t>(flow.places_of(process).size());
  std::vector<Step> path;
  std::vector<std::uint8_t> seen(relations_.place_count);
  const auto enter = [&](std::uint32_t place) {
    if (seen[place]) return;
    seen[place] = 1;
    path.push_back({place, 0});
  };
  const auto search_from = [&](std::uint32_t start) {
    enter(start);
    while (!path.empty()) {
      Step& last = path.back();
      const auto exits = flow.exits(last.place);
      if (last.next < exits.size()) {
        enter(exits[last.next++].target);
      } else {
        weights_[last.place] = --rank;
        path.pop_back();
      }
    }
  };
  search_from(initial);
  for (const std::uint32_t place : flow.places_of(process)) search_from(place);
}

void Ranks::learn(const Sample& sample) {
  std::vector<std::int64_t> best = weights_;
  std::size_t fewest = sample.ends.size() + 1;
  for (std::uint32_t pass = 0; pass < most_passes && fewest != 0; ++pass) {
    const std::vector<std::int64_t> before = weights_;
    const std::size_t wrong = improve(sample);
    if (wrong >= fewest) continue;
    fewest = wrong;
    best = before;
  }
  weights_ = best;  // L4
}

/// L3, once. Returns the number of states for which the weights had to be changed.
std::size_t Ranks::improve(const Sample& sample) {
  std::size_t wrong = 0, target = 0;
  for (std::size_t i = 0; i < sample.ends.size(); ++i) {
    const Word* const from = sample.sources.data() + i * words_;
    const Word* highest = nullptr;
    std::int64_t most = 0;
    for (; target < sample.ends[i]; ++target) {
      const Word* const to = sample.targets.data() + target * words_;
      const std::int64_t higher = difference(from, to);
      if (highest != nullptr && higher <= most) continue;
      highest = to;
      most = higher;
    }
    if (highest == nullptr || most > 0) continue;
    raise(from, highest);
    ++wrong;
  }
  return wrong;
}

std::int64_t Ranks::difference(const Word* from, const Word* to) const {
  std::int64_t sum = 0;
  for_each_change(from, to, [&](std::size_t weight, int sign) { sum += sign * weights_[weight]; });
  return sum;
}

void Ranks::raise(const Word* from, const Word* to) {
  for_each_change(from, to, [&](std::size_t weight, int sign) { weights_[weight] += sign; });
}

/// Calls `visit` with every weight that counts in one of the states only, and with 1 if that is the second.
template <class Visit>
void Ranks::for_each_change(const Word* from, const Word* to, Visit visit) const {
  for (const Relations::Location& at : relations_.locations) {
    const Word before = from[at.word] >> at.shift & at.mask, after = to[at.word] >> at.shift & at.mask;
    if (before == after) continue;
    visit(relations_.places[at.first_place + before], -1);
    visit(relations_.places[at.first_place + after], 1);
  }
  for (std::uint32_t word = 0; word < words_; ++word)
    for (Word changed = from[word] ^ to[word]; changed != 0; changed &= changed - 1) {
      const auto bit = static_cast<std::size_t>(std::countr_zero(changed));
      visit(relations_.place_count + std::size_t{64} * word + bit, to[word] >> bit & 1 ? 1 : -1);
    }
}

}  // namespace scrimp
