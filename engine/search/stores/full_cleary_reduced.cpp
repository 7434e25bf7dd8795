#include "search/stores/full.h"
#include "search/stores/loops.h"
#include "store/cleary_set.h"

namespace scrimp {

void reduce_cleary(SearchContext& search) {
  with_words<1, 2>(search.machine().words, [&]<std::uint32_t words>() { reduce<ClearySet<words>, words>(search); });
}

}  // namespace scrimp
