#include "search/with_pseudoroot.h"

#include <optional>

#include "search/pseudoroot_search.h"
#include "search/with_numbers.h"

namespace scrimp {

void search_with_pseudoroot(Search& search) {
  std::optional<EdgeCounters> counters;
  if (const PseudoRoot& options = *search.options.pseudoroot; options.source == PseudoRoot::Source::counted) {
    counters.emplace(options.counting, search.budget);
    if (!counters->has_room()) return search.observer.end(Reason::memory);
    search.outcome.report.set("bytes.counters", counters->bytes());
    if (!count_edges(search, *counters)) return;
  }
  const EdgeCounters* const filled = counters ? &*counters : nullptr;
  if (search.transcript) return number_pseudoroots(search, filled);
  switch (search.expander.machine().words) {
    case 1: return PseudoRootSearch<1>(search, filled).run();
    case 2: return PseudoRootSearch<2>(search, filled).run();
    default: return PseudoRootSearch<0>(search, filled).run();
  }
}

}  // namespace scrimp
