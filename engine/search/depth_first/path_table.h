// A hash table of the states of a depth-first path, to find whether a state is on the path, and where.
//
// An entry is half a state's hash and its place on the path, eight bytes; the frame at that place has the whole hash.
// States with equal hashes are not distinguished, and for a state that is on the path twice the earlier place is
// returned. So the answer means "perhaps, and not before this place". Linear probing; removal leaves no gap, because
// later entries move up. The frames have everything that the table has, so a table that is full is dropped before a
// larger one is filled from them: growing needs no room for two.
#pragma once

#include <algorithm>
#include <cstdint>

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

  /// Makes a hash nonzero.
  static Word hash_of(Word hashed) { return hashed | 1; }

  /// A state's place on the path, or `nowhere`; `hash_at` returns the hash of the state at a place before `far`.
  template <class HashAt>
  PathIndex find(Word hashed, HashAt hash_at) const {
    PathIndex found = nowhere;
    if (used_ == 0) return found;
    const std::uint32_t half = half_of(hashed);
    for (std::uint64_t slot = home(half); !slots()[slot].is_empty(); slot = after(slot)) {
      if (slots()[slot].half != half) continue;
      const PathIndex index = slots()[slot].index();
      if (index < found && (index == far || hash_at(index) == hashed)) found = index;
    }
    return found;
  }

  bool is_full() const { return 4 * (used_ + 1) > 3 * places(); }

  /// Empties the table and makes room for `states`, and for as many again if the budget allows. Returns false if it has
  /// no room at all.
  [[nodiscard]] bool begin_again(std::uint64_t states) {
    slots_.clear();
    used_ = 0;
    const std::uint64_t least = round_up((states + 1) * 4 / 3 * sizeof(Entry) + sizeof(Entry), small_page);
    const std::uint64_t left = slots_.budget().left();
    return slots_.resize(std::clamp(left / 4 * 3, least, 2 * least)) || slots_.resize(least);
  }

  /// A state may be added several times. The table must not be full.
  void add(Word hashed, PathIndex index) {
    const Entry entry{half_of(hashed), index + 1};
    std::uint64_t slot = home(entry.half);
    while (!slots()[slot].is_empty()) slot = after(slot);
    slots()[slot] = entry;
    ++used_;
  }

  void remove(Word hashed, PathIndex index) {
    const std::uint32_t half = half_of(hashed);
    std::uint64_t gap = home(half);
    while (slots()[gap].half != half || slots()[gap].index() != index) gap = after(gap);
    for (std::uint64_t next = after(gap); !slots()[next].is_empty(); next = after(next)) {
      // Must not move before its home.
      if (distance(home(slots()[next].half), next) < distance(gap, next)) continue;
      slots()[gap] = slots()[next];
      gap = next;
    }
    slots()[gap] = {};
    --used_;
  }

 private:
  struct Entry {
    std::uint32_t half = 0;            // of the hash
    std::uint32_t index_plus_one = 0;  // zero: the slot is empty

    bool is_empty() const { return index_plus_one == 0; }
    PathIndex index() const { return index_plus_one - 1; }
  };

  static std::uint32_t half_of(Word hashed) { return static_cast<std::uint32_t>(hashed >> 32); }

  Entry* slots() const { return slots_.as<Entry>(); }
  std::uint64_t places() const { return slots_.bytes() / sizeof(Entry); }
  /// Spreads halves of hashes evenly; a path of more than 2^32 states is beyond any budget.
  std::uint64_t home(std::uint32_t half) const { return half * places() >> 32; }
  std::uint64_t after(std::uint64_t slot) const { return slot + 1 == places() ? 0 : slot + 1; }
  std::uint64_t distance(std::uint64_t from, std::uint64_t to) const {
    return to >= from ? to - from : to + places() - from;
  }

  Region slots_;
  std::uint64_t used_ = 0;
};

}  // namespace scrimp
