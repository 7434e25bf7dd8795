#include "search/with_reductions.h"
#include "store/coded_set.h"

namespace scrimp {

template <>
CodedSet make_set<CodedSet>(const Search& search, Budget& table) {
  return CodedSet(search.expander.machine(), state_code(search.options), table);
}

void search_with_records(Search& search) {
  const Options& options = search.options;
  const bool is_coded = coding(options.method.store) != Coding::none;
  if (is_coded && std::holds_alternative<strategy::Full>(options.method.store) && !options.audit &&
      !leaves_out(options.method.reduction))
    return search_in_order<CodedSet, 0>(search);
  if (is_coded) return cached_depth_first<CodedCacheSet, 0>(search);
  switch (search.expander.machine().words) {
    case 1: return cached_depth_first<CacheSet<1>, 1>(search);
    case 2: return cached_depth_first<CacheSet<2>, 2>(search);
    case 3: return cached_depth_first<CacheSet<3>, 3>(search);
    default: return cached_depth_first<CacheSet<0>, 0>(search);
  }
}

}  // namespace scrimp
