// A machine written by hand: `Counters` counters, each from 0 to `Size` - 1; event i increments counter i. The results
// of a search of it are known in closed form.
#pragma once

#include <array>
#include <cstdint>

#include "core/machine.h"

namespace scrimp::testing {

/// Deviations of the grid from plain counting. A position is given as the value that all counters have; -1: none.
struct Quirks {
  int faulty_at = -1;      // event 0 is a fault if every counter has this value
  int misfit_at = -1;      // event 0 does not fit there
  int watched_at = -1;     // watch 0 is hit there; watch 1 is hit if every counter but the first is 0
  bool ends_well = false;  // the last corner is a valid end state
  bool wraps = false;      // a counter at its end goes back to 0: a torus, on which depth-first paths are long
};

template <std::uint32_t Counters, std::uint32_t Size, std::uint32_t CountersPerWord = Counters,
          Quirks quirks = Quirks{}>
struct Grid {
  static constexpr std::uint32_t words = (Counters + CountersPerWord - 1) / CountersPerWord;
  static constexpr std::uint32_t bits = Size <= 2 ? 1 : Size <= 4 ? 2 : Size <= 16 ? 4 : Size <= 256 ? 8 : 16;
  static_assert(CountersPerWord * bits < 64);

  static constexpr std::array<std::uint8_t, words> word_bits = [] {
    std::array<std::uint8_t, words> widths{};
    widths.fill(CountersPerWord * bits + 1);
    return widths;
  }();

  static constexpr std::uint32_t shift(std::uint32_t counter) { return counter % CountersPerWord * bits + 1; }

  static Word value(const Word* state, std::uint32_t counter) {
    return state[counter / CountersPerWord] >> shift(counter) & ((Word{1} << bits) - 1);
  }

  static bool all_equal(const Word* state, int wanted) {
    for (std::uint32_t i = 0; i < Counters; ++i)
      if (static_cast<int>(value(state, i)) != wanted) return false;
    return true;
  }

  static void initial(const void*, Word* state) {
    for (std::uint32_t i = 0; i < words; ++i) state[i] = i == 0;
  }

  static std::uint64_t successors(const void*, const Word* state, Word* successors, EventId* events) {
    std::uint32_t count = 0;
    EventId flags = 0;
    for (std::uint32_t i = 0; i < Counters; ++i) {
      const bool at_end = value(state, i) + 1 == Size;
      if (at_end && !quirks.wraps) continue;
      for (std::uint32_t word = 0; word < words; ++word) successors[count * words + word] = state[word];
      successors[count * words + i / CountersPerWord] += (at_end ? 1 - Word{Size} : Word{1}) << shift(i);
      events[count] = i | flags_of(state, i);
      flags |= events[count++] & ~event_mask;
    }
    return std::uint64_t{flags} << 32 | count;
  }

  static EventId flags_of(const Word* state, std::uint32_t event) {
    if (event != 0) return 0;
    if (quirks.faulty_at >= 0 && all_equal(state, quirks.faulty_at)) return fault_flag;
    if (quirks.misfit_at >= 0 && all_equal(state, quirks.misfit_at)) return misfit_flag;
    return 0;
  }

  static std::uint64_t watch(const void*, const Word* state) {
    bool axis = true;
    for (std::uint32_t i = 1; i < Counters; ++i) axis = axis && value(state, i) == 0;
    return std::uint64_t{all_equal(state, quirks.watched_at)} | std::uint64_t{axis} << 1;
  }

  static std::uint32_t valid_end(const void*, const Word*) { return quirks.ends_well; }

  static Machine machine() {
    return {.words = words,
            .max_successors = Counters,
            .transitions = Counters,
            .watches = 2,
            .word_bits = word_bits.data(),
            .functions = {.initial = initial,
                          .successors = successors,
                          .watch = quirks.watched_at >= 0 ? watch : nullptr,
                          .valid_end = valid_end}};
  }
};

}  // namespace scrimp::testing
