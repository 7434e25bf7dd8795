// The states that were met and not yet explored, in a list linked by slot: a column beside the table of states.
//
//     first <- ... <- last of this level <- ... <- last that came
//
// Which of them is next PY97 leaves open (section 5.2). Within a level they may be arranged by how many edges are left:
// those to which fewest lead are the first to be forgotten, and to forget others.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "store/column.h"

namespace scrimp {

class PendingStates {
 public:
  explicit PendingStates(Budget& budget) : after_(budget) {}

  bool empty() const { return size_ == 0; }
  std::uint64_t size() const { return size_; }

  void add(Slot slot) {
    ++size_;
    after_[slot] = no_slot;
    (first_ == no_slot ? first_ : after_[last_]) = slot;
    last_ = slot;
  }

  /// The first; there is one.
  Slot take() {
    --size_;
    const Slot slot = first_;
    first_ = after_[slot];
    return slot;
  }

  /// Arranges all by a number, the lowest first; those with the same, or with many, stay in their order.
  template <class Number>
  void arrange(Number number) {
    std::array<Slot, lists> first, last;
    first.fill(no_slot);
    for (Slot slot = first_; slot != no_slot; slot = after_[slot]) {
      const std::size_t list = std::min<std::size_t>(number(slot), lists - 1);
      (first[list] == no_slot ? first[list] : after_[last[list]]) = slot;
      last[list] = slot;
    }
    first_ = no_slot;
    for (std::size_t list = 0; list < lists; ++list) {
      if (first[list] == no_slot) continue;
      (first_ == no_slot ? first_ : after_[last_]) = first[list];
      last_ = last[list];
    }
    if (first_ != no_slot) after_[last_] = no_slot;
  }

  [[nodiscard]] bool resize(std::uint64_t slots) { return after_.resize(slots); }
  static constexpr std::size_t row_bytes = sizeof(Slot);
  std::uint64_t bytes() const { return after_.bytes(); }

 private:
  static constexpr std::size_t lists = 64;

  Column<Slot> after_;
  Slot first_ = no_slot;
  Slot last_ = no_slot;
  std::uint64_t size_ = 0;
};

}  // namespace scrimp
