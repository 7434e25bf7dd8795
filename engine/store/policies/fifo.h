// Blind round robin (GHP92, section 5): the slots in turn. The state that replaces an evicted one is as far as possible
// from its next turn, so the oldest state is next, except for states that were on the path when it was their turn.
#pragma once

#include "store/policies/unordered.h"

namespace scrimp {

class FifoPolicy final : public Unordered {
 public:
  explicit FifoPolicy(Budget& budget) : Unordered(budget) {}

  Slot choose() override {
    const Slot slot = bits_.next(turn_);
    turn_ = slot + 1;
    return slot;
  }

 private:
  Slot turn_ = 0;
};

}  // namespace scrimp
