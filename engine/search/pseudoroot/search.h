// A search with reference counts, and how it continues when there is no room.
//
//   1. If edges are to be counted, count them: a complete search of its own.
//   2. Breadth-first: search/pseudoroot/exploration.h, until it is done or there is no room for a state.
//   3. In that case explored states were discarded. Each pending state is the root of a depth-first search that holds
//      its path (PY97, section 3.3, corrected): pending states and the path stay, explored states serve as a cache.
//   4. If pending states and the path leave no room, forget everything and start a depth-first search from the initial
//      state: it needs room for its path only.
//   Depth-first from the start is step 4 alone, with more room.
//
// A state that is met is skipped only if it is stored: then it is pending, on the path, or explored, and in each case
// its successors were met or will be. So no state is missed, whatever is discarded.
// search/pseudoroot/reference_path_set.h shows that the search terminates.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "search/listeners/visit_tally.h"
#include "search/pseudoroot/exploration.h"
#include "search/pseudoroot/reference_path_set.h"
#include "search/stores/context.h"
#include "search/stores/loops.h"

namespace scrimp {

/// Step 1. Returns false if the search has ended.
bool count_edges(SearchContext& search, const strategy::Pseudoroot& store, EdgeCounters& counters);

/// If states are annotated with their numbers, transitions are written.
template <std::uint32_t fixed_words, class... Annotations>
class PseudoRootSearch {
 public:
  PseudoRootSearch(SearchContext& search, const strategy::Pseudoroot& store, const EdgeCounters* counters)
      : search_(search),
        options_(store),
        machine_(search.machine()),
        degrees_(machine_, counters),
        tally_(machine_, search.options.audit, false, search.observer, search.budget) {}

  void run() {
    std::visit(Match{[&](strategy::BreadthFirst) { from_pending(); }, [&](strategy::DepthFirst) { from_initial(); }},
               search_.options.method.order);
    search_.observer.exhausted();
    search_.outcome.seconds = search_.observer.seconds();
    search_.outcome.report.set("distinct_states", tally_.states());
    search_.outcome.complaint = tally_.complaint();
  }

 private:
  static constexpr bool numbers = sizeof...(Annotations) != 0;
  using Table = ReferenceTable<fixed_words>;
  using Tally = DiscardTally<Table, fixed_words>;
  using LevelListener = Both<Tally, std::conditional_t<numbers, EdgeTranscript, Silent>>;
  using PathListener = Both<Tally, std::conditional_t<numbers, PathTranscript, Silent>>;
  using Exploration = PseudoRootExploration<fixed_words, LevelListener>;
  using PathSet = ReferencePathSet<fixed_words, Annotations...>;
  using PathLoop = SelectiveDepthFirst<PathSet, fixed_words, NoSleep, PathListener>;

  template <class Listener>
  Listener listener(const Table& table) {
    using Writer = decltype(Listener::second);
    if constexpr (std::is_same_v<Writer, EdgeTranscript>)
      return {Tally(tally_, table), EdgeTranscript(*search_.transcript, search_.observer)};
    else
      return {Tally(tally_, table), transcribing<Writer>(search_)};
  }

  Transcript* labels() { return numbers ? search_.writer() : nullptr; }

  /// Steps 2 and 3.
  void from_pending() {
    const bool wants_paths = search_.options.question.wants_paths();
    std::optional<ParentLog> log;
    std::optional<ParentWitness> witness;
    if (wants_paths) witness.emplace(search_.budget, search_.expander, log.emplace(search_.budget));
    const Parents parents{log ? &*log : nullptr, witness ? &*witness : nullptr};
    if (witness) search_.observer.attach(*witness);
    Levels levels(search_.budget, machine_, false);
    bool has_room = true;
    {
      Budget table_budget(Budget::PartOf{search_.budget}, search_.budget.left() - room_for_path());
      const bool arranges = options_.next == strategy::Pseudoroot::Next::fewest;
      Table table(machine_, options_, numbers || (arranges && wants_paths), table_budget);
      auto level_listener = listener<LevelListener>(table);
      Exploration loop(search_.expander, table, degrees_, levels, parents, search_.observer, search_.budget, arranges,
                       level_listener, labels());
      const Describing describing(search_.observer, [&](Report& report) {
        report.set("limit", search_.budget.limit());
        report.set("bytes.table", table_budget.held());
        report.set("bytes.blocks", loop.block_bytes() + levels.bytes() + (log ? log->bytes() : 0));
        levels.describe(report);
      });
      loop.run();
      note("bytes.table", table_budget.peak());
      note("bytes.blocks", loop.block_bytes() + levels.bytes() + (log ? log->bytes() : 0));
      has_room = !loop.has_lost();
      if (has_room && !table.pending().empty()) has_room = from_roots(loop, table, parents);
      if (witness) take_findings(witness->findings);
      if (witness && witness->has_lost_paths()) search_.outcome.reason = Reason::disk;
      note(table, table.peak());
      search_.outcome.levels = levels.take_counts();
    }
    if (!has_room) begin_anew();
  }

