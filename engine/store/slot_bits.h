// A set of slots as bits, with summary bits above them: the next slot of the set is found in a few steps, however far
// it is.
//
//     level 2   | 1 0 ...                            one bit for each word of level 1
//     level 1   | 1 0 0 1 ...  | 0 0 ...             one bit for each word of level 0
//     level 0   | 0 1 0 0 ...  | 0 0 ...  | ...      one bit for each slot
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "core/memory.h"
#include "store/column.h"

namespace scrimp {

class SlotBits {
 public:
  explicit SlotBits(Budget& budget) : region_(budget) {}

  [[nodiscard]] bool resize(std::uint64_t slots);

  bool contains(Slot slot) const { return bits(0)[slot / 64] >> slot % 64 & 1; }

  void add(Slot slot) {
    for (unsigned level = 0; level < levels_; ++level, slot /= 64) {
      Word& word = bits(level)[slot / 64];
      const bool was_empty = word == 0;
      word |= Word{1} << slot % 64;
      if (!was_empty) return;
    }
  }

  void remove(Slot slot) {
    for (unsigned level = 0; level < levels_; ++level, slot /= 64) {
      Word& word = bits(level)[slot / 64];
      word &= ~(Word{1} << slot % 64);
      if (word != 0) return;
    }
  }

  /// The first slot of the set from this one on or, if there is none, from slot 0 on. The set must not be empty.
  Slot next(Slot from) const {
    const Slot found = next_without_wrapping(from);
    return found != no_slot ? found : next_without_wrapping(0);
  }

  std::uint64_t bytes() const { return region_.bytes(); }

 private:
  static constexpr unsigned most_levels = 6;  // of 2^32 slots

  Word* bits(unsigned level) const { return region_.as<Word>() + first_[level]; }
  Slot next_without_wrapping(std::uint64_t from) const;
  Slot first_below(unsigned level, std::uint64_t place) const;

  Region region_;
  std::array<std::uint64_t, most_levels> first_{};  // word of each level
  std::array<std::uint64_t, most_levels> words_{};
  unsigned levels_ = 0;
};

}  // namespace scrimp
