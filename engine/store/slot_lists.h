// Lists of slots. A slot is in at most one list, so all lists share their links.
#pragma once

#include <cstdint>

#include "store/column.h"

namespace scrimp {

class SlotLists {
 public:
  struct List {
    Slot first = no_slot;
    Slot last = no_slot;
    std::uint32_t size = 0;
  };

  explicit SlotLists(Budget& budget) : links_(budget) {}

  static constexpr std::size_t row_bytes = 2 * sizeof(Slot);
  [[nodiscard]] bool resize(std::uint64_t slots) { return links_.resize(slots); }

  void append(List& list, Slot slot) const {
    links_[slot] = {list.last, no_slot};
    (list.last == no_slot ? list.first : links_[list.last].next) = slot;
    list.last = slot;
    ++list.size;
  }

  void remove(List& list, Slot slot) const {
    const Link link = links_[slot];
    (link.before == no_slot ? list.first : links_[link.before].next) = link.next;
    (link.next == no_slot ? list.last : links_[link.next].before) = link.before;
    --list.size;
  }

  std::uint64_t bytes() const { return links_.bytes(); }

 private:
  struct Link {
    Slot before, next;
  };

  Column<Link> links_;
};

}  // namespace scrimp
