#include "search/with_comback.h"

#include <new>
#include <utility>

#include "search/comback_breadth_first.h"
#include "search/comback_depth_first.h"

namespace scrimp {

namespace {

/// Where the budget does not even hold what is needed to rebuild states, that is how the search ends.
template <class Loop>
void run_to_the_end(Search& search, Loop& loop) {
  try {
    loop.run();
  } catch (const std::bad_alloc&) {
    search.observer.end(Reason::memory);
  } catch (const Stopped&) {
  }
}

/// Says when to give up looking for paths. Once asked to stop a search goes on for a moment, in which most are found,
/// but not for longer than a user would wait.
auto patience(const Search& search) {
  constexpr double patience_seconds = 0.5;
  return [&search, deadline = 0.0]() mutable {
    if (!search.observer.stop_requested()) return false;
    if (deadline == 0) deadline = search.observer.seconds() + patience_seconds;
    return search.observer.seconds() > deadline;
  };
}

void note_states(Search& search, const ComBackStates& states) {
  search.outcome.seconds = search.observer.seconds();
  search.outcome.report.set("state_bytes", states.state_bytes());
  search.outcome.report.set("bytes.table", states.table_peak());
  search.outcome.report.set("bytes.backedges", states.backedge_peak());
  search.outcome.report.set("bytes.descriptors", states.cache_peak());
}

void comback_breadth_first(Search& search, const ComBack& options) {
  Levels levels(search.budget, search.expander.machine(), false);
  BackedgeWitness witness;
  search.observer.attach(witness);
  const bool new_are_at_hand = !options.queues_numbers && !options.as_printed;  // in the queue
  ComBackStates states(search.expander.machine(), options, new_are_at_hand, search.budget);
  {
    ComBackBreadthFirst loop(search.expander, states, levels, witness, search.observer, search.budget, options,
                             search.writer());
    run_to_the_end(search, loop);
    note_states(search, states);
    loop.reconstructions().tell(search.outcome.report);
    search.outcome.report.set("bytes.frontier", loop.queue_peak_bytes());
    search.outcome.report.set("bytes.candidates", loop.candidate_peak_bytes());
    search.outcome.report.set("bytes.blocks", loop.block_bytes() + levels.bytes());
  }
  search.outcome.findings = witness.findings(search.expander, states.backedges(), patience(search));
  search.outcome.levels = levels.take_counts();
}

void comback_depth_first(Search& search, const ComBack& options) {
  Path<0> path(search.budget, search.expander);
  PathWitness<0> witness(search.budget, search.expander, path);
  search.observer.attach(witness);
  ComBackStates states(search.expander.machine(), options, false, search.budget);
  ComBackDepthFirst loop(search.expander, states, path, search.observer, search.budget, options, search.writer());
  run_to_the_end(search, loop);
  note_states(search, states);
  loop.reconstructions().tell(search.outcome.report);
  search.outcome.report.set("bytes.path", path.peak_bytes() + loop.path_bytes());
  search.outcome.report.set("bytes.candidates", loop.candidate_peak_bytes());
  search.outcome.report.set("bytes.blocks", loop.block_bytes());
  search.outcome.findings = std::move(witness.findings);
}

}  // namespace

void search_with_comback(Search& search) {
  const ComBack options = planned(*search.options.comback, search.options.budget);
  switch (search.options.order) {
    case Order::breadth_first: return comback_breadth_first(search, options);
    case Order::depth_first: return comback_depth_first(search, options);
  }
}

}  // namespace scrimp
