// The states that were met and not yet explored, and which of them is next (PY97, section 5.2 leaves that open).
//
//     Next::arrival   one list     first <- ... <- last that came
//     Next::fewest    64 lists, by how many edges are left: 0, 1, ..., 62, more; the last that came is first in its
//     list
//
// Lists are linked by slot, in columns beside the table of states.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "store/column.h"
#include "store/pseudoroot/options.h"

namespace scrimp {

class PendingStates {
 public:
  PendingStates(PseudoRoot::Next next, Budget& budget)
      : by_edges_(next == PseudoRoot::Next::fewest), after_(budget), before_(budget) {
    first_.fill(no_slot);
  }

  bool empty() const { return size_ == 0; }
  std::uint64_t size() const { return size_; }

  void add(Slot slot, std::uint32_t edges) {
    ++size_;
    if (by_edges_) return push(slot, list_of(edges));
    after_[slot] = no_slot;
    (first_[0] == no_slot ? first_[0] : after_[last_]) = slot;
    last_ = slot;
  }

  /// The next one; there is one.
  Slot take() {
    --size_;
    const auto list = by_edges_ ? static_cast<std::size_t>(std::countr_zero(occupied_)) : 0;
    const Slot slot = first_[list];
    if (by_edges_) {
      unlink(slot, list);
    } else {
      first_[0] = after_[slot];
    }
    return slot;
  }

  /// One edge less leads to a pending state than `edges`.
  void lessen(Slot slot, std::uint32_t edges) {
    if (!by_edges_ || list_of(edges) == list_of(edges - 1)) return;
    unlink(slot, list_of(edges));
    push(slot, list_of(edges - 1));
  }

  [[nodiscard]] bool resize(std::uint64_t slots) {
    return after_.resize(slots) && (!by_edges_ || before_.resize(slots));
  }
  std::size_t row_bytes() const { return (by_edges_ ? 2 : 1) * sizeof(Slot); }
  std::uint64_t bytes() const { return after_.bytes() + before_.bytes(); }

 private:
  static constexpr std::size_t lists = 64;

  static std::size_t list_of(std::uint32_t edges) { return std::min<std::size_t>(edges, lists - 1); }

  void push(Slot slot, std::size_t list) {
    const Slot second = first_[list];
    after_[slot] = second;
    before_[slot] = no_slot;
    if (second != no_slot) before_[second] = slot;
    first_[list] = slot;
    occupied_ |= Word{1} << list;
  }

  void unlink(Slot slot, std::size_t list) {
    const Slot before = before_[slot], after = after_[slot];
    (before == no_slot ? first_[list] : after_[before]) = after;
    if (after != no_slot) before_[after] = before;
    if (first_[list] == no_slot) occupied_ &= ~(Word{1} << list);
  }

  const bool by_edges_;
  Column<Slot> after_;
  Column<Slot> before_;
  std::array<Slot, lists> first_;
  Slot last_ = no_slot;
  Word occupied_ = 0;  // bit i: list i has a state
  std::uint64_t size_ = 0;
};

}  // namespace scrimp
