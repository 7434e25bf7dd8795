#include "search/stores/full.h"
#include "search/stores/loops.h"
#include "store/plain_set.h"

namespace scrimp {

void reduce_plain(SearchContext& search) {
  const bool stores_marks = sleep_memory(search.options.method.reduction) == SleepMemory::stored;
  with_words<1, 2>(search.machine().words, [&]<std::uint32_t words>() {
    stores_marks ? reduce<PlainSet<words, SleepMark>, words>(search) : reduce<PlainSet<words>, words>(search);
  });
}

}  // namespace scrimp
