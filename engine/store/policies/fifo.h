// Blind round robin (GHP92, section 5): the slots in turn. What takes the place of a forgotten state is as far from its
// next turn as can be, so the one that has been there longest is next, but for states that were on the path when it was
// their turn.
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
