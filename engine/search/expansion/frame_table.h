// A hash table of numbers that are removed in reverse order of insertion.
//
// Linear probing: a number added later never lies on the probe sequence of an earlier one, so removal just empties a
// slot.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/memory.h"

namespace scrimp {

class FrameTable {
 public:
  explicit FrameTable(Budget& budget) : slots_(budget) {}

  std::uint64_t bytes() const { return slots_.bytes(); }

  /// Whether `matches` holds for some number with this hash; it may also be called with numbers of other hashes.
  template <class Matches>
  bool contains(std::uint64_t hash, Matches matches) const {
    if (used_ == 0) return false;
    for (std::uint64_t place = hash & mask(); slots()[place] != 0; place = (place + 1) & mask()) {
      if (matches(slots()[place] - 1)) return true;
    }
    return false;
  }

  /// `hash_of` returns the hash of every number in the table, which are those from `first` up to this one. Returns
  /// false if the budget is exhausted.
  template <class Hash>
  [[nodiscard]] bool add(std::uint32_t number, std::uint32_t first, Hash hash_of) {
    if (2 * (used_ + 1) > size()) {
      if (!grow()) return false;
      for (std::uint32_t each = first; each < number; ++each) insert(each, hash_of(each));
    }
    insert(number, hash_of(number));
    ++used_;
    return true;
  }

  void remove(std::uint32_t number, std::uint64_t hash) {
    std::uint64_t place = hash & mask();
    while (slots()[place] != number + 1) place = (place + 1) & mask();
    slots()[place] = 0;
    --used_;
  }

 private:
  std::uint32_t* slots() const { return slots_.as<std::uint32_t>(); }
  std::uint64_t size() const { return slots_.bytes() / sizeof(std::uint32_t); }
  std::uint64_t mask() const { return size() - 1; }

  /// Replaces the table by an empty one of twice the size; changes nothing on failure.
  bool grow() {
    Region larger(slots_.budget());
    if (!larger.resize(std::max(small_page, 2 * slots_.bytes()))) return false;
    slots_ = std::move(larger);
    return true;
  }

  void insert(std::uint32_t number, std::uint64_t hash) {
    std::uint64_t place = hash & mask();
    while (slots()[place] != 0) place = (place + 1) & mask();
    slots()[place] = number + 1;
  }

  Region slots_;  // number + 1, or 0 if free; the size is a power of two
  std::uint64_t used_ = 0;
};

}  // namespace scrimp
