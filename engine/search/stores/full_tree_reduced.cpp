#include "search/stores/full.h"
#include "search/stores/loops.h"
#include "store/tree_set.h"

namespace scrimp {

void reduce_tree(SearchContext& search) {
  const std::uint32_t words = search.machine().words;
  if (words == 1) return reduce_plain(search);
  switch (sleep_memory(search.options.method.reduction)) {
    case SleepMemory::none:
      return with_words<2>(words, [&]<std::uint32_t fixed>() { reduce<TreeSet<fixed>, fixed, NoSleep>(search); });
    case SleepMemory::stored:
      return with_words<2>(words,
                           [&]<std::uint32_t fixed>() { reduce<TreeSet<fixed, SleepMark>, fixed, PathSleep>(search); });
    case SleepMemory::on_path:
    case SleepMemory::unconditional: return reduce<TreeSet<0>, 0, PathSleep>(search);
  }
}

}  // namespace scrimp
