// The reduced search: a process whose next events are all local runs alone.
//
// Holzmann, Godefroid, Pirottin, "Coverage preserving reduction strategies for reachability analysis", 1992 (HGP92),
// section 3, Algorithm 2.
//
//   1. Group the entries of a state by the process that leads them.
//   2. For each group, in the order in which the processes first appear:
//   3.   if all events that may leave the process's place are local and none is visible, choose this group;
//   4.     if some entry of it that is not asleep leads to a state off the path, stop: the choice is complete.
//   5. If no group completes the choice, choose all entries.
//
//   paper                          here
//   edge set                       the entries that a process leads
//   local edge                     Relations::safe, of all events that leave the process's place at once
//   set S                          the path
//   proviso                        L4
//   edges marked false             entries that are not chosen
//
// Deviations. The paper asks whether the *enabled* edges are local. That is not enough: `P: if :: x = 1 :: q?0 ->
// assert(false) fi` with x local and q empty would run alone, beside `Q: q!0`, and the assertion would never be
// reached. So `safe` covers all events that may leave the place, enabled or not; if it is computed edge by edge, this
// is the printed algorithm. The printed algorithm fires one group only; but the figures of its Table II, protocol 2,
// are those of a search that fires a group, finds that it only leads back to the path, and then tries another. That
// costs a few events, each of which leads back to the path, and no states; and with sleep sets such a group is asleep
// from then on: 47 states, not 100,001. Visible events are not in the paper, which forbids properties about more than
// one process.
//
// Each group is persistent, and so are several together: while the process stays at its place, no other process touches
// what the events there touch, so they do not change and no further event of the place becomes enabled; and no other
// process can move the process. In the place that it reaches, no other process may meet it in a transient state either,
// because that would let an event of another process continue that otherwise stops: this, too, is part of being local.
#pragma once

#include <cstdint>
#include <vector>

#include "reduction/proviso.h"
#include "reduction/relations.h"
#include "reduction/selection.h"

namespace scrimp {

class Local final : public Selection {
 public:
  Local(bool proviso, const Relations& relations);
  bool choose(const Word* state, const Entries& entries, Surroundings& around, std::uint8_t* chosen) override;

 private:
  bool any_is_eligible(const Entries& entries) const;
  bool minds_its_own_business(const Entries& entries, std::uint32_t process) const;
  /// Returns the number of entries added to the choice.
  std::uint32_t add(const Entries& entries, std::uint32_t process, std::uint8_t* chosen) const;
  bool leads_away(const Word* state, const Entries& entries, std::uint32_t process, Surroundings& around) const;
  std::uint32_t leader(EventId event) const { return process_[event & event_mask]; }

  const std::vector<std::uint32_t>& process_;
  const Proviso proviso_;
  std::vector<std::uint8_t> eligible_;  // by event: L3 holds as far as it is concerned
  std::vector<std::uint64_t> tried_;    // by process: the number of the state in which it was last examined
  std::uint64_t states_ = 0;
};

}  // namespace scrimp
