// Functions that put a loop and a set of states together, run the loop and report on it. A set is constructed for the
// machine, with the parameters that it needs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "search/breadth_first/breadth_first.h"
#include "search/depth_first/depth_first.h"
#include "search/depth_first/path_witness.h"
#include "search/depth_first/selective_depth_first.h"
#include "search/listeners/auditing.h"
#include "search/listeners/transcribing.h"
#include "search/stores/context.h"

namespace scrimp {

/// What to do with a set of states when the search has ended: usually nothing.
struct Nothing {
  template <class Set>
  void operator()(const Set&) const {}
};

/// A listener that writes edges, or one that does nothing.
template <class Listener>
Listener transcribing(SearchContext& search) {
  if constexpr (std::is_same_v<Listener, Silent>)
    return {};
  else
    return Listener(*search.transcript, search.observer, search.budget);
}

template <class Set>
void report_states(const Set& set, Report& report) {
  report.set("state_bytes", set.state_bytes());
  if constexpr (requires { set.expected_omissions(); }) report.set("expected_omissions", set.expected_omissions());
}

template <class Set>
std::uint64_t stored_peak(const Set& set) {
  if constexpr (ForgettingSet<Set>)
    return set.stored_peak();
  else
    return set.size();
}

/// While a search runs: what its table holds, what limits it, and whatever the set has to say.
template <class Set>
void describe_parts(const SearchContext& search, const Budget& table, const Set& set, Report& report) {
  report.set("limit", search.budget.limit());
  report.set("bytes.table", table.held());
  report.set("stored", set.size());
  report.set("state_bytes", set.state_bytes());
  if constexpr (requires { set.describe(report); }) set.describe(report);
}

/// Whatever was found before memory or disk ran out counts.
template <class Loop>
void run_in_levels(Loop& loop, Observer& observer) {
  try {
    loop.run();
  } catch (const std::bad_alloc&) {
    observer.end(Reason::memory);
    loop.conclude();
  } catch (const DiskFailure&) {
    observer.end(Reason::disk);
    loop.conclude();
  }
}

/// The reduction of a search whose order has no path; null if it leaves nothing out.
std::unique_ptr<const Reducing> reducing(SearchContext& search);

/// If the set has an annotation, that is the number of a state, and transitions are written.
template <StateSet Set, std::uint32_t fixed_words, class Finish, class... Parameters>
void breadth_first(SearchContext& search, Finish finish, const Parameters&... parameters) {
  using Listener = std::conditional_t<is_annotated<Set>, BlockTranscript, Silent>;
  Levels levels(search.budget, search.machine(), search.level_log());
  std::optional<BreadthFirstCheckpoint> checkpoint;
  if (search.checkpoints) checkpoint.emplace(*search.checkpoints, levels, search.observer);
  std::optional<Handover> handover;
  if (search.options.handover)
    handover.emplace(*search.options.handover, search.options.threads, levels, search.observer, search.machine(),
                     search.budget);
  search.observer.attach(levels);
  const std::unique_ptr<const Reducing> reduction = reducing(search);
  {
    Budget table(Budget::PartOf{search.budget});
    Set set(search.machine(), parameters..., table);
    auto listener = transcribing<Listener>(search);
    BreadthFirst<Set, fixed_words, Listener> loop(
        search.expander, set, levels, search.observer, search.budget, listener,
        is_annotated<Set> ? search.writer() : nullptr,
        {search.options.audit ? 1 : search.options.threads, search.options.worth_sharing, search.options.shuffle_seed,
         reduction.get()},
        checkpoint ? &*checkpoint : nullptr, handover ? &*handover : nullptr);
    const Describing describing(search.observer, [&](Report& report) {
      describe_parts(search, table, set, report);
      report.set("bytes.frontier", loop.queue_bytes());
      report.set("bytes.blocks", loop.block_bytes() + levels.bytes());
      levels.describe(report);
    });
    run_in_levels(loop, search.observer);
    search.outcome.seconds = search.observer.seconds() + (handover ? handover->seconds() : 0);
    search.outcome.handover = handover ? handover->end() : HandoverEnd::none;
    Report& report = search.outcome.report;
    report.set("bytes.table", table.peak());
    report.set("bytes.frontier", loop.queue_peak_bytes());
    report.set("bytes.blocks", loop.block_bytes() + levels.bytes());
    report_states(set, report);
    finish(set);
  }
  if (reduction) {
    search.outcome.report.set("reduction.looked_at", reduction->looked_at);
    if (reduction->flaw) search.outcome.complaint = *reduction->flaw;
  }
  search.find_paths(levels);
}

/// Sets are as for breadth_first.
template <StateSet Set, std::uint32_t fixed_words, class Finish, class... Parameters>
void depth_first(SearchContext& search, Finish finish, const Parameters&... parameters) {
  using Listener = std::conditional_t<is_annotated<Set>, PathTranscript, Silent>;
  Path<fixed_words> path(search.budget, search.expander);
  PathWitness<fixed_words> witness(search.budget, search.expander, path);
  search.observer.attach(witness);
  Budget table(Budget::PartOf{search.budget});
  Set set(search.machine(), parameters..., table);
  auto listener = transcribing<Listener>(search);
  std::optional<DepthFirstCheckpoint> checkpoint;
  if (search.checkpoints) checkpoint.emplace(*search.checkpoints, search.observer, witness.findings);
  DepthFirst<Set, fixed_words, Listener> loop(search.expander, set, path, search.observer, search.budget, listener,
                                              checkpoint ? &*checkpoint : nullptr);
  const Describing describing(search.observer, [&](Report& report) {
    describe_parts(search, table, set, report);
    report.set("bytes.path", path.bytes());
    report.set("bytes.blocks", loop.block_bytes());
  });
  loop.run();
  search.outcome.seconds = search.observer.seconds();
  Report& report = search.outcome.report;
  report.set("bytes.table", table.peak());
  report.set("bytes.path", path.peak_bytes());
  report.set("bytes.blocks", loop.block_bytes());
  report_states(set, report);
  finish(set);
  search.outcome.findings = std::move(witness.findings);
}

template <StateSet Set, std::uint32_t fixed_words, class Finish, class... Parameters>
void in_order(SearchContext& search, Finish finish, const Parameters&... parameters) {
  std::visit(Match{[&](strategy::BreadthFirst) { breadth_first<Set, fixed_words>(search, finish, parameters...); },
                   [&](strategy::DepthFirst) { depth_first<Set, fixed_words>(search, finish, parameters...); }},
             search.options.method.order);
}

inline NoSleep make_sleep(SearchContext&, NoSleep*) { return {}; }
inline PathSleep make_sleep(SearchContext& search, PathSleep*) {
  return {sleep_memory(search.options.method.reduction), *search.options.relations, search.observer, search.budget};
}

/// Depth-first, with a reduction or a set that may forget. If the set has an annotation, that is a SleepMark, or
/// the number of a state if `Writer` writes transitions.
template <StateSet Set, std::uint32_t fixed_words, class Sleep, class Writer, class... Parameters>
void selective_depth_first(SearchContext& search, bool forgets, const Parameters&... parameters) {
  using Listener = Both<SearchTally<fixed_words>, Writer>;
  const Reduction& reduction = search.options.method.reduction;
  Path<fixed_words> path(search.budget, search.expander);
  PathWitness<fixed_words> witness(search.budget, search.expander, path);
  search.observer.attach(witness);
  Budget table(Budget::PartOf{search.budget});
  Set set(search.machine(), parameters..., table);
  Sleep sleep = make_sleep(search, static_cast<Sleep*>(nullptr));
  Listener listener{SearchTally<fixed_words>(forgets), transcribing<Writer>(search)};
  SearchTally<fixed_words>& tally = listener.first;
  if (search.options.audit)
    tally.auditor.emplace(search.machine(), *search.options.relations, has_proviso(reduction), search.observer,
                          search.budget);
  SelectiveDepthFirst<Set, fixed_words, Sleep, Listener> loop(
      search.expander, set, path, search.observer, search.budget, sleep,
      leaves_out(reduction) ? make_selection(reduction, *search.options.relations) : nullptr, listener);
  const Describing describing(search.observer, [&](Report& report) {
    describe_parts(search, table, set, report);
    report.set("bytes.path", path.bytes() + loop.frame_bytes());
    report.set("bytes.blocks", loop.block_bytes());
    report.set("bytes.sleep sets", sleep.bytes());
  });
  loop.run();
  search.outcome.seconds = search.observer.seconds();
  Report& report = search.outcome.report;
  report.set("bytes.table", table.peak());
  report.set("bytes.path", path.peak_bytes() + loop.frame_bytes());
  report.set("bytes.blocks", loop.block_bytes());
  report.set("bytes.sleep sets", sleep.bytes());
  report_states(set, report);
  report.set("stored_peak", stored_peak(set));
  report.set("distinct_states", tally.states(set.size()));
  search.outcome.complaint = tally.complaint();
  search.outcome.findings = std::move(witness.findings);
}

/// Whether some event may be left out by a search with a path, or whether it is audited. The local reduction needs a
/// local event, and sleep sets need two independent events; if there are none, it is no use to look for them in every
/// state.
bool may_reduce(const Options& options);

/// With a set that keeps every state.
template <StateSet Set, std::uint32_t fixed_words, class Sleep, class... Parameters>
void reduce(SearchContext& search, const Parameters&... parameters) {
  selective_depth_first<Set, fixed_words, Sleep, Silent>(search, false, parameters...);
}

}  // namespace scrimp
