// The one place that turns a state into its successors.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/budget.h"
#include "core/machine.h"
#include "search/expansion/passage.h"
#include "search/expansion/stepper.h"

namespace scrimp {

/// A state is expanded in one call if none of its events leads through transient states or has failed; that is known
/// only after its events were listed, so there are two calls:
///
///     Expansion expansion = expander.expand(state, successors, events);
///     if (leads_on(expansion) && expander.pass(state, expansion, successors, events, options)) ... expander.passage()
///
/// In the second case, the passage has the successors and their number.
class Expander {
 public:
  Expander(const Machine& machine, std::optional<std::uint64_t> shuffle_seed, Budget& budget)
      : stepper_(machine, shuffle_seed), passage_(budget, stepper_) {}

  /// Lists the state's own events; the arrays must have room for `max_successors`.
  Expansion expand(const Word* state, Word* successors, EventId* events) const {
    return stepper_.all(state, successors, events);
  }

  /// Follows the events listed by `expand` to ordinary states. Returns false if the budget is exhausted or the observer
  /// ends the search.
  [[nodiscard]] bool pass(const Word* state, const Expansion& expansion, const Word* successors, const EventId* events,
                          const PassageOptions& options) {
    return passage_.follow(state, {successors, events, expansion.count}, options);
  }
  /// The result of the last `pass`; valid until the next one.
  const Passage& passage() const { return passage_; }

  /// Appends the events that lead from a state to its successor number `ordinal`, or to the fault in its place. Returns
  /// false if the budget is exhausted. Leaves the last passage unchanged.
  [[nodiscard]] bool list(const Word* state, std::uint32_t ordinal, std::vector<EventId>& events) {
    return passage_.list(state, ordinal, events);
  }

  /// Gathers bits of the events that lead to successors: see Passage.
  void gather(const Word* bits_of_event) { passage_.gather(bits_of_event); }
  bool gathers() const { return passage_.bits_of_event() != nullptr; }
  Word bits(EventId event) const { return passage_.bits_of_event()[event & event_mask]; }

  std::uint32_t steps(EventId event) const { return stepper_.steps(event); }

  const Machine& machine() const { return stepper_.machine(); }

 private:
  const Stepper stepper_;
  Passage passage_;
};

}  // namespace scrimp
