// How many edges lead into a state, as far as is known: never fewer than there are among the reachable states.
#pragma once

#include <cstdint>

#include "core/hash.h"
#include "core/machine.h"
#include "store/pseudoroot/edge_counters.h"

namespace scrimp {

class InDegrees {
 public:
  /// By the machine's own function, or by counters where there are some.
  InDegrees(const Machine& machine, const EdgeCounters* counters) : machine_(machine), counters_(counters) {}

  std::uint32_t of(const Word* state) const {
    return counters_ != nullptr ? counters_->count(hash_words(state, machine_.words)) : machine_.in_degree(state);
  }

  /// Where that takes looking up, it will soon be asked of this state.
  void fetch(const Word* state) const {
    if (counters_ != nullptr) counters_->fetch(hash_words(state, machine_.words));
  }

 private:
  const Machine& machine_;
  const EdgeCounters* const counters_;
};

}  // namespace scrimp
