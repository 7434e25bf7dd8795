// Numbers found by a hash, of which the last that was added is the first to be removed.
//
// Linear probing: a number added later never lies on the way to one added before, so that removing is emptying a slot.
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

  /// Whether `matches` says so of some number with this hash; it is asked of others, too.
  template <class Matches>
  bool contains(std::uint64_t hash, Matches matches) const {
    if (used_ == 0) return false;
    for (std::uint64_t place = hash & mask(); slots()[place] != 0; place = (place + 1) & mask()) {
      if (matches(slots()[place] - 1)) return true;
    }
    return false;
  }

  /// `hash_of` tells the hash of every number in the table, which are those from `first` up to this one. Returns false
  /// where the budget is spent.
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

  /// Twice as large, and empty; or as before.
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

  Region slots_;  // numbers plus one; zero is free; a power of two
  std::uint64_t used_ = 0;
};

}  // namespace scrimp
