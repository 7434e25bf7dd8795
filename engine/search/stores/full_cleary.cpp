#include "search/stores/full.h"
#include "search/stores/loops.h"
#include "store/cleary_set.h"

namespace scrimp {

void keep_cleary(SearchContext& search) {
  with_words<1, 2, 3>(search.machine().words,
                      [&]<std::uint32_t words>() { in_order<ClearySet<words>, words>(search, Nothing{}); });
}

void reduce_cleary(SearchContext& search) {
  if (sleep_memory(search.options.method.reduction) != SleepMemory::none)
    return reduce<ClearySet<0>, 0, PathSleep>(search);
  with_words<1, 2>(search.machine().words,
                   [&]<std::uint32_t words>() { reduce<ClearySet<words>, words, NoSleep>(search); });
}

}  // namespace scrimp
