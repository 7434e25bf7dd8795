// The common part of policies that keep no order: one bit for each slot.
#pragma once

#include "store/policies/candidates.h"
#include "store/slot_bits.h"

namespace scrimp {

class Unordered : public Candidates {
 public:
  explicit Unordered(Budget& budget) : bits_(budget) {}

  void add(Slot slot) final { bits_.add(slot); }
  void remove(Slot slot) final { bits_.remove(slot); }

  [[nodiscard]] bool resize(std::uint64_t slots) final {
    if (!bits_.resize(slots)) return false;
    slots_ = slots;
    return true;
  }
  std::size_t row_bytes() const final { return 1; }  // rounded up
  std::uint64_t bytes() const final { return bits_.bytes(); }

 protected:
  SlotBits bits_;
  std::uint64_t slots_ = 0;
};

}  // namespace scrimp
