#include "search/stores/loops.h"
#include "search/stores/stores.h"
#include "store/compact_set.h"

namespace scrimp {

void search_with(SearchContext& search, const strategy::Compact& store) {
  if (may_reduce(search.options))
    return sleep_memory(search.options.method.reduction) == SleepMemory::none
               ? reduce<CompactSet<0>, 0, NoSleep>(search, store)
               : reduce<CompactSet<0>, 0, PathSleep>(search, store);
  with_words<1>(search.machine().words,
                [&]<std::uint32_t words>() { in_order<CompactSet<words>, words>(search, Nothing{}, store); });
}

}  // namespace scrimp
