// What a search found, and how it came there.
#pragma once

#include <cstdint>
#include <vector>

#include "core/machine.h"

namespace scrimp {

struct Finding {
  enum class Kind : std::uint8_t { deadlock, fault, watch };

  Kind kind;
  int watch;                    // which one was hit; -1 unless `kind` is watch
  std::vector<EventId> events;  // from the initial state; a fault's last event is the faulting one
};

constexpr const char* name(Finding::Kind kind) {
  switch (kind) {
    case Finding::Kind::deadlock: return "deadlock";
    case Finding::Kind::fault: return "fault";
    case Finding::Kind::watch: return "watch";
  }
  return "";
}

/// A value that did not fit its narrowed field: firing `event` in `state` needs a wider layout.
struct Misfit {
  std::vector<Word> state;
  EventId event;
};

/// Knows how the search came to the state it is showing the observer. Called for the few findings that get a path.
class Witness {
 public:
  virtual ~Witness() = default;
  /// `finding.events` holds what follows `state`: nothing, or the faulting event. Returns false where the budget has no
  /// room for the path.
  [[nodiscard]] virtual bool record(Finding finding, const Word* state) = 0;
};

}  // namespace scrimp
