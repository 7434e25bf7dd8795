// Checks, now and then while a set is small, whether its states suggest a better tree.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "store/cuts.h"
#include "store/tree.h"

namespace scrimp {

/// When to check, by number of states. Keys made with a tree that was replaced since are recognised by `version`.
class Reviews {
 public:
  bool due(std::uint64_t states) const { return states >= sizes[done_]; }
  void next(std::uint64_t states) {
    while (due(states)) ++done_;
  }

  /// Whether there will be no more.
  bool are_over() const { return sizes[done_] == never; }

  void replaced() { ++version_; }
  /// Adds the version to a pair of numbers as one word, in the two bits they leave free.
  Word stamped(Word pair) const { return pair | stamp(); }
  bool is_current(Word key) const { return (key & stamp_mask) == stamp(); }
  static Word unstamped(Word key) { return key & ~stamp_mask; }

 private:
  static constexpr std::uint64_t never = ~std::uint64_t{0};
  static constexpr std::uint64_t sizes[] = {1u << 12, 1u << 15, 1u << 18, never};
  static constexpr Word low_stamp = Word{1} << 31, high_stamp = Word{1} << 63, stamp_mask = low_stamp | high_stamp;
  Word stamp() const { return (version_ & 1 ? low_stamp : 0) | (version_ & 2 ? high_stamp : 0); }

  std::size_t done_ = 0;
  unsigned version_ = 0;  // at most three, because there are no more reviews
};

/// A tree for all the states that `for_each_state` lists, cut to suit them; empty if its tables would take `most` bytes
/// or there is no room. Writes the pairs of the states, as words, unless `pairs` is null.
template <class ForEachState>
std::optional<Tree> fitted_tree(const Machine& machine, Budget& budget, Numbers numbers, std::uint64_t most,
                                ForEachState for_each_state, Word* pairs = nullptr) {
  constexpr std::size_t sample_size = 1024;
  constexpr std::uint32_t most_block_words = 8192;
  std::vector<Word> sample;
  for_each_state([&](const Word* state) {
    if (sample.size() < sample_size * machine.words) sample.insert(sample.end(), state, state + machine.words);
  });
  std::optional<Tree> tree(std::in_place, machine, budget, numbers, Cuts(machine, sample));
  bool good = true;
  const std::uint32_t most_at_once = std::clamp(most_block_words / machine.words, 1u, Tree::block);
  std::vector<Word> block(std::size_t{most_at_once} * machine.words);
  std::uint32_t count = 0;
  const auto number_block = [&] {
    Tree::Pair made[Tree::block];
    good = good && tree->number(block.data(), count, made) == count && tree->state_bytes() < most;
    for (std::uint32_t i = 0; good && pairs != nullptr && i < count; ++i) *pairs++ = made[i].word();
    count = 0;
  };
  for_each_state([&](const Word* state) {
    std::copy_n(state, machine.words, &block[count * machine.words]);
    if (++count == most_at_once) number_block();
  });
  number_block();
  if (!good) tree.reset();
  return tree;
}

}  // namespace scrimp
