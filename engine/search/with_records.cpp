#include "search/with_reductions.h"

namespace scrimp {

void search_with_records(Search& search) {
  const bool is_coded = search.options.compress != Compress::none;
  if (is_coded) return cached_depth_first<CodedCacheSet, 0>(search);
  switch (search.expander.machine().words) {
    case 1: return cached_depth_first<CacheSet<1>, 1>(search);
    case 2: return cached_depth_first<CacheSet<2>, 2>(search);
    case 3: return cached_depth_first<CacheSet<3>, 3>(search);
    default: return cached_depth_first<CacheSet<0>, 0>(search);
  }
}

}  // namespace scrimp
