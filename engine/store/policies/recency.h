// The least or the most recently used state (MW09, section 4.2). A state is used when it is entered or met, and as long
// as it is on the path: its last use is when it left the path or, if later, when it was met.
#pragma once

#include "store/policies/candidates.h"
#include "store/slot_lists.h"

namespace scrimp {

class RecencyPolicy final : public Candidates {
 public:
  enum class End : std::uint8_t { least_recent, most_recent };

  RecencyPolicy(End end, Budget& budget) : end_(end), lists_(budget) {}

  void add(Slot slot) override { lists_.append(by_last_use_, slot); }
  void remove(Slot slot) override { lists_.remove(by_last_use_, slot); }
  void met(Slot slot, std::uint8_t) override {
    if (slot == by_last_use_.last) return;
    remove(slot);
    add(slot);
  }
  Slot choose() override { return end_ == End::least_recent ? by_last_use_.first : by_last_use_.last; }

  [[nodiscard]] bool resize(std::uint64_t slots) override { return lists_.resize(slots); }
  std::size_t row_bytes() const override { return SlotLists::row_bytes; }
  std::uint64_t bytes() const override { return lists_.bytes(); }

 private:
  End end_;
  SlotLists lists_;
  SlotLists::List by_last_use_;
};

}  // namespace scrimp
