#include "search/search.h"
#include "store/numbered_set.h"

namespace scrimp {

/// States of any number of words: to write an LTS takes longer than what that saves.
void transcribe(Search& search) { search_in_order<NumberedSet<0>, 0>(search); }

}  // namespace scrimp
