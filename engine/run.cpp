#include "run.h"

#include <algorithm>
#include <new>
#include <utility>
#include <variant>

#include "search/stores/stores.h"

namespace scrimp {

namespace {

Outcome take_outcome(SearchContext& search) {
  Outcome& outcome = search.outcome;
  if (outcome.reason == Reason::none) outcome.reason = search.observer.reason();
  outcome.held_peak = std::max(outcome.held_peak, search.budget.peak());
  outcome.counts = search.observer.counts;
  outcome.watches = search.expander.machine().watches;
  outcome.fired = search.observer.fired_events();
  outcome.misfit = search.observer.first_misfit();
  return std::move(outcome);
}

}  // namespace

Outcome run(const Machine& machine, const Options& options, Signals& signals) noexcept {
  try {
    SearchContext search(machine, options, signals);
    try {
      std::visit([&](const auto& store) { search_with(search, store); }, options.method.store);
      if (search.transcript && !search.transcript->hand_over()) search.observer.end(Reason::disk);
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
