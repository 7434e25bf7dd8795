#include "reduction/control_flow.h"

#include <algorithm>

namespace scrimp {

ControlFlow::ControlFlow(const Relations& relations)
    : process_of_(relations.place_count),
      rank_(relations.place_count),
      places_of_(relations.locations.size()),
      exits_(relations.place_count),
      is_intruded_(relations.locations.size()),
      reachable_(relations.place_count) {
  find_processes(relations);
  find_exits(relations);
}

void ControlFlow::find_processes(const Relations& relations) {
  const std::size_t processes = relations.locations.size();
  for (std::uint32_t process = 0; process < processes; ++process) {
    const std::size_t end =
        process + 1 < processes ? relations.locations[process + 1].first_place : relations.places.size();
    for (std::size_t i = relations.locations[process].first_place; i < end; ++i)
      process_of_[relations.places[i]] = process;
  }
  for (std::uint32_t place = 0; place < relations.place_count; ++place) {
    std::vector<std::uint32_t>& places = places_of_[process_of_[place]];
    rank_[place] = static_cast<std::uint32_t>(places.size());
    places.push_back(place);
  }
}

/// An event that does not start at the place of a process can move it only from those places that it may leave on the
/// way.
void ControlFlow::find_exits(const Relations& relations) {
  std::vector<std::vector<std::uint32_t>> left_by(relations.events());
  for (std::uint32_t place = 0; place < relations.place_count; ++place)
    for (const EventId event : relations.leaving[place]) left_by[event].push_back(place);
  for (std::uint32_t target = 0; target < relations.place_count; ++target) {
    const std::uint32_t process = process_of_[target];
    for (const EventId event : relations.entering[target]) {
      const Lists::List moved = relations.moved_places[event];
      const auto source =
          std::find_if(moved.begin(), moved.end(), [&](std::uint32_t place) { return process_of_[place] == process; });
      if (source != moved.end()) {
        exits_[*source].push_back({event, target});
        continue;
      }
      is_intruded_[process] = 1;
      for (const std::uint32_t left : left_by[event])
        if (process_of_[left] == process) exits_[left].push_back({event, target});
    }
  }
}

void ControlFlow::find_reachable(std::uint32_t place) {
  const std::uint32_t process = process_of_[place];
  std::vector<Word>& reached = reachable_[place];
  reached.resize((places_of_[process].size() + 63) / 64);
  std::vector<std::uint32_t> left;
  const auto reach = [&](std::uint32_t next) {
    Word& word = reached[rank_[next] / 64];
    const Word bit = Word{1} << rank_[next] % 64;
    if (!(word & bit)) left.push_back(next);
    word |= bit;
  };
  reach(place);
  while (!left.empty()) {
    const std::uint32_t next = left.back();
    left.pop_back();
    for (const Exit& exit : exits_[next]) reach(exit.target);
  }
}

}  // namespace scrimp
