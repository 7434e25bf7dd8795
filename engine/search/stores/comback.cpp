#include <new>
#include <utility>
#include <variant>

#include "search/comback/breadth_first.h"
#include "search/comback/depth_first.h"
#include "search/depth_first/path_witness.h"
#include "search/stores/stores.h"

namespace scrimp {

namespace {

/// If the budget is too small even for rebuilding states, the search ends for lack of memory.
template <class Loop>
void run_to_the_end(SearchContext& search, Loop& loop) {
  try {
    loop.run();
  } catch (const std::bad_alloc&) {
    search.observer.end(Reason::memory);
  } catch (const Stopped&) {
  }
}

/// Of a search that runs as well: the tables only grow, so that their peaks are what they hold.
void report_states(const ComBackStates& states, Report& report) {
  report.set("state_bytes", states.state_bytes());
  report.set("bytes.table", states.table_peak());
  report.set("bytes.backedges", states.backedge_peak());
  report.set("bytes.descriptors", states.cache_peak());
}

void comback_breadth_first(SearchContext& search, const strategy::Comback& options) {
  Levels levels(search.budget, search.machine(), false);
  BackedgeWitness witness;
  search.observer.attach(witness);
  const bool new_are_at_hand = options.queue == strategy::Comback::Queue::states && options.mode == Mode::exact;
  ComBackStates states(search.machine(), options, new_are_at_hand, search.budget);
  {
    ComBackBreadthFirst loop(search.expander, states, levels, witness, search.observer, search.budget, options,
                             search.writer());
    const Describing describing(search.observer, [&](Report& report) {
      report_states(states, report);
      report.set("bytes.blocks", loop.block_bytes() + levels.bytes());
      levels.describe(report);
    });
    run_to_the_end(search, loop);
    search.outcome.seconds = search.observer.seconds();
    report_states(states, search.outcome.report);
    loop.reconstructions().report_to(search.outcome.report);
    search.outcome.report.set("bytes.frontier", loop.queue_peak_bytes());
    search.outcome.report.set("bytes.candidates", loop.candidate_peak_bytes());
    search.outcome.report.set("bytes.blocks", loop.block_bytes() + levels.bytes());
  }
  search.outcome.findings = witness.findings(search.expander, states.backedges(), search.patience());
  search.outcome.levels = levels.take_counts();
}

void comback_depth_first(SearchContext& search, const strategy::Comback& options) {
  Path<0> path(search.budget, search.expander);
  PathWitness<0> witness(search.budget, search.expander, path);
  search.observer.attach(witness);
  ComBackStates states(search.machine(), options, false, search.budget);
  ComBackDepthFirst loop(search.expander, states, path, search.observer, search.budget, options, search.writer());
  const Describing describing(search.observer, [&](Report& report) {
    report_states(states, report);
    report.set("bytes.path", path.bytes() + loop.path_bytes());
    report.set("bytes.blocks", loop.block_bytes());
  });
  run_to_the_end(search, loop);
  search.outcome.seconds = search.observer.seconds();
  report_states(states, search.outcome.report);
  loop.reconstructions().report_to(search.outcome.report);
  search.outcome.report.set("bytes.path", path.peak_bytes() + loop.path_bytes());
  search.outcome.report.set("bytes.candidates", loop.candidate_peak_bytes());
  search.outcome.report.set("bytes.blocks", loop.block_bytes());
  search.outcome.findings = std::move(witness.findings);
}

}  // namespace

void search_with(SearchContext& search, const strategy::Comback& store) {
  const strategy::Comback options = planned(store, search.options.budget);
  std::visit(Match{[&](strategy::BreadthFirst) { comback_breadth_first(search, options); },
                   [&](strategy::DepthFirst) { comback_depth_first(search, options); }},
             search.options.method.order);
}

}  // namespace scrimp
