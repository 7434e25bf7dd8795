// The one place that turns a state into its successors.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "core/machine.h"

namespace scrimp {

struct Expansion {
  std::uint32_t count;
  EventId flags;  // the union of the events' flags
};

/// Calls the machine and, where a seed is given, permutes the successors. The permutation depends on the seed and the
/// state alone: a state that is expanded again shows its successors in the same order.
class Expander {
 public:
  Expander(const Machine& machine, std::optional<std::uint64_t> shuffle_seed)
      : machine_(machine), shuffle_(shuffle_seed.has_value()), seed_(shuffle_seed.value_or(0)) {}

  Expansion expand(const Word* state, Word* successors, EventId* events) const {
    const std::uint64_t answer = machine_.successors(state, successors, events);
    const Expansion expansion{static_cast<std::uint32_t>(answer), static_cast<EventId>(answer >> 32)};
    if (shuffle_) [[unlikely]]
      permute(state, successors, events, expansion.count);
    return expansion;
  }

  const Machine& machine() const { return machine_; }

 private:
  void permute(const Word* state, Word* successors, EventId* events, std::uint32_t count) const;

  const Machine& machine_;
  const bool shuffle_;
  const std::uint64_t seed_;
};

}  // namespace scrimp
