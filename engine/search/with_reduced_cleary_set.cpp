#include "search/full.h"
#include "search/loops.h"
#include "store/cleary_set.h"

namespace scrimp {

void reduce_cleary(Search& search) {
  with_words<3>(search.machine().words, [&]<std::uint32_t words>() { reduce<ClearySet<words>, words>(search); });
}

}  // namespace scrimp
