#include "search/with_reductions.h"

namespace scrimp {

void search_with_cache(Search& search) {
  switch (search.expander.machine().words) {
    case 1: return cached_depth_first<1>(search);
    case 2: return cached_depth_first<2>(search);
    case 3: return cached_depth_first<3>(search);
    default: return cached_depth_first<0>(search);
  }
}

}  // namespace scrimp