  /// Step 3. Returns false if there is no room for a path beside the pending states.
  bool from_roots(Exploration& loop, Table& table, const Parents& parents) {
    tally_.allow_revisits();
    PathSet set(table, degrees_, false);
    auto path_listener = listener<PathListener>(table);
    NoSleep sleep;
    Path<fixed_words> path(search_.budget, search_.expander);
    PathWitness<fixed_words> witness(search_.budget, search_.expander, path,
                                     [&](std::vector<EventId>& events) { return parents.witness->lead(events); });
    search_.observer.attach(witness);
    PathLoop from_root(search_.expander, set, path, search_.observer, search_.budget, sleep, nullptr, path_listener);
    std::vector<Word> root(machine_.words);
    while (search_.observer.running() && !table.pending().empty()) {
      const auto taken = loop.take();
      table.read(taken.slot, root.data());
      if (parents.witness != nullptr) parents.witness->at(taken.number);
      from_root.run_from(root.data(), taken.slot, taken.depth);
    }
    take_findings(witness.findings);
    note("bytes.path", path.peak_bytes() + from_root.frame_bytes());
    note("bytes.path blocks", from_root.block_bytes());
    const Reason reason = search_.observer.reason();
    return reason != Reason::memory && reason != Reason::cache;
  }

  void begin_anew() {
    search_.outcome.report.add("pseudoroot.restarts", 1);
    tally_.allow_revisits();
    search_.observer.begin_anew();
    if constexpr (numbers) search_.transcript->begin_anew(search_.observer.counts.states);
    from_initial();
  }

  /// Step 4.
  void from_initial() {
    Path<fixed_words> path(search_.budget, search_.expander);
    PathWitness<fixed_words> witness(search_.budget, search_.expander, path);
    search_.observer.attach(witness);
    Budget table_budget(Budget::PartOf{search_.budget}, search_.budget.left() / 8 * 5);
    Table table(machine_, options_, numbers, table_budget);
    PathSet set(table, degrees_, true);
    auto path_listener = listener<PathListener>(table);
    NoSleep sleep;
    PathLoop loop(search_.expander, set, path, search_.observer, search_.budget, sleep, nullptr, path_listener);
    loop.run();
    take_findings(witness.findings);
    note("bytes.table", table_budget.peak());
    note("bytes.path", path.peak_bytes() + loop.frame_bytes());
    note("bytes.path blocks", loop.block_bytes());
    note(table, set.stored_peak());
  }

  /// The minimal memory of a depth-first search, and some for its path.
  std::uint64_t room_for_path() const {
    const std::uint64_t left = search_.budget.left();
    const std::uint64_t listed = std::max<std::uint64_t>(1 << 14, 4 * std::uint64_t{machine_.max_successors});
    const std::uint64_t fixed = listed * (machine_.words * sizeof(Word) + 24) + (std::uint64_t{1} << 19);
    return std::min(left / 2, fixed + left / 8);
  }

  void note(const char* part, std::uint64_t bytes) { search_.outcome.report.raise(part, bytes); }

  void note(const Table& table, std::uint64_t peak) {
    Report& report = search_.outcome.report;
    report.raise("stored_peak", peak);
    report.raise("state_bytes", table.state_bytes());
    report.set("pseudoroot.kept", table.size());
    report.add("pseudoroot.discarded", table.discarded());
  }

  void take_findings(std::vector<Finding>& findings) {
    std::move(findings.begin(), findings.end(), std::back_inserter(search_.outcome.findings));
  }

  SearchContext& search_;
  const strategy::Pseudoroot& options_;
  const Machine& machine_;
  InDegrees degrees_;
  VisitTally<fixed_words> tally_;
};

}  // namespace scrimp
