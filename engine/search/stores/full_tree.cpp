#include "search/stores/full.h"
#include "search/stores/loops.h"
#include "store/tree_set.h"

namespace scrimp {

void keep_tree(SearchContext& search) {
  if (search.machine().words == 1) return keep_plain(search);
  with_words<2, 3>(search.machine().words,
                   [&]<std::uint32_t words>() { in_order<TreeSet<words>, words>(search, Nothing{}); });
}

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

void number_tree(SearchContext& search) {
  if (search.machine().words == 1) return number_plain(search);
  in_order<TreeSet<0, StateNumber>, 0>(search, Nothing{});
}

}  // namespace scrimp
