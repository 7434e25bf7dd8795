#include "search/stores/full.h"
#include "search/stores/loops.h"
#include "store/tree_set.h"

namespace scrimp {

void keep_tree(SearchContext& search) {
  if (search.machine().words == 1) return keep_plain(search);
  with_words<2, 3>(search.machine().words,
                   [&]<std::uint32_t words>() { in_order<TreeSet<words>, words>(search, Nothing{}); });
}

}  // namespace scrimp
