// The interface of reductions that fire, in a state, only the events of some of the processes.
#pragma once

#include <cstdint>
#include <memory>

#include "core/machine.h"
#include "method.h"
#include "reduction/relations.h"

namespace scrimp {

/// The successors of a state, or the faults in their place, as the search lists them: the entries of one event are
/// consecutive. `events` have their flags.
struct Entries {
  const Word* states;
  const EventId* events;
  std::uint32_t count;
};

/// What a selection may ask the search.
class Surroundings {
 public:
  virtual ~Surroundings() = default;
  /// Whether an entry may lead back: to a state on the path of a depth-first search, or else to a state of no higher
  /// rank (reduction/ranks.h).
  virtual bool leads_back(std::uint32_t entry) = 0;
  /// Whether an entry's event is asleep: it is not fired even if it is chosen.
  virtual bool is_asleep(std::uint32_t entry) = 0;
};

/// Chooses the events to fire in a state. The choice depends only on the state and on what its surroundings answer.
class Selection {
 public:
  virtual ~Selection() = default;
  /// Writes one byte per entry, 1 if it is to be fired; the same for all entries of an event. Returns false if all are
  /// to be fired; the bytes are then meaningless. There is at least one entry.
  virtual bool choose(const Word* state, const Entries& entries, Surroundings& around, std::uint8_t* chosen) = 0;
  /// How many times an event was looked at in all choices so far, if that is counted: a measure of time that depends on
  /// the states alone.
  virtual std::uint64_t looked_at() const { return 0; }
};

/// All choices preserve deadlocks. With the `proviso` they also preserve failures and watched states: a visible event
/// is chosen only together with all visible events, and some chosen event is fired and does not lead back; otherwise
/// all events are fired; see reduction/proviso.h. Null if no part of the reduction selects.
std::unique_ptr<Selection> make_selection(const Reduction& reduction, const Relations& relations);

}  // namespace scrimp
