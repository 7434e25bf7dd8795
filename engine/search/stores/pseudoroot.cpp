#include <optional>

#include "search/pseudoroot/search.h"
#include "search/stores/stores.h"

namespace scrimp {

void search_with(SearchContext& search, const strategy::Pseudoroot& store) {
  std::optional<EdgeCounters> counters;
  if (store.source == strategy::Pseudoroot::Source::counted) {
    counters.emplace(store, search.budget);
    if (!counters->has_room()) return search.observer.end(Reason::memory);
    search.outcome.report.set("bytes.counters", counters->bytes());
    if (!count_edges(search, store, *counters)) return;
  }
  const EdgeCounters* const filled = counters ? &*counters : nullptr;
  if (search.transcript) return PseudoRootSearch<0, StateNumber>(search, store, filled).run();
  PseudoRootSearch<0>(search, store, filled).run();
}

}  // namespace scrimp
