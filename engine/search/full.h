// Searches that keep every state, one function for each group of loops, so that they are compiled side by side.
#pragma once

#include "search/search.h"

namespace scrimp {

/// Nothing is left out.
void keep_plain(Search& search);
void keep_tree(Search& search);
void keep_cleary(Search& search);

/// With a reduction.
void reduce_plain(Search& search);
void reduce_tree(Search& search);
void reduce_cleary(Search& search);

/// With states that are coded one by one.
void keep_coded(Search& search, const strategy::Full& store);

/// Writes an LTS: every state has a number. Compiled for states of any number of words, because to write takes longer
/// than what anything else would save.
void number_plain(Search& search);
void number_tree(Search& search);
void number_cleary(Search& search);

}  // namespace scrimp
