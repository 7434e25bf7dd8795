// Fires in each state only some of its events, chosen by the state alone, so that for each run some run is left that
// goes through the same changes of what is visible.
//
//   1. List all events of the state, and follow them to ordinary states.
//   2. Choose some, by a selection that knows no path: its choices are persistent, and visible events are chosen only
//      together (V of reduction/proviso.h).
//   3. If a chosen event ends in a fault, fire all events instead.
//
// Events count as visible if they may close a cycle, too (src/scrimp/reduction/recurrence.py), so that no event is
// postponed forever. docs/decisions/0033-reductions-for-infinite-runs.md has the proof. What is left is a graph that no
// automaton influences: products with it need no proviso of their own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/budget.h"
#include "core/machine.h"
#include "method.h"
#include "reduction/audit.h"
#include "reduction/relations.h"
#include "reduction/selection.h"
#include "search/expansion/expander.h"

namespace scrimp {

class SteadySelection {
 public:
  /// `audits`: every choice is checked.
  SteadySelection(const Machine& system, const Reduction& reduction, const Relations& relations, Budget& budget,
                  bool audits);

  /// As the function of the machine. Throws std::bad_alloc if the budget is exhausted.
  std::uint64_t successors(const Word* state, Word* successors, EventId* events);

  /// The first violation that the audit found; empty if there is none.
  const std::string& complaint() const { return complaint_; }

 private:
  bool choose(const Word* state, const Entries& entries);
  std::uint64_t keep_chosen(const Entries& entries, Word* successors, EventId* events, std::uint32_t count) const;

  const std::unique_ptr<Selection> selection_;
  Expander expander_;
  std::optional<Audit> audit_;
  std::vector<std::uint8_t> chosen_;  // of the entries
  std::string complaint_;
};

}  // namespace scrimp
