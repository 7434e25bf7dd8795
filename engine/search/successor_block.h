// The successors of several states, side by side, so that one call inserts them all.
#pragma once

#include <cstdint>

#include "core/machine.h"
#include "core/memory.h"
#include "store/state_set.h"

namespace scrimp {

class SuccessorBlock {
 public:
  /// Once this many successors are in the block it is worth an insertion.
  static constexpr std::uint32_t enough = 512;

  SuccessorBlock(Budget& budget, const Machine& machine)
      : capacity_(enough + machine.max_successors),
        words_(budget),
        events_(budget),
        results_(budget),
        has_room_(words_.resize(std::size_t{capacity_} * machine.words * sizeof(Word)) &&
                  events_.resize(capacity_ * sizeof(EventId)) && results_.resize(capacity_ * sizeof(Insertion))) {}

  /// False where the budget could not even hold the block.
  bool has_room() const { return has_room_; }
  bool has_enough() const { return count >= enough; }

  Word* states() { return words_.as<Word>(); }
  EventId* events() { return events_.as<EventId>(); }
  Insertion* results() { return results_.as<Insertion>(); }
  std::uint64_t bytes() const { return words_.bytes() + events_.bytes() + results_.bytes(); }

  std::uint32_t count = 0;

 private:
  const std::uint32_t capacity_;
  Region words_;
  Region events_;
  Region results_;
  const bool has_room_;
};

}  // namespace scrimp
