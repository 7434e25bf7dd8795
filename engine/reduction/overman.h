// Overman's method: the processes that may get in each other's way go on, the others wait.
//
// HGP92, section 5, after W. T. Overman, "Verification of concurrent systems: function and timing", 1981.
//
//   1. For each process that leads an enabled event, in listing order, begin with that process alone.
//   2. Each process that is in brings in all those that may ever access what the events at its place, enabled or not,
//      access; repeat until nobody comes in.
//   3. Of the sets found that meet the proviso, choose the one with the fewest enabled events: what its processes lead.
//      As Overman had it: the one with the fewest processes.
//   4. Refined by control flow: in line 2, what a process may access from its place on.
//
//   paper                          here
//   support of a process           Relations::support; refined: future_cells of its place
//   V_i                            place_cells of the places of those who are in
//   P_i                            members
//   non-blocked process            one that leads an entry
//
// Deviations. What only one process accesses counts as a variable of its own, its *private part*. So a process whose
// next events are local can be chosen alone, and it is enough to begin with processes: what one begins with from a
// variable contains what one begins with from one of the processes that access it. An event that moves several
// processes accesses the private parts of all of them: who may meet a partner brings it in. (Where they meet in a
// transient state, which one of them reaches alone, it accesses where the other is: that is a cell.) An event that
// others may enable in other ways than through variables, such as a timeout, accesses the private parts of those others
// too.
// "Next transitions" are all events at the place, enabled or not, and support includes that of processes that may be
// started: the paper leaves both open, and the method loses deadlocks otherwise.
//
// The choice is persistent. Let T be all events, enabled or not, that leave a place of a process that is in. Those who
// are not in never access what T accesses, nor do those they may start, until an event of T is fired; they move nobody
// who is in, since an event that does leaves its place and is one of T. So what they do is independent of T, and makes
// nothing of T enabled.
#pragma once

#include <cstdint>
#include <vector>

#include "reduction/bits.h"
#include "reduction/control_flow.h"
#include "reduction/proviso.h"
#include "reduction/relations.h"
#include "reduction/selection.h"

namespace scrimp {

class Overman final : public Selection {
 public:
  Overman(const strategy::Overman& options, const Relations& relations);
  bool choose(const Word* state, const Entries& entries, Surroundings& around, std::uint8_t* chosen) override;

 private:
  static constexpr std::uint32_t too_large = ~std::uint32_t{0};

  void fill_tables();
  void find_partners(std::uint32_t place, const ControlFlow& flow);

  void look_at(const Word* state, const Entries& entries);
  void close_over(std::uint32_t process);
  void bring_in(std::uint32_t process);
  const Word* attracted_by(std::uint32_t process);
  std::uint32_t size_of_set() const;

  std::uint32_t leader(EventId event) const { return relations_.process[event & event_mask]; }
  bool is_in(std::uint32_t process) const { return is_in_.test(0, process); }
  /// The row of `access_` that tells what a process may access.
  std::size_t access_row(std::uint32_t process) const { return options_.refined ? place_of_[process] : process; }

  const strategy::Overman options_;
  const Relations& relations_;
  const std::uint32_t processes_;
  const Proviso proviso_;
  BitRows next_;      // of a place: cells that the events there access
  BitRows access_;    // of a process; refined: of a place: cells that the process may ever access
  BitRows partners_;  // of a place: processes whose private parts the events there access

  // Of the state at hand.
  std::vector<std::uint32_t> place_of_;
  std::vector<std::uint32_t> leaders_;  // of enabled events, in listing order
  std::vector<std::uint32_t> enabled_;  // of a process: how many it leads
  std::vector<std::uint8_t> is_seen_;   // of a process: whether one of them is visible
  std::uint32_t enabled_events_ = 0;
  BitRows attracted_;                   // of a process: whom it brings in
  std::vector<std::uint8_t> is_known_;  // of a process: its row of `attracted_` is filled

  // Of the set at hand.
  BitRows is_in_;                       // one row
  std::vector<std::uint32_t> members_;  // in the order in which they came in
};

}  // namespace scrimp
