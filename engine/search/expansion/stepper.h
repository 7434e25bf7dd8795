// The machine's events of a state, in the order in which the search processes them.
#pragma once

#include <cstdint>
#include <optional>

#include "core/machine.h"

namespace scrimp {

struct Expansion {
  std::uint32_t count;
  EventId flags;  // the union of the events' flags
};

/// Calls the machine and, if a seed is given, permutes the successors. The permutation depends only on the seed and the
/// state: a state that is expanded again has its successors in the same order.
class Stepper {
 public:
  Stepper(const Machine& machine, std::optional<std::uint64_t> shuffle_seed)
      : machine_(machine), shuffle_(shuffle_seed.has_value()), seed_(shuffle_seed.value_or(0)) {}

  /// All events of a state.
  Expansion all(const Word* state, Word* successors, EventId* events) const {
    return permuted(state, successors, events, machine_.successors(state, successors, events));
  }

  /// The events of a transient state in which `holder` has exclusive control.
  Expansion alone(const Word* state, std::uint32_t holder, Word* successors, EventId* events) const {
    return permuted(state, successors, events, machine_.alone(state, holder, successors, events));
  }

  /// The number of steps that an event counts for on a path.
  std::uint32_t steps(EventId event) const {
    return machine_.steps == nullptr ? 1 : machine_.steps[event & event_mask];
  }

  const Machine& machine() const { return machine_; }

 private:
  Expansion permuted(const Word* state, Word* successors, EventId* events, std::uint64_t answer) const {
    const Expansion expansion{static_cast<std::uint32_t>(answer), static_cast<EventId>(answer >> 32)};
    if (shuffle_) [[unlikely]]
      permute(state, successors, events, expansion.count);
    return expansion;
  }

  void permute(const Word* state, Word* successors, EventId* events, std::uint32_t count) const;

  const Machine& machine_;
  const bool shuffle_;
  const std::uint64_t seed_;
};

}  // namespace scrimp
