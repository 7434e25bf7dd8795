// Families of distinct states for the tests of the sets: made by number, so that the i-th can be made again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/hash.h"
#include "core/machine.h"
#include "store/bit_ranges.h"

namespace scrimp::testing {

using State = std::vector<Word>;

/// A machine with nothing but the layout of its states.
class Layout {
 public:
  explicit Layout(std::vector<std::uint8_t> bits) : bits_(std::move(bits)) {
    machine_.words = static_cast<std::uint32_t>(bits_.size());
    machine_.word_bits = bits_.data();
  }
  Layout(const Layout&) = delete;

  const Machine& machine() const { return machine_; }
  std::size_t words() const { return bits_.size(); }
  Word mask(std::size_t word) const { return ~Word{0} >> (64 - bits_[word]); }

 private:
  std::vector<std::uint8_t> bits_;
  Machine machine_{};
};

/// Random states: every used bit is random. States repeat if the layout has few bits.
inline State scattered(const Layout& layout, std::uint64_t number) {
  State state(layout.words());
  for (std::size_t i = 0; i < state.size(); ++i) state[i] = mix(number * 64 + i + 1) & layout.mask(i);
  state[0] |= 1;
  return state;
}

/// Counters: consecutive numbers differ in the lowest bits of one word after the other.
inline State counted(const Layout& layout, std::uint64_t number) {
  State state(layout.words());
  for (std::size_t i = 0; i < state.size(); ++i) state[i] = (number / (i + 1)) << (i == 0 ? 1 : 0) & layout.mask(i);
  state[0] |= 1;
  return state;
}

/// Recurring parts: each word is one of a few dozen patterns.
inline State recurring(const Layout& layout, std::uint64_t number) {
  State state(layout.words());
  for (std::size_t i = 0; i < state.size(); ++i, number /= 48) state[i] = mix(number % 48 + i * 64) & layout.mask(i);
  state[0] |= 1;
  return state;
}

/// Two halves of the used bits that recur independently: one of 512 patterns each.
inline State halved(const Layout& layout, std::uint64_t number) {
  State state(layout.words());
  const unsigned bits = used_bits(layout.machine());
  const Word patterns[2] = {number * 7 % 512, number / 512 * 5 % 512};
  for (unsigned half = 0; half < 2; ++half)
    for (unsigned from = half * bits / 2, stop = (half + 1) * bits / 2; from < stop; from += 64)
      BitRange(layout.machine(), from, std::min(from + 64, stop))
          .write(mix(patterns[half] * 64 + from + 1), state.data());
  state[0] |= 1;
  return state;
}

using Family = State (*)(const Layout&, std::uint64_t);
inline constexpr Family families[] = {scattered, counted, recurring, halved};

}  // namespace scrimp::testing
