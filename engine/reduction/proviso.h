// What makes a choice of some events enough, so that a search that fires nothing else misses nothing it is asked for.
//
// Godefroid, "Partial-Order Methods for the Verification of Concurrent Systems", LNCS 1032, chapters 4 and 6; Valmari,
// "Stubborn sets for reduced state space generation", 1989; HGP92, section 3.
//
// Chosen events T of a state s are *persistent* where every event that can be fired after s without one of T is
// independent, where it is fired, of all of T. Two events are independent in a state where they are enabled together,
// neither disables the other, they fail alike in either order, and both orders lead to the same states. Each selection
// says why its choices are persistent. Let w be a shortest way from s to what is looked for.
//
// Deadlocks are kept by every persistent choice. Some event of w is chosen: else T stays enabled all along w. The first
// of them, t, commutes with what precedes it: it can be fired in s, and w without t leads on from there to the same
// deadlock. Sleep sets do no harm: what is asleep was fired before, and what can be reached by it is found there. So
// where all chosen events are asleep there is nothing to fire.
//
// What fails, and states that are watched for, are kept where two conditions hold besides. Where w has an event of T
// the argument is the same: either that event fails in s already, or w becomes shorter by one and ends in the same
// state. Where it has none, any t of T can be fired first, and w, as long as before, leads on from there:
//
//   V  It still leads to what is watched for if t is not *visible*: it does not change what a property looks at. So
//      either no chosen event is visible, or no visible event can be fired before a chosen one: then w has none, and s
//      itself is watched for.
//   P  It does not go on so for ever, with w never begun, if some event that is chosen and not asleep leads to a state
//      off the path. For that state is left before s is, or was left already. The first state of all to be left fires
//      all its events; so, in the order in which states are left, each reaches one that does, by events of which none
//      is in w, or w becomes shorter.
//
// An assertion needs no V: it reads what it is about, so what may change its outcome depends on it. Entries that fault
// lead nowhere.
#pragma once

#include <cstdint>
#include <vector>

#include "core/machine.h"
#include "reduction/relations.h"
#include "reduction/selection.h"

namespace scrimp {

class Proviso {
 public:
  Proviso(bool is_wanted, const Relations& relations) : is_wanted_(is_wanted), visible_(relations.visible) {}

  /// Whether an event's being visible matters.
  bool sees(EventId event) const { return is_wanted_ && visible_[event & event_mask] != 0; }

  /// P, of the entries that `is_chosen` says yes of.
  template <class IsChosen>
  bool is_met(const Entries& entries, Surroundings& around, IsChosen is_chosen) const {
    if (!is_wanted_) return true;
    for (std::uint32_t entry = 0; entry < entries.count; ++entry)
      if (is_chosen(entry) && leads_away(entries.events[entry], entry, around)) return true;
    return false;
  }

 private:
  static bool leads_away(EventId event, std::uint32_t entry, Surroundings& around) {
    return !(event & (fault_flag | misfit_flag)) && !around.is_asleep(entry) && !around.is_on_path(entry);
  }

  const bool is_wanted_;
  const std::vector<std::uint8_t>& visible_;
};

}  // namespace scrimp
