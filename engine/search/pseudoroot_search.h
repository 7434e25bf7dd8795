// A search with reference counts, and what it does where there is no room.
//
//   1. Where edges are to be counted, count them: a complete search of its own.
//   2. Breadth-first: search/pseudoroot_exploration.h, until it is done or there is no room for a state.
//   3. Then explored states were discarded. Each pending state is the root of a depth-first search that holds its path
//      (PY97, section 3.3, corrected): pending states and the path stay, explored ones are a cache.
//   4. Where pending states and the path leave no room, all is forgotten, and a depth-first search begins from the
//      initial state: it needs room for its path only.
//   Depth-first from the start is step 4 alone, with room for more.
//
// A state that is met is not searched only where it is stored: then it is pending, on the path, or explored, and in
// each case its successors were met or will be. So nothing is missed, whatever is discarded. That the search ends is
// shown in search/reference_path_set.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "search/pseudoroot_exploration.h"
#include "search/reference_path_set.h"
#include "search/search.h"

namespace scrimp {

/// Where states are `numbered`, their transitions are written.
template <std::uint32_t fixed_words, bool numbered = false>
class PseudoRootSearch {
 public:
  PseudoRootSearch(Search& search, const EdgeCounters* counters)
      : search_(search),
        options_(*search.options.pseudoroot),
        machine_(search.expander.machine()),
        path_options_(without_reduction(search.options)),
        degrees_(machine_, counters),
        tally_(machine_, search.options.reduction.audit, search.observer, search.budget) {
    relations_.kind.assign(machine_.transitions, 5);
    path_options_.relations = &relations_;
  }

  void run() {
    if (search_.options.order == Order::depth_first) {
      from_initial();
    } else {
      from_pending();
    }
    search_.observer.exhausted();
    search_.outcome.seconds = search_.observer.seconds();
    search_.outcome.report.set("distinct_states", tally_.states());
    search_.outcome.complaint = tally_.complaint();
  }

 private:
  using Table = ReferenceTable<fixed_words>;
  using Exploration = PseudoRootExploration<fixed_words>;
  using PathLoop = SelectiveDepthFirst<ReferencePathSet<fixed_words>, fixed_words, false, numbered>;

  static Options without_reduction(Options options) {
    options.reduction = {};
    return options;
  }

  Transcript* writer() { return numbered ? search_.writer() : nullptr; }

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
      const bool arranges = options_.next == PseudoRoot::Next::fewest;
      Table table(machine_, options_, numbered || (arranges && wants_paths), table_budget);
      Exploration loop(search_.expander, table, degrees_, tally_, levels, parents, search_.observer, search_.budget,
                       arranges, writer());
      loop.run();
      note("bytes.table", table_budget.peak());
      note("bytes.blocks", loop.block_bytes() + levels.bytes() + (log ? log->bytes() : 0));
      has_room = !loop.has_lost();
      if (has_room && !table.pending().empty()) has_room = from_roots(loop, table, parents);
      if (witness) take_findings(witness->findings);
      note(table, table.peak());
      search_.outcome.levels = levels.take_counts();
    }
    if (!has_room) begin_anew();
  }

  /// Step 3. Returns false where there is no room for a path beside the pending states.
  bool from_roots(Exploration& loop, Table& table, const Parents& parents) {
    ReferencePathSet<fixed_words> set(table, degrees_, tally_, false, true);
    Path<fixed_words> path(search_.budget, search_.expander);
    PathWitness<fixed_words> witness(search_.budget, search_.expander, path,
                                     [&](std::vector<EventId>& events) { return parents.witness->lead(events); });
    search_.observer.attach(witness);
    PathLoop from_root(search_.expander, set, path, search_.observer, search_.budget, path_options_, writer());
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
    search_.observer.begin_anew();
    if constexpr (numbered) search_.transcript->begin_anew(search_.observer.counts.states);
    from_initial();
  }

  /// Step 4.
  void from_initial() {
    const bool is_again = search_.outcome.report.whole("pseudoroot.restarts") != 0;
    Path<fixed_words> path(search_.budget, search_.expander);
    PathWitness<fixed_words> witness(search_.budget, search_.expander, path);
    search_.observer.attach(witness);
    Budget table_budget(Budget::PartOf{search_.budget}, search_.budget.left() / 8 * 5);
    Table table(machine_, options_, numbered, table_budget);
    ReferencePathSet<fixed_words> set(table, degrees_, tally_, true, is_again);
    PathLoop loop(search_.expander, set, path, search_.observer, search_.budget, path_options_, writer());
    loop.run();
    take_findings(witness.findings);
    note("bytes.table", table_budget.peak());
    note("bytes.path", path.peak_bytes() + loop.frame_bytes());
    note("bytes.path blocks", loop.block_bytes());
    note(table, set.stored_peak());
  }

  /// What a depth-first search takes at the least, and something for its path.
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

  Search& search_;
  const PseudoRoot& options_;
  const Machine& machine_;
  Options path_options_;
  Relations relations_;  // of events of which nothing is asked
  InDegrees degrees_;
  VisitTally<fixed_words> tally_;
};

}  // namespace scrimp
