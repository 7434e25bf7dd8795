#include "search/expansion/stepper.h"

#include <algorithm>

namespace scrimp {

namespace {

/// One step of the SplitMix64 generator: adds a constant to `state` and scrambles the sum.
std::uint64_t next_random(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15u;
  std::uint64_t x = state;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

}  // namespace

void Stepper::permute(const Word* state, Word* successors, EventId* events, std::uint32_t count) const {
  const std::uint32_t words = machine_.words;
  std::uint64_t generator = seed_;
  for (std::uint32_t i = 0; i < words; ++i) {
    generator ^= state[i];
    generator = next_random(generator);
  }
  for (std::uint32_t left = count; left > 1; --left) {
    const auto chosen = static_cast<std::uint32_t>(next_random(generator) % left);
    const std::uint32_t last = left - 1;
    if (chosen == last) continue;
    std::swap(events[chosen], events[last]);
    std::swap_ranges(successors + std::size_t{chosen} * words, successors + std::size_t{chosen + 1} * words,
                     successors + std::size_t{last} * words);
  }
}

}  // namespace scrimp
