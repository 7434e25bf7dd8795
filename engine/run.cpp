#include "run.h"

#include <new>
#include <utility>

#include "search/breadth_first.h"
#include "search/depth_first.h"
#include "search/path_witness.h"
#include "store/plain_set.h"

namespace scrimp {

namespace {

/// An interrupted search still looks for the paths to what it found, but not for longer than a user would wait.
constexpr double patience_seconds = 0.5;

/// What every search has, whatever its order and store.
struct Run {
  Run(const Machine& machine, const Options& run_options, Signals& signals)
      : options(run_options),
        budget(options.budget),
        expander(machine, options.shuffle_seed),
        observer(machine, options.question, options.limits, signals) {}

  const Options& options;
  Budget budget;
  Expander expander;
  Observer observer;
  Outcome outcome;
};

template <StateSet Set, std::uint32_t fixed_words>
void breadth_first(Run& run) {
  Levels levels(run.budget, run.expander.machine(), run.options.question.wants_paths());
  run.observer.attach(levels);
  {
    Set set(run.expander.machine(), run.budget);
    BreadthFirst<Set, fixed_words> search(run.expander, set, levels, run.observer, run.budget);
    search.run();
    run.outcome.seconds = run.observer.seconds();
    run.outcome.bytes_peak = {{"table", set.bytes()},
                              {"frontier", search.queue_peak_bytes()},
                              {"blocks", search.block_bytes() + levels.bytes()}};
    run.outcome.state_bytes = set.state_bytes();
  }
  run.outcome.levels = levels.counts();
  const double deadline = run.observer.seconds() + patience_seconds;
  const bool hurried = run.observer.reason() == Reason::interrupt;
  run.outcome.findings = levels.findings(run.expander, [&] { return hurried && run.observer.seconds() > deadline; });
}

template <StateSet Set, std::uint32_t fixed_words>
void depth_first(Run& run) {
  Path path(run.budget, run.expander.machine().words);
  PathWitness witness(run.expander, path);
  run.observer.attach(witness);
  Set set(run.expander.machine(), run.budget);
  DepthFirst<Set, fixed_words> search(run.expander, set, path, run.observer, run.budget);
  search.run();
  run.outcome.seconds = run.observer.seconds();
  run.outcome.bytes_peak = {{"table", set.bytes()}, {"path", path.peak_bytes()}, {"blocks", search.block_bytes()}};
  run.outcome.state_bytes = set.state_bytes();
  run.outcome.findings = std::move(witness.findings);
}

template <StateSet Set, std::uint32_t fixed_words>
void search(Run& run) {
  switch (run.options.order) {
    case Order::breadth_first: return breadth_first<Set, fixed_words>(run);
    case Order::depth_first: return depth_first<Set, fixed_words>(run);
  }
}

template <template <std::uint32_t> class Set>
void search_words(Run& run) {
  switch (run.expander.machine().words) {
    case 1: return search<Set<1>, 1>(run);
    case 2: return search<Set<2>, 2>(run);
    default: return search<Set<0>, 0>(run);
  }
}

void search_store(Run& run) {
  switch (run.options.compress) {
    case Compress::none: return search_words<PlainSet>(run);
    case Compress::tree: return search_words<PlainSet>(run);
    case Compress::cleary: return search_words<PlainSet>(run);
  }
}

}  // namespace

Outcome run(const Machine& machine, const Options& options, Signals& signals) noexcept {
  try {
    Run run(machine, options, signals);
    try {
      search_store(run);
    } catch (const std::bad_alloc&) {
      run.observer.end(Reason::memory);
    }
    Outcome& outcome = run.outcome;
    outcome.reason = run.observer.reason();
    outcome.counts = run.observer.counts;
    outcome.watches = machine.watches;
    outcome.fired = run.observer.fired_events();
    outcome.misfit = run.observer.first_misfit();
    return std::move(outcome);
  } catch (const std::bad_alloc&) {
    Outcome outcome;
    outcome.reason = Reason::memory;
    return outcome;
  }
}

}  // namespace scrimp
