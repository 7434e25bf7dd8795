// What a search found, and how it came there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/machine.h"

namespace scrimp {

struct Finding {
  enum class Kind : std::uint8_t { deadlock, fault, failed, endless, watch };

  Kind kind;
  int watch;                        // which one was hit; -1 unless `kind` is watch
  std::vector<EventId> events;      // from the initial state; the last one is what faulted, failed or closed the chain
  std::vector<EventId> cycle = {};  // from where those lead back to there; none: the finding is a path alone
};

/// In the order of the enumeration.
constexpr std::array finding_names{"deadlock", "fault", "failed", "endless", "watch"};
static_assert(finding_names.size() == static_cast<std::size_t>(Finding::Kind::watch) + 1);

constexpr const char* name(Finding::Kind kind) { return finding_names[static_cast<std::size_t>(kind)]; }

/// What an entry with `fault_flag` among a state's successors stands for; see search/expansion/passage.h.
constexpr Finding::Kind kind_of(EventId event) {
  if (event & failed_flag) return Finding::Kind::failed;
  return event & atomic_flag ? Finding::Kind::endless : Finding::Kind::fault;
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
  /// `finding.events` holds what follows `state`: nothing, or the events up to the one that went wrong. Returns false
  /// where the budget has no room for the path.
  [[nodiscard]] virtual bool record(Finding finding, const Word* state) = 0;
};

}  // namespace scrimp
