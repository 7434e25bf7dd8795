#include "search/stores/full.h"
#include "search/stores/loops.h"
#include "store/plain_set.h"

namespace scrimp {

void reduce_plain(SearchContext& search) {
  const std::uint32_t words = search.machine().words;
  switch (sleep_memory(search.options.method.reduction)) {
    case SleepMemory::none:
      return with_words<1, 2>(words, [&]<std::uint32_t fixed>() { reduce<PlainSet<fixed>, fixed, NoSleep>(search); });
    case SleepMemory::stored:
      return with_words<1, 2>(
          words, [&]<std::uint32_t fixed>() { reduce<PlainSet<fixed, SleepMark>, fixed, PathSleep>(search); });
    case SleepMemory::on_path:
    case SleepMemory::unconditional: return reduce<PlainSet<0>, 0, PathSleep>(search);
  }
}

}  // namespace scrimp
