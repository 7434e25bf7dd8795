#include "search/with_reductions.h"

namespace scrimp {

template void reduce_with<UnmarkedTreeSet>(Search&);
template void reduce_with<MarkedTreeSet>(Search&);

}  // namespace scrimp
