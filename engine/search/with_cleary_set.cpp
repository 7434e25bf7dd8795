#include "search/search.h"
#include "store/cleary_set.h"

namespace scrimp {

template void search_with<ClearySet>(Search&);

}  // namespace scrimp
