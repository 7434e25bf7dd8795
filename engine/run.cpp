#include "run.h"

#include <algorithm>
#include <new>
#include <utility>
#include <variant>
#include <vector>

#include "reduction/sleep_sets.h"
#include "search/search.h"
#include "search/with_comback.h"
#include "search/with_numbers.h"
#include "search/with_pseudoroot.h"
#include "search/with_reductions.h"
#include "search/with_snapshots.h"
#include "store/bitstate_set.h"
#include "store/cleary_set.h"
#include "store/compact_set.h"
#include "store/plain_set.h"
#include "store/tree_set.h"

namespace scrimp {

extern template void search_with<PlainSet>(Search&);
extern template void search_with<TreeSet>(Search&);
extern template void search_with<ClearySet>(Search&);
extern template void search_with<CompactSet>(Search&);
extern template void search_with<BitstateSet>(Search&);
extern template void reduced_depth_first<UnmarkedSet<CompactSet<0>>, 0>(Search&);
extern template void reduced_depth_first<UnmarkedSet<BitstateSet<0>>, 0>(Search&);
extern template void reduce_with<UnmarkedPlainSet>(Search&);
extern template void reduce_with<UnmarkedTreeSet>(Search&);
extern template void reduce_with<UnmarkedClearySet>(Search&);
extern template void reduce_with<MarkedPlainSet>(Search&);
extern template void reduce_with<MarkedTreeSet>(Search&);

namespace {

void dispatch_reduced(Search& search, Compress compress) {
  const bool marked = sleeping(search.options.method.reduction) == Sleeping::stored;
  switch (compress) {
    case Compress::none: return marked ? reduce_with<MarkedPlainSet>(search) : reduce_with<UnmarkedPlainSet>(search);
    case Compress::tree: return marked ? reduce_with<MarkedTreeSet>(search) : reduce_with<UnmarkedTreeSet>(search);
    case Compress::cleary: return reduce_with<UnmarkedClearySet>(search);
    case Compress::huffman:
    case Compress::rle: return;
  }
}

/// Whether some event may be left out. The reduced search needs a local one, and sleep sets need two that are
/// independent; there is no use in asking in every state where there is none.
bool may_reduce(const Options& options) {
  const Reduction& reduction = options.method.reduction;
  if (options.audit) return true;
  if (sleeping(reduction) != Sleeping::none && are_any_independent(*options.relations)) return true;
  const ReductionPart* const selecting = selecting_part(reduction);
  if (selecting == nullptr) return false;
  const std::vector<std::uint8_t>& safe = options.relations->safe;
  return !std::holds_alternative<strategy::Local>(*selecting) || std::find(safe.begin(), safe.end(), 1) != safe.end();
}

void dispatch_full(Search& search, Compress compress) {
  const Options& options = search.options;
  if (compress == Compress::huffman || compress == Compress::rle)
    return options.scribe ? number_records(search) : search_with_records(search);
  if (options.scribe) return number_states(search);
  if (may_reduce(options)) return dispatch_reduced(search, compress);
  switch (compress) {
    case Compress::none: return search_with<PlainSet>(search);
    case Compress::tree: return search_with<TreeSet>(search);
    case Compress::cleary: return search_with<ClearySet>(search);
    case Compress::huffman:
    case Compress::rle: return;
  }
}

template <template <std::uint32_t> class Set>
void dispatch_inexact(Search& search) {
  may_reduce(search.options) ? reduced_depth_first<UnmarkedSet<Set<0>>, 0>(search) : search_with<Set>(search);
}

void dispatch(Search& search) {
  std::visit(Match{[&](const strategy::Full& full) { dispatch_full(search, full.compress); },
                   [&](const strategy::Cache&) {
                     search.options.scribe ? number_records(search) : search_with_records(search);
                   },
                   [&](const strategy::Snapshots&) { search_with_snapshots(search); },
                   [&](const strategy::Comback&) { search_with_comback(search); },
                   [&](const strategy::Pseudoroot&) { search_with_pseudoroot(search); },
                   [&](const strategy::Compact&) { dispatch_inexact<CompactSet>(search); },
                   [&](const strategy::Bitstate&) { dispatch_inexact<BitstateSet>(search); }},
             search.options.method.store);
}

Outcome take_outcome(Search& search) {
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
    Search search(machine, options, signals);
    try {
      dispatch(search);
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
