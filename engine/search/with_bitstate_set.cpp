#include "search/with_reductions.h"
#include "store/bitstate_set.h"

namespace scrimp {

template void search_with<BitstateSet>(Search&);
template void reduced_depth_first<UnmarkedSet<BitstateSet<0>>, 0>(Search&);

}  // namespace scrimp
