// A hash table of the states of a depth-first path, to find whether a state is on the path, and where.
//
// A hash stands for a state: states with equal hashes are not distinguished, and for a state that is on the path twice
// the earlier place is returned. So the answer means "perhaps, and not before this place". Linear probing; removal
// leaves no gap, because later entries move up.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/hash.h"
#include "core/memory.h"

namespace scrimp {

/// A place on a depth-first path; the initial state has place 0. All places beyond the range are `far`.
using PathIndex = std::uint32_t;

class PathTable {
 public:
  static constexpr PathIndex nowhere = ~PathIndex{0};
  static constexpr PathIndex far = nowhere - 1;

  explicit PathTable(Budget& budget) : slots_(budget) {}

  std::uint64_t bytes() const { return slots_.bytes(); }
  std::uint64_t size() const { return used_; }

  /// Makes a hash nonzero: zero marks an empty slot.
  static Word hash_of(Word hashed) { return hashed | 1; }

  /// A state's place on the path, or `nowhere`.
  PathIndex find(Word hashed) const {
    PathIndex found = nowhere;
    if (used_ == 0) return found;
    for (std::uint64_t place = home(hashed); slots()[place].hash != 0; place = (place + 1) & mask())
      if (slots()[place].hash == hashed) found = std::min(found, slots()[place].index);
    return found;
  }

  /// A state may be added several times. Returns false if the budget is exhausted.
  [[nodiscard]] bool add(Word hashed, PathIndex index) {
    if (2 * (used_ + 1) > places() && !grow()) return false;
    insert({hashed, index});
    ++used_;
    return true;
  }

  void remove(Word hashed, PathIndex index) {
    std::uint64_t gap = home(hashed);
    while (slots()[gap].hash != hashed || slots()[gap].index != index) gap = (gap + 1) & mask();
    for (std::uint64_t next = (gap + 1) & mask(); slots()[next].hash != 0; next = (next + 1) & mask()) {
      // Must not move before its home.
      if (((next - home(slots()[next].hash)) & mask()) < ((next - gap) & mask())) continue;
      slots()[gap] = slots()[next];
      gap = next;
    }
    slots()[gap].hash = 0;
    --used_;
  }

 private:
  struct Entry {
    Word hash;  // zero: the slot is empty
    PathIndex index;
  };

  Entry* slots() const { return slots_.as<Entry>(); }
  std::uint64_t places() const { return slots_.bytes() / sizeof(Entry); }
  std::uint64_t mask() const { return places() - 1; }
  std::uint64_t home(Word hashed) const { return scale(hashed, places()); }

  void insert(const Entry& entry) {
    std::uint64_t place = home(entry.hash);
    while (slots()[place].hash != 0) place = (place + 1) & mask();
    slots()[place] = entry;
  }

  [[gnu::noinline]] bool grow() {
    Region old(slots_.budget());
    if (!old.resize(std::max(small_page, 2 * slots_.bytes()))) return false;
    std::swap(old, slots_);
    for (const Entry *each = old.as<Entry>(), *stop = each + old.bytes() / sizeof(Entry); each != stop; ++each)
      if (each->hash != 0) insert(*each);
    return true;
  }

  Region slots_;  // their number is a power of two
  std::uint64_t used_ = 0;
};

}  // namespace scrimp
