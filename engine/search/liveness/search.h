// A search for an accepted run of the product of a machine and an automaton.
#pragma once

#include <cstdint>

#include "search/liveness/product.h"
#include "search/stores/context.h"

namespace scrimp {

/// How long a path is looked for.
enum class Patience : std::uint8_t {
  usual,    // a path is looked for in some states more than were visited (effort.h)
  endless,  // as long as there is memory
};

/// `search` is one of the product's machine; its store is `full`. With `compress=cleary`, which has room for two bits
/// beside a state, the search is nested unless fairness is assumed; otherwise it is for components. Returns false if
/// something was found, and no path to it: then a product without passing states decides, whose search has one.
bool search_lassos(SearchContext& search, const Product& product, Patience patience = Patience::usual);

/// Searches breadth-first, by all threads, and decides whether a run is accepted (accepting_region.h). The store is
/// `full` without compression, and no process is strongly fair. The answer does not depend on the number of threads.
enum class LevelsAnswer : std::uint8_t {
  none,       // no run is accepted, or the search has ended before that was known
  accepted,   // one is; `search_lassos` finds it
  undecided,  // `search_lassos` must decide, because some runs end in a fault or at the depth limit
};
LevelsAnswer search_levels(SearchContext& search, const Product& product);

}  // namespace scrimp
