#include "search/with_numbers.h"
#include "search/with_reductions.h"
#include "store/coded_set.h"

namespace scrimp {

template <>
NumberedCodedSet make_set<NumberedCodedSet>(const Search& search, Budget& table) {
  return NumberedCodedSet(search.expander.machine(), state_code(search.options), table);
}

void number_records(Search& search) {
  if (!search.options.cache) return search_in_order<NumberedCodedSet, 0>(search);
  if (search.options.compress != Compress::none) return cached_depth_first<CodedCacheSet, 0, true>(search);
  cached_depth_first<CacheSet<0>, 0, true>(search);
}

}  // namespace scrimp
