#include "search/search.h"
#include "store/tree_set.h"

namespace scrimp {

template void search_with<TreeSet>(Search&);

}  // namespace scrimp
