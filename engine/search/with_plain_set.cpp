#include "search/search.h"
#include "store/plain_set.h"

namespace scrimp {

template void search_with<PlainSet>(Search&);

}  // namespace scrimp
