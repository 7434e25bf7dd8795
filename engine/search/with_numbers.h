// Searches that write an LTS: every state has a number. They are compiled for states of any number of words, because to
// write takes longer than what anything else would save.
#pragma once

#include "search/search.h"

namespace scrimp {

/// States as they are, or in a tree.
void number_states(Search& search);

/// Records of states, coded or not, that may be forgotten or not.
void number_records(Search& search);

}  // namespace scrimp
