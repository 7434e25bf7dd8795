// One function for each store: it searches in the chosen order and with the chosen reduction. Each is in the file that
// is named after the store.
#pragma once

#include "search/stores/context.h"

namespace scrimp {

void search_with(SearchContext& search, const strategy::Full& store);
void search_with(SearchContext& search, const strategy::Auto& store);
void search_with(SearchContext& search, const strategy::Cache& store);
void search_with(SearchContext& search, const strategy::Snapshots& store);
void search_with(SearchContext& search, const strategy::Comback& store);
void search_with(SearchContext& search, const strategy::Pseudoroot& store);
void search_with(SearchContext& search, const strategy::Compact& store);
void search_with(SearchContext& search, const strategy::Bitstate& store);

}  // namespace scrimp
