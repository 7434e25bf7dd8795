#include "search/pseudoroot_search.h"
#include "search/with_numbers.h"

namespace scrimp {

void number_pseudoroots(Search& search, const EdgeCounters* counters) {
  PseudoRootSearch<0, true>(search, counters).run();
}

}  // namespace scrimp
