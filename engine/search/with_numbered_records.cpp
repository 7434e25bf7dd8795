#include "search/with_numbers.h"
#include "search/with_reductions.h"
#include "store/coded_set.h"

namespace scrimp {

template <>
NumberedCodedSet make_set<NumberedCodedSet>(const Search& search, Budget& table) {
  return NumberedCodedSet(search.expander.machine(), state_code(search.options), table);
}

void number_records(Search& search) {
  if (std::holds_alternative<strategy::Full>(search.options.method.store))
    return search_in_order<NumberedCodedSet, 0>(search);
  if (coding(search.options.method.store) != Coding::none) return cached_depth_first<CodedCacheSet, 0, true>(search);
  cached_depth_first<CacheSet<0>, 0, true>(search);
}

}  // namespace scrimp
