// What a search asks of the reductions that fire, in a state, the events of a part of the processes only.
#pragma once

#include <cstdint>
#include <memory>

#include "core/machine.h"
#include "method.h"
#include "reduction/relations.h"

namespace scrimp {

/// The successors of a state, or what is in their place, as the search lists them: the entries of one event follow one
/// another. `events` have their flags.
struct Entries {
  const Word* states;
  const EventId* events;
  std::uint32_t count;
};

/// What a selection may ask of the search.
class Surroundings {
 public:
  virtual ~Surroundings() = default;
  /// Whether an entry leads to a state that is on the path. May say yes of one that is not.
  virtual bool is_on_path(std::uint32_t entry) = 0;
  /// Whether an entry's event is asleep: it is not fired even where it is chosen.
  virtual bool is_asleep(std::uint32_t entry) = 0;
};

/// Chooses the events to fire in a state. The choice depends on the state, on what is asleep, and on the path up to the
/// state, on nothing else.
class Selection {
 public:
  virtual ~Selection() = default;
  /// Writes one byte per entry, 1 where it is to be fired; all entries of an event alike. Returns false where all are
  /// to be fired; what was written then means nothing. There is at least one entry.
  virtual bool choose(const Word* state, const Entries& entries, Surroundings& around, std::uint8_t* chosen) = 0;
};

/// All choices keep deadlocks. With the `proviso` they also keep what fails and what is watched for: nothing visible is
/// chosen without all that is, and something chosen is fired and leads away from the path, else all is fired; see
/// reduction/proviso.h. Null where no part of the
/// reduction selects.
std::unique_ptr<Selection> make_selection(const Reduction& reduction, const Relations& relations);

}  // namespace scrimp
