#include "search/stores/loops.h"
#include "search/stores/stores.h"
#include "store/bitstate_set.h"

namespace scrimp {

void search_with(SearchContext& search, const strategy::Bitstate& store) {
  if (may_reduce(search.options))
    return sleep_memory(search.options.method.reduction) == SleepMemory::none
               ? reduce<BitstateSet<0>, 0, NoSleep>(search, store)
               : reduce<BitstateSet<0>, 0, PathSleep>(search, store);
  with_words<1>(search.machine().words,
                [&]<std::uint32_t words>() { in_order<BitstateSet<words>, words>(search, Nothing{}, store); });
}

}  // namespace scrimp
