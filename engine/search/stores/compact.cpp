#include "search/stores/loops.h"
#include "search/stores/stores.h"
#include "store/compact_set.h"

namespace scrimp {

void search_with(SearchContext& search, const strategy::Compact& store) {
  if (may_reduce(search.options)) return reduce<CompactSet<0>, 0>(search, store);
  with_words<1>(search.machine().words,
                [&]<std::uint32_t words>() { in_order<CompactSet<words>, words>(search, Nothing{}, store); });
}

}  // namespace scrimp
