#include "search/stores/full.h"
#include "search/stores/loops.h"
#include "store/tree_set.h"

namespace scrimp {

void reduce_tree(SearchContext& search) {
  if (search.machine().words == 1) return reduce_plain(search);
  const bool stores_marks = sleep_memory(search.options.method.reduction) == SleepMemory::stored;
  with_words<2>(search.machine().words, [&]<std::uint32_t words>() {
    stores_marks ? reduce<TreeSet<words, SleepMark>, words>(search) : reduce<TreeSet<words>, words>(search);
  });
}

}  // namespace scrimp
