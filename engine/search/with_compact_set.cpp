#include "search/with_reductions.h"
#include "store/compact_set.h"

namespace scrimp {

template void search_with<CompactSet>(Search&);
template void reduced_depth_first<UnmarkedSet<CompactSet<0>>, 0>(Search&);

}  // namespace scrimp
