// The successors that a thread has met last, in a table that stays in its own caches.
//
//     | a | . | b | c | . | ... |      a state replaces the one before it in its place
//
// States that are expanded one after the other have many successors in common: of all successors, a third to a half are
// found here, and need not be looked up in the set of states, which is far away. A thread takes the states of a level
// in order, so that a successor that it has met before is not the first of its kind, and not fresh.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/hash.h"
#include "core/machine.h"
#include "core/memory.h"

namespace scrimp {

/// `fixed_words` is the machine's number of words if the loop is compiled for that number, else 0.
template <std::uint32_t fixed_words>
class LastSuccessors {
 public:
  /// Takes little of the budget, and nothing if there is little.
  LastSuccessors(Budget& budget, std::uint32_t words) : words_(words), region_(budget) {
    const std::size_t bytes = std::min<std::size_t>(most_bytes, budget.left() / 64) / small_page * small_page;
    if (bytes >= state_bytes() && region_.resize(bytes))
      shift_ = 65 - static_cast<unsigned>(std::bit_width(bytes / state_bytes()));
  }

  /// Omits those of the states [begin, end) that it has met before; the others move up, in order. Returns their end.
  std::uint32_t omit_repeated(Word* states, std::uint32_t begin, std::uint32_t end) {
    if (!has_room()) return end;
    std::uint32_t kept = begin;
    for (std::uint32_t i = begin; i < end; ++i) {  // branch-free: which states repeat is unpredictable
      const Word* const state = states + std::size_t{i} * words();
      Word* const target = states + std::size_t{kept} * words();
      const bool repeats = is_repeated(state);
      for (std::size_t w = 0; w < words(); ++w) target[w] = state[w];
      kept += !repeats;
    }
    return kept;
  }

  /// Whether it has met a state before, as far as it remembers.
  [[gnu::always_inline]] bool is_repeated(const Word* state) {
    Word* const last = region_.template as<Word>() + place(state) * words();
    Word difference = 0;
    for (std::size_t w = 0; w < words(); ++w) {
      difference |= state[w] ^ last[w];
      last[w] = state[w];
    }
    return difference == 0;
  }
  /// Whether it remembers any; otherwise `is_repeated` must not be called.
  bool has_room() const { return region_.bytes() != 0; }

 private:
  static constexpr std::size_t most_bytes = std::size_t{128} << 10;

  std::size_t words() const { return fixed_words != 0 ? fixed_words : words_; }
  std::size_t state_bytes() const { return words() * sizeof(Word); }
  std::size_t place(const Word* state) const {
    if constexpr (fixed_words == 1) return mix(*state) >> (shift_ - 1) >> 1;
    return hash_words(state, static_cast<std::uint32_t>(words())) >> (shift_ - 1) >> 1;
  }

  const std::uint32_t words_;
  Region region_;  // no state is zero, which marks an empty place
  unsigned shift_ = 64;
};

}  // namespace scrimp
