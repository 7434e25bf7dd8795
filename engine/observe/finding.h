// A finding of a search, and the path to it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/machine.h"

namespace scrimp {

struct Finding {
  enum class Kind : std::uint8_t { deadlock, fault, failed, endless, watch, lasso };

  Kind kind;
  int watch;  // which watch was hit; -1 unless `kind` is watch
  // From the initial state; the last one is the fault, the failure, or the event that closed an infinite loop.
  std::vector<EventId> events;
  std::vector<EventId> cycle = {};  // leads from the end of `events` back to it; empty: the finding is only a path
};

/// In the order of the enumeration.
constexpr std::array finding_names{"deadlock", "fault", "failed", "endless", "watch", "lasso"};
static_assert(finding_names.size() == static_cast<std::size_t>(Finding::Kind::lasso) + 1);

constexpr const char* name(Finding::Kind kind) { return finding_names[static_cast<std::size_t>(kind)]; }

/// The meaning of an entry with `fault_flag` among a state's successors; see search/expansion/passage.h.
constexpr Finding::Kind kind_of(EventId event) {
  if (event & failed_flag) return Finding::Kind::failed;
  return event & atomic_flag ? Finding::Kind::endless : Finding::Kind::fault;
}

/// A value did not fit its narrowed field: firing `event` in `state` needs a wider layout.
struct Misfit {
  std::vector<Word> state;
  EventId event;
};

/// Knows the path to the state that is being passed to the observer. Called only for findings that get a path.
class Witness {
 public:
  virtual ~Witness() = default;
  /// `finding.events` holds the events that follow `state`: none, or those up to the fault. Returns false if the budget
  /// has no room for the path.
  [[nodiscard]] virtual bool record(Finding finding, const Word* state) = 0;
};

/// Findings with the states that they refer to, until it is known which of them count.
class Sightings final : public Witness {
 public:
  struct Sighting {
    Finding finding;
    std::vector<Word> state;
  };

  explicit Sightings(std::uint32_t words) : words_(words) {}

  bool record(Finding finding, const Word* state) override {
    all.push_back({std::move(finding), {state, state + words_}});
    return true;
  }

  std::vector<Sighting> all;

 private:
  const std::uint32_t words_;
};

}  // namespace scrimp
