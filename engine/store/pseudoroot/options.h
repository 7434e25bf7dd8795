// How a search with reference counts learns what leads to a state, and what it does with that: PY97.
#pragma once

#include <cstdint>

namespace scrimp {

/// Counters of edges, filled by a search that comes before the one that is asked for.
struct EdgeCounting {
  enum class Store : std::uint8_t { plain, tree, cleary };

  Store store = Store::cleary;  // of that search
  std::uint64_t counters = std::uint64_t{1} << 24;
  unsigned bits = 4;  // of a counter: 2, 4, 8 or 16
  unsigned functions = 2;
};

struct PseudoRoot {
  enum class Source : std::uint8_t { in_degree, counted };  // the machine's function; counters
  enum class Next : std::uint8_t {                          // which state is explored next, breadth-first
    arrival,                                                // of a level, the state that came first
    fewest,  // of a level, the state with the fewest edges left when the level begins
  };

  Source source = Source::in_degree;
  Next next = Next::arrival;
  std::uint64_t states = 0;  // that are stored at once; 0: what the budget has room for
  EdgeCounting counting;
};

/// What became of the states, and what it took to count edges.
struct PseudoRootReport {
  std::uint64_t kept = 0;       // states that were still stored at the end
  std::uint64_t discarded = 0;  // states forgotten for lack of room, though edges to them were left
  std::uint64_t restarts = 0;   // pending states had no room either: the search began anew
  std::uint64_t counted_states = 0;
  std::uint64_t counted_events = 0;
  std::uint64_t counted_bytes = 0;  // held by the search that counted, at its peak
  double counted_seconds = 0;
};

}  // namespace scrimp
