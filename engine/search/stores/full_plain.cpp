#include "search/stores/full.h"
#include "search/stores/loops.h"
#include "store/plain_set.h"

namespace scrimp {

void keep_plain(SearchContext& search) {
  with_words<1, 2, 3>(search.machine().words,
                      [&]<std::uint32_t words>() { in_order<PlainSet<words>, words>(search, Nothing{}); });
}

}  // namespace scrimp
