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

}  // namespace scrimp
