#include "search/stores/full.h"
#include "search/stores/loops.h"
#include "store/cleary_set.h"

namespace scrimp {

void keep_cleary(SearchContext& search) {
  with_words<1, 2, 3>(search.machine().words,
                      [&]<std::uint32_t words>() { in_order<ClearySet<words>, words>(search, Nothing{}); });
}

}  // namespace scrimp
