#include "search/with_reductions.h"

namespace scrimp {

template void reduce_with<UnmarkedPlainSet>(Search&);
template void reduce_with<MarkedPlainSet>(Search&);

}  // namespace scrimp
