// A search for an accepted run of the product of a machine and an automaton.
#pragma once

#include "search/liveness/product.h"
#include "search/stores/context.h"

namespace scrimp {

/// `search` is one of the product's machine; its store is `full`. With `compress=cleary`, which has room for two bits
/// beside a state, the search is nested; otherwise it is for components.
void search_lassos(SearchContext& search, const Product& product);

}  // namespace scrimp
