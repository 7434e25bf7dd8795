// Overman's method: the processes that may interfere with each other run, the others wait.
//
// HGP92, section 5, after W. T. Overman, "Verification of concurrent systems: function and timing", 1981.
//
//   1. For each process that leads an enabled event, in listing order, begin with that process alone.
//   2. Each member adds all processes that may ever access a cell that the events at its place, enabled or not, access;
//      repeat until no process is added.
//   3. Of the sets found that meet the proviso, choose the one with the fewest enabled events, which its processes
//      lead. Overman's original measure: the one with the fewest processes.
//   4. Refined by control flow: in line 2, the cells that a process may access from its place on.
//
//   paper                          here
//   support of a process           Relations::support; refined: future_cells of its place
//   V_i                            place_cells of the places of the members
//   P_i                            members
//   non-blocked process            one that leads an entry
//
// Deviations. The variables that only one process accesses together count as one variable of that process, its *private
// part*. So a process whose next events are local can be chosen alone, and it is enough to begin with processes: a set
// that begins with a variable contains one that begins with a process that accesses it. An event that moves several
// processes accesses the private parts of all of them: a process that may meet a partner adds it. (If they meet in a
// transient state, which one of them reaches alone, the event accesses the location of the other: that is a cell.) An
// event that others may enable otherwise than through variables, such as a timeout, accesses the private parts of those
// others too.
// "Next transitions" are all events at the place, enabled or not, and support includes that of processes that may be
// started: the paper leaves both open, and otherwise the method loses deadlocks.
//
// The choice is persistent. Let T be all events, enabled or not, that leave a place of a member. Until an event of T is
// fired, non-members, and processes that they may start, never access a cell that T accesses; and they move no member,
// because an event that does leaves the member's place and is in T. So their events are independent of T and enable no
// event of T.
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
  /// The row of `access_` with the cells that a process may access.
  std::size_t access_row(std::uint32_t process) const { return options_.refined ? place_of_[process] : process; }

  const strategy::Overman options_;
  const Relations& relations_;
  const std::uint32_t processes_;
  const Proviso proviso_;
  BitRows next_;      // by place: cells that the events there access
  BitRows access_;    // by process; refined: by place: cells that the process may ever access
  BitRows partners_;  // by place: processes whose private parts the events there access

  // For the current state.
  std::vector<std::uint32_t> place_of_;
  std::vector<std::uint32_t> leaders_;  // of enabled events, in listing order
  std::vector<std::uint32_t> enabled_;  // by process: how many it leads
  std::vector<std::uint8_t> is_seen_;   // by process: whether one of them is visible
  std::uint32_t enabled_events_ = 0;
  BitRows attracted_;                   // by process: the processes it adds
  std::vector<std::uint8_t> is_known_;  // by process: its row of `attracted_` is filled

  // For the current set.
  BitRows is_in_;                       // one row
  std::vector<std::uint32_t> members_;  // in the order in which they were added
};

}  // namespace scrimp
