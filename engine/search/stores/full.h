// Searches that keep every state. Loops over the same kind of set are compiled together.
#pragma once

#include "search/stores/context.h"

namespace scrimp {

/// Nothing is left out. A tree of a single word is the word itself, which a plain set keeps.
void keep_plain(SearchContext& search);
void keep_tree(SearchContext& search);
void keep_cleary(SearchContext& search);

/// With a reduction. Sleep sets that are not stored are those of the papers as printed: they are compiled for states of
/// any number of words only.
void reduce_plain(SearchContext& search);
void reduce_tree(SearchContext& search);
void reduce_cleary(SearchContext& search);

/// With states that are coded one by one.
void keep_coded(SearchContext& search, const strategy::Full& store);

/// Writes an LTS: every state has a number. Compiled for states of any number of words only: writing takes far longer
/// than a fixed number of words would save.
void number_plain(SearchContext& search);
void number_tree(SearchContext& search);
void number_cleary(SearchContext& search);

}  // namespace scrimp
