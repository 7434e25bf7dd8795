// The conditions under which it suffices to fire some chosen events of a state, without missing what is looked for.
//
// Godefroid, "Partial-Order Methods for the Verification of Concurrent Systems", LNCS 1032, chapters 4 and 6; Valmari,
// "Stubborn sets for reduced state space generation", 1989; HGP92, section 3.
//
// A set T of chosen events of a state s is *persistent* if every event that can be fired after s, before any event of
// T, is independent of all of T in the state in which it is fired. Two events are independent in a state in which both
// are enabled if neither disables the other, they fail alike in either order, and both orders lead to the same states.
// Each selection says why its choices are persistent. Let w be a shortest sequence of events from s to a state or event
// that is looked for.
//
// Deadlocks are preserved by every persistent choice. Some event of w is chosen: otherwise T stays enabled all along w.
// The first of them, t, commutes with the events before it: it can be fired in s, and w without t leads on from there
// to the same deadlock. Sleep sets do no harm: an event that is asleep was fired before, and everything reachable by it
// is found there. So if all chosen events are asleep, nothing need be fired.
//
// Failures, and watched states, are preserved if two further conditions hold. If w has an event of T, the argument is
// the same: either that event fails in s already, or w becomes shorter by one and ends in the same state. If it has
// none, any t of T can be fired first, and w, as long as before, leads on from there:
//
//   V  It still leads to a watched state if t is not *visible*: t does not change anything that a property looks at. So
//      either no chosen event is visible, or no visible event can be fired before a chosen one: then w has none, and s
//      itself is a watched state.
//   P  This does not go on forever, with w never begun, if some event that is chosen and not asleep leads to a state
//      off the path of a depth-first search. For that state is left before s is, or was left already. The first state
//      of all to be left fires all its events; so, by induction over the order in which states are left, each state
//      reaches one that fires all its events, by events of which none is in w, or w becomes shorter. In a search of
//      another order it suffices that the event leads to a state of higher rank: see reduction/ranks.h.
//
// An assertion does not need V: it reads the variables it is about, so any event that may change its outcome depends on
// it. Entries that are faults lead to no state.
//
// If a system is too small for its model, the events that it lacks may disable those of T: a persistent choice
// preserves the deadlocks of the model only if no event that outgrows the system is postponed forever. So P is always
// demanded of states in which some process may still get to such an event. If w ends in one, the argument is that for
// failures: all states that w is begun in are among these. The others lead to none of these, and there deadlocks need
// no P.
#pragma once

#include <cstdint>
#include <vector>

#include "core/machine.h"
#include "reduction/relations.h"
#include "reduction/selection.h"

namespace scrimp {

class Proviso {
 public:
  Proviso(bool is_wanted, const Relations& relations);

  /// Whether an event is visible and that matters.
  bool sees(EventId event) const { return is_wanted_ && relations_.visible[event & event_mask] != 0; }

  /// P in a state, for the entries for which `is_chosen` holds.
  template <class IsChosen>
  bool is_met(const Word* state, const Entries& entries, Surroundings& around, IsChosen is_chosen) const {
    if (!is_wanted_ && !may_outgrow(state)) return true;
    for (std::uint32_t entry = 0; entry < entries.count; ++entry)
      if (is_chosen(entry) && leads_away(entries.events[entry], entry, around)) return true;
    return false;
  }

 private:
  static bool leads_away(EventId event, std::uint32_t entry, Surroundings& around) {
    return !(event & (fault_flag | misfit_flag)) && !around.is_asleep(entry) && !around.leads_back(entry);
  }

  bool may_outgrow(const Word* state) const;

  const bool is_wanted_;
  const Relations& relations_;
  std::vector<std::uint32_t> growing_;  // the processes that have places from which an event may outgrow the system
};

}  // namespace scrimp
