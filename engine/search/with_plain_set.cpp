#include "search/full.h"
#include "search/loops.h"
#include "store/plain_set.h"

namespace scrimp {

void keep_plain(Search& search) {
  with_words<4>(search.machine().words,
                [&]<std::uint32_t words>() { in_order<PlainSet<words>, words>(search, Nothing{}); });
}

}  // namespace scrimp
