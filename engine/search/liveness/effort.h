// How much is done for a search of infinite runs to be quick, and for the path to a run that was found; tests have
// less.
#pragma once

#include <cstdint>

namespace scrimp {

struct LivenessEffort {
  /// A set of states that takes no more than this is taken to be in a cache.
  std::uint64_t near_bytes = std::uint64_t{16} << 20;

  /// A shortest path is looked for in this many states, or in so many times as many as the search has visited.
  std::uint64_t path_states = 1'000'000;
  std::uint32_t path_factor = 2;
  /// If there is none, a path is looked for among the states that the search has visited, if they can be held so long.
  bool keeps_visited = true;
  /// If they cannot, the search is repeated with all states on its path, for `path_states` states and so many times
  /// as many as were visited.
  std::uint32_t repeated_factor = 4;
  /// If that does not find the run again, a path is looked for in this many states.
  std::uint64_t last_states = ~std::uint64_t{0};

  /// The shortest run is looked for among so many states at first, then so many times as many each time
  /// (shortest_lasso.h), up to so many states, words of states, and edges; cycles, by going along so many edges each
  /// time.
  std::uint64_t first_near_states = 1'000;
  std::uint64_t near_factor = 10;
  std::uint64_t near_states = 100'000;
  std::uint64_t near_words = 1'000'000;
  std::uint64_t near_edges = 1'000'000;
  std::uint64_t cycle_steps = 1'000'000;
};

}  // namespace scrimp
