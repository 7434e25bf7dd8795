// The in-degree of a state, as far as known: never less than the number of edges from reachable states.
#pragma once

#include <cstdint>

#include "core/hash.h"
#include "core/machine.h"
#include "store/pseudoroot/edge_counters.h"

namespace scrimp {

class InDegrees {
 public:
  /// By the machine's own function, or by counters if given.
  InDegrees(const Machine& machine, const EdgeCounters* counters) : machine_(machine), counters_(counters) {}

  std::uint32_t of(const Word* state) const {
    return counters_ != nullptr ? counters_->count(hash_words(state, machine_.words)) : machine_.in_degree(state);
  }

  /// A hint that this state's in-degree will soon be looked up.
  void fetch(const Word* state) const {
    if (counters_ != nullptr) counters_->fetch(hash_words(state, machine_.words));
  }

 private:
  const Machine& machine_;
  const EdgeCounters* const counters_;
};

}  // namespace scrimp
