// One search: a loop, a store and what both work on, put together and taken apart again.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <utility>

#include "core/budget.h"
#include "run.h"
#include "search/breadth_first.h"
#include "search/depth_first.h"
#include "search/expander.h"
#include "search/levels.h"
#include "search/path_witness.h"
#include "search/selective_depth_first.h"

namespace scrimp {

/// What every search has, whatever its order and store.
struct Search {
  Search(const Machine& machine, const Options& search_options, Signals& search_signals)
      : options(search_options),
        signals(search_signals),
        budget(options.budget),
        expander(machine, options.shuffle_seed, budget),
        observer(machine, options.question, options.limits, signals) {
    if (options.scribe) transcript.emplace(options.scribe, machine, budget);
  }

  const Options& options;
  Signals& signals;
  Budget budget;
  Expander expander;
  Observer observer;
  std::optional<Transcript> transcript;
  Outcome outcome;

  Transcript* writer() { return transcript ? &*transcript : nullptr; }
};

/// Finds the paths to what a breadth-first search recorded. Once asked to stop it goes on for a moment, in which most
/// are found, but not for longer than a user would wait. Where the file of levels is damaged, that is how the search
/// ended.
inline void find_paths(Search& search, Levels& levels) {
  constexpr double patience_seconds = 0.5;
  double deadline = 0;
  const auto give_up = [&] {
    if (!search.observer.stop_requested()) return false;
    if (deadline == 0) deadline = search.observer.seconds() + patience_seconds;
    return search.observer.seconds() > deadline;
  };
  search.outcome.findings = levels.findings(search.expander, give_up);
  if (!levels.good()) search.outcome.reason = Reason::disk;
}

/// A set for the machine's states; most need to know no more than that.
template <class Set>
Set make_set(const Search& search, Budget& table) {
  const Machine& machine = search.expander.machine();
  if constexpr (std::constructible_from<Set, const Machine&, const Compaction&, Budget&>)
    return Set(machine, *search.options.compaction, table);
  else if constexpr (std::constructible_from<Set, const Machine&, const Bitstate&, Budget&>)
    return Set(machine, *search.options.bitstate, table);
  else
    return Set(machine, table);
}

template <class Set>
void tell_states(const Set& set, Report& report) {
  report.set("state_bytes", set.state_bytes());
  if constexpr (requires { set.expected_omissions(); }) report.set("expected_omissions", set.expected_omissions());
}

/// What is done with a set of states once the search is at its end: nothing, as a rule.
struct Nothing {
  template <class Set>
  void operator()(const Set&) const {}
};

/// Who writes transitions while states enter the set: nobody, where they have no numbers there.
template <StateSet Set>
Transcript* writer_beside(Search& search) {
  return requires(const Set& set) { set.numbers(); } ? search.writer() : nullptr;
}

template <StateSet Set, std::uint32_t fixed_words, class Finish = Nothing>
void breadth_first(Search& search, Finish finish = {}) {
  Levels levels(search.budget, search.expander.machine(), search.options.question.wants_paths());
  search.observer.attach(levels);
  {
    Budget table(Budget::PartOf{search.budget});
    Set set = make_set<Set>(search, table);
    BreadthFirst<Set, fixed_words> loop(search.expander, set, levels, search.observer, search.budget,
                                        writer_beside<Set>(search));
    loop.run();
    search.outcome.seconds = search.observer.seconds();
    search.outcome.report.set("bytes.table", table.peak());
    search.outcome.report.set("bytes.frontier", loop.queue_peak_bytes());
    search.outcome.report.set("bytes.blocks", loop.block_bytes() + levels.bytes());
    tell_states(set, search.outcome.report);
    finish(set);
  }
  find_paths(search, levels);
  search.outcome.levels = levels.take_counts();
}

template <StateSet Set, std::uint32_t fixed_words, class Finish = Nothing>
void depth_first(Search& search, Finish finish = {}) {
  Path<fixed_words> path(search.budget, search.expander);
  PathWitness<fixed_words> witness(search.budget, search.expander, path);
  search.observer.attach(witness);
  Budget table(Budget::PartOf{search.budget});
  Set set = make_set<Set>(search, table);
  DepthFirst<Set, fixed_words> loop(search.expander, set, path, search.observer, search.budget,
                                    writer_beside<Set>(search));
  loop.run();
  search.outcome.seconds = search.observer.seconds();
  search.outcome.report.set("bytes.table", table.peak());
  search.outcome.report.set("bytes.path", path.peak_bytes());
  search.outcome.report.set("bytes.blocks", loop.block_bytes());
  tell_states(set, search.outcome.report);
  finish(set);
  search.outcome.findings = std::move(witness.findings);
}

/// With a reduction, or with a store that may forget.
template <PathSet Set, std::uint32_t fixed_words, bool sleeps, bool numbered = false>
void selective_depth_first(Search& search, Set& set, const Budget& table) {
  Path<fixed_words> path(search.budget, search.expander);
  PathWitness<fixed_words> witness(search.budget, search.expander, path);
  search.observer.attach(witness);
  SelectiveDepthFirst<Set, fixed_words, sleeps, numbered> loop(search.expander, set, path, search.observer,
                                                               search.budget, search.options, search.writer());
  loop.run();
  search.outcome.seconds = search.observer.seconds();
  search.outcome.report.set("bytes.table", table.peak());
  search.outcome.report.set("bytes.path", path.peak_bytes() + loop.frame_bytes());
  search.outcome.report.set("bytes.blocks", loop.block_bytes());
  search.outcome.report.set("bytes.sleep sets", loop.sleep_set_bytes());
  tell_states(set, search.outcome.report);
  search.outcome.report.set("stored_peak", set.stored_peak());
  search.outcome.report.set("distinct_states", loop.distinct_states());
  search.outcome.complaint = loop.complaint();
  search.outcome.findings = std::move(witness.findings);
}

template <StateSet Set, std::uint32_t fixed_words, class Finish = Nothing>
void search_in_order(Search& search, Finish finish = {}) {
  switch (search.options.order) {
    case Order::breadth_first: return breadth_first<Set, fixed_words>(search, finish);
    case Order::depth_first: return depth_first<Set, fixed_words>(search, finish);
  }
}

/// Instantiated once per store, each in a file of its own (search/with_*.cpp).
template <template <std::uint32_t> class Set>
void search_with(Search& search) {
  switch (search.expander.machine().words) {
    case 1: return search_in_order<Set<1>, 1>(search);
    case 2: return search_in_order<Set<2>, 2>(search);
    case 3: return search_in_order<Set<3>, 3>(search);
    case 4: return search_in_order<Set<4>, 4>(search);
    default: return search_in_order<Set<0>, 0>(search);
  }
}

}  // namespace scrimp
