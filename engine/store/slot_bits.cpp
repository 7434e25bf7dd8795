#include "store/slot_bits.h"

#include <algorithm>

namespace scrimp {

bool SlotBits::resize(std::uint64_t slots) {
  std::array<std::uint64_t, most_levels> first{}, words{};
  unsigned levels = 0;
  std::uint64_t total = 0;
  for (std::uint64_t count = slots; levels == 0 || count > 1; ++levels) {
    count = (count + 63) / 64;
    first[levels] = total;
    words[levels] = count;
    total += count;
  }
  const std::uint64_t kept = std::min(words_[0], words[0]);
  if (!region_.resize(total * sizeof(Word))) return false;
  Word* const all = region_.as<Word>();
  std::fill(all + kept, all + total, 0);
  for (unsigned level = 1; level < levels; ++level)
    for (std::uint64_t i = 0; i < words[level - 1]; ++i)
      if (all[first[level - 1] + i] != 0) all[first[level] + i / 64] |= Word{1} << i % 64;
  first_ = first;
  words_ = words;
  levels_ = levels;
  return true;
}

Slot SlotBits::next_without_wrapping(std::uint64_t from) const {
  for (unsigned level = 0; level < levels_; ++level) {
    const std::uint64_t word = from / 64;
    if (word >= words_[level]) return no_slot;
    const Word rest = bits(level)[word] & ~Word{0} << from % 64;
    if (rest != 0) return first_below(level, word * 64 + static_cast<unsigned>(std::countr_zero(rest)));
    from = word + 1;
  }
  return no_slot;
}

/// The first slot below a set bit of a level.
Slot SlotBits::first_below(unsigned level, std::uint64_t place) const {
  for (; level > 0; --level) place = place * 64 + static_cast<unsigned>(std::countr_zero(bits(level - 1)[place]));
  return static_cast<Slot>(place);
}

}  // namespace scrimp
