#include "search/full.h"
#include "search/loops.h"
#include "store/plain_set.h"

namespace scrimp {

void reduce_plain(Search& search) {
  const bool stores_marks = sleeping(search.options.method.reduction) == Sleeping::stored;
  with_words<3>(search.machine().words, [&]<std::uint32_t words>() {
    stores_marks ? reduce<PlainSet<words, SleepMark>, words>(search) : reduce<PlainSet<words>, words>(search);
  });
}

}  // namespace scrimp
