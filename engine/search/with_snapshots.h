// Searches with snapshots of levels.
#pragma once

#include "search/search.h"

namespace scrimp {

void search_with_snapshots(Search& search);

}  // namespace scrimp
