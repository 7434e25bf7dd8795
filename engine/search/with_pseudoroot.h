// Searches with reference counts.
#pragma once

#include "search/search.h"
#include "store/pseudoroot/edge_counters.h"

namespace scrimp {

void search_with_pseudoroot(Search& search);

/// Searches all of the machine's states and counts the edges. Returns whether that search closed; else the observer
/// knows why not.
bool count_edges(Search& search, EdgeCounters& counters);

}  // namespace scrimp
