#include "run.h"

#include <new>
#include <utility>

#include "search/search.h"
#include "store/cleary_set.h"
#include "store/plain_set.h"
#include "store/tree_set.h"

namespace scrimp {

extern template void search_with<PlainSet>(Search&);
extern template void search_with<TreeSet>(Search&);
extern template void search_with<ClearySet>(Search&);

namespace {

void dispatch(Search& search) {
  switch (search.options.compress) {
    case Compress::none: return search_with<PlainSet>(search);
    case Compress::tree: return search_with<TreeSet>(search);
    case Compress::cleary: return search_with<ClearySet>(search);
  }
}

Outcome take_outcome(Search& search) {
  Outcome& outcome = search.outcome;
  if (outcome.reason == Reason::none) outcome.reason = search.observer.reason();
  outcome.counts = search.observer.counts;
  outcome.watches = search.expander.machine().watches;
  outcome.fired = search.observer.fired_events();
  outcome.misfit = search.observer.first_misfit();
  return std::move(outcome);
}

}  // namespace

Outcome run(const Machine& machine, const Options& options, Signals& signals) noexcept {
  try {
    Search search(machine, options, signals);
    try {
      dispatch(search);
    } catch (const std::bad_alloc&) {
      search.observer.end(Reason::memory);
    }
    return take_outcome(search);
  } catch (const std::bad_alloc&) {
    Outcome outcome;
    outcome.reason = Reason::memory;
    return outcome;
  }
}

}  // namespace scrimp
