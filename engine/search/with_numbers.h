// Searches that write an LTS: every state has a number. They are compiled for states of any number of words, because to
// write takes longer than what anything else would save.
#pragma once

#include "search/search.h"
#include "store/pseudoroot/edge_counters.h"

namespace scrimp {

/// States as they are, in a tree, or in a quotiented table.
void number_states(Search& search);

/// Entries of a quotiented table, once all are there.
void number_entries(Search& search);

/// Records of states, coded or not, that may be forgotten or not.
void number_records(Search& search);

/// States to which something may still lead.
void number_pseudoroots(Search& search, const EdgeCounters* counters);

}  // namespace scrimp
