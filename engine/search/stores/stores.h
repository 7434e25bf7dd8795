// One function per store: a search with it, in the order and with the reduction that were chosen. Each is in a file of
// its own, search/with_*.cpp.
#pragma once

#include "search/stores/context.h"

namespace scrimp {

void search_with(SearchContext& search, const strategy::Full& store);
void search_with(SearchContext& search, const strategy::Cache& store);
void search_with(SearchContext& search, const strategy::Snapshots& store);
void search_with(SearchContext& search, const strategy::Comback& store);
void search_with(SearchContext& search, const strategy::Pseudoroot& store);
void search_with(SearchContext& search, const strategy::Compact& store);
void search_with(SearchContext& search, const strategy::Bitstate& store);

}  // namespace scrimp
