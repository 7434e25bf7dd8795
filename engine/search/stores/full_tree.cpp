#include "search/stores/full.h"
#include "search/stores/loops.h"
#include "store/tree_set.h"

namespace scrimp {

void keep_tree(SearchContext& search) {
  with_words<4>(search.machine().words,
                [&]<std::uint32_t words>() { in_order<TreeSet<words>, words>(search, Nothing{}); });
}

}  // namespace scrimp
