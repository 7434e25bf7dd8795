// The state with the fewest states entered below it (GHP92, section 5); among equals the one that left the path first.
//
// A binary heap, so that adding and removing take logarithmic time; `places_` has the position of each slot in it.
#pragma once

#include <cstdint>
#include <tuple>
#include <utility>

#include "store/policies/candidates.h"

namespace scrimp {

class SmallestSubtree final : public Candidates {
 public:
  SmallestSubtree(const Traits& traits, Budget& budget) : traits_(traits), heap_(budget), places_(budget) {}

  void add(Slot slot) override { rise(size_++, {traits_.subtree[slot], slot, added_++}); }

  void remove(Slot slot) override {
    const std::uint32_t place = places_[slot];
    const Entry moved = heap_[--size_];
    if (place == size_) return;
    if (place != 0 && moved.comes_before(heap_[above(place)])) return rise(place, moved);
    sink(place, moved);
  }

  Slot choose() override { return heap_[0].slot; }

  [[nodiscard]] bool resize(std::uint64_t slots) override {
    const std::uint64_t before = heap_.bytes() / sizeof(Entry);
    if (!heap_.resize(slots)) return false;
    if (places_.resize(slots)) return true;
    return std::ignore = heap_.resize(before), false;
  }
  std::size_t row_bytes() const override { return sizeof(Entry) + sizeof(std::uint32_t); }
  std::uint64_t bytes() const override { return heap_.bytes() + places_.bytes(); }

 private:
  struct Entry {
    std::uint32_t subtree;
    Slot slot;
    std::uint64_t time;

    bool comes_before(const Entry& other) const {
      return subtree != other.subtree ? subtree < other.subtree : time < other.time;
    }
  };

  static std::uint32_t above(std::uint32_t place) { return (place - 1) / 2; }

  void put(std::uint32_t place, const Entry& entry) {
    heap_[place] = entry;
    places_[entry.slot] = place;
  }

  void rise(std::uint32_t place, Entry entry) {
    for (; place != 0 && entry.comes_before(heap_[above(place)]); place = above(place)) put(place, heap_[above(place)]);
    put(place, entry);
  }

  void sink(std::uint32_t place, Entry entry) {
    for (;;) {
      std::uint64_t below = std::uint64_t{place} * 2 + 1;
      if (below + 1 < size_ && heap_[Slot(below + 1)].comes_before(heap_[Slot(below)])) ++below;
      if (below >= size_ || !heap_[Slot(below)].comes_before(entry)) return put(place, entry);
      put(place, heap_[Slot(below)]);
      place = static_cast<std::uint32_t>(below);
    }
  }

  const Traits& traits_;
  Column<Entry> heap_;
  Column<std::uint32_t> places_;
  std::uint32_t size_ = 0;
  std::uint64_t added_ = 0;
};

}  // namespace scrimp
