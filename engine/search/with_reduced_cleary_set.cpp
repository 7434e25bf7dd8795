#include "search/with_reductions.h"

namespace scrimp {

template void reduce_with<UnmarkedClearySet>(Search&);

}  // namespace scrimp
