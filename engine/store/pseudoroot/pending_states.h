// The states that were met and not yet explored, in a list linked through their records.
//
//     first <- ... <- last of this level <- ... <- last one discovered
//
// PY97 leaves open which of them is next (section 5.2). Within a level they may be arranged by the number of unexplored
// incoming edges: states with the fewest are the first to be forgotten, and to cause others to be forgotten.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "store/pseudoroot/reference_records.h"

namespace scrimp {

template <class Records>
class PendingStates {
 public:
  explicit PendingStates(const Records& records) : records_(records) {}

  bool empty() const { return size_ == 0; }
  std::uint64_t size() const { return size_; }

  void add(Slot slot) {
    ++size_;
    after(slot) = no_slot;
    (first_ == no_slot ? first_ : after(last_)) = slot;
    last_ = slot;
  }

  /// Removes the first state; there must be one.
  Slot take() {
    --size_;
    const Slot slot = first_;
    first_ = after(slot);
    return slot;
  }

  /// Arranges all by their numbers of unexplored incoming edges, the fewest first; states with equal or large numbers
  /// stay in order.
  void arrange() {
    std::array<Slot, lists> first, last;
    first.fill(no_slot);
    for (Slot slot = first_; slot != no_slot; slot = after(slot)) {
      const std::size_t list = std::min<std::size_t>(records_.reference(slot).edges, lists - 1);
      (first[list] == no_slot ? first[list] : after(last[list])) = slot;
      last[list] = slot;
    }
    first_ = no_slot;
    for (std::size_t list = 0; list < lists; ++list) {
      if (first[list] == no_slot) continue;
      (first_ == no_slot ? first_ : after(last_)) = first[list];
      last_ = last[list];
    }
    if (first_ != no_slot) after(last_) = no_slot;
  }

 private:
  static constexpr std::size_t lists = 64;

  Slot& after(Slot slot) const { return records_.reference(slot).after; }

  const Records& records_;
  Slot first_ = no_slot;
  Slot last_ = no_slot;
  std::uint64_t size_ = 0;
};

}  // namespace scrimp
