// The checker of all selections: tests in the current state, by firing events, whether their claims are true.
//
//   1. Inspect every state that can be reached without a chosen event, up to a limit.
//   2. In each, every chosen event is still enabled;
//   3. every other enabled event commutes with each of them;
//   4. and is not visible if one of them is (V of reduction/proviso.h).
//
// Two events commute in a state if neither disables the other, each fails after the other exactly as it does before it,
// and both orders lead to the same states, whichever of their outcomes the two have.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/budget.h"
#include "core/machine.h"
#include "reduction/proviso.h"
#include "reduction/relations.h"
#include "reduction/selection.h"
#include "search/expansion/expander.h"

namespace scrimp {

/// A description of the violation, or empty.
using Complaint = std::optional<std::string>;

class Audit {
 public:
  Audit(const Machine& machine, const Relations& relations, bool proviso, Budget& budget,
        std::uint32_t most_states = 2000);

  /// Checks that a choice is persistent and satisfies V.
  Complaint of_choice(const Word* state, const Entries& entries, const std::uint8_t* chosen);
  /// Checks that some chosen event is fired and does not lead back, if that is demanded.
  Complaint of_proviso(const Word* state, const Entries& entries, const std::uint8_t* chosen,
                       Surroundings& around) const;
  /// Checks that the events of a state that are declared independent commute.
  Complaint of_independence(const Word* state, const Entries& entries);
  /// Checks that two events that are enabled in a state commute.
  Complaint of_commuting(const Word* state, EventId first, EventId second);

 private:
  using State = std::vector<Word>;

  /// An entry among the successors of a state.
  struct Fired {
    EventId event;
    EventId flags;
    State state;
  };
  using Listing = std::vector<Fired>;

  /// The outcome of an event in a state: how it fails, and the states it leads to.
  struct Outcome {
    std::vector<EventId> flaws;
    std::vector<State> states;
    bool is_enabled() const { return !flaws.empty() || !states.empty(); }
  };

  State copy(const Word* state) const { return State(state, state + expander_.machine().words); }
  Listing list(const State& state);
  static Outcome outcome_of(const Listing& listing, EventId event);
  std::vector<Outcome> outcomes_after(const Outcome& other, EventId event);
  static std::set<State> all_states(const std::vector<Outcome>& outcomes);

  Complaint of_listing(const Listing& listing, const std::vector<EventId>& chosen);
  Complaint of_sight(EventId event, const std::vector<EventId>& chosen) const;
  Complaint of_commuting(const Listing& listing, EventId first, EventId second);
  static Complaint of_staying(const Outcome& before, const std::vector<Outcome>& after, EventId event, EventId other);

  const Relations& relations_;
  const Proviso proviso_;
  const std::uint32_t most_states_;
  Expander expander_;
  std::vector<Word> states_;
  std::vector<EventId> events_;
};

}  // namespace scrimp
