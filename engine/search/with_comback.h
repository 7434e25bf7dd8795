// Searches with the ComBack method.
#pragma once

#include "search/search.h"

namespace scrimp {

void search_with_comback(Search& search);

}  // namespace scrimp
