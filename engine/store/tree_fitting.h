// Checks, now and then while a set is small, whether its states suggest a better tree.
#pragma once

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

  void replaced() { ++version_; }
  /// Adds the version to a pair of numbers as one word, in the two bits they leave free.
  Word stamped(Word pair) const { return pair | stamp(); }
  bool is_current(Word key) const { return (key & stamp_mask) == stamp(); }
  static Word unstamped(Word key) { return key & ~stamp_mask; }

 private:
  static constexpr std::uint64_t sizes[] = {1u << 12, 1u << 15, 1u << 18, ~std::uint64_t{0}};
  static constexpr Word low_stamp = Word{1} << 31, high_stamp = Word{1} << 63, stamp_mask = low_stamp | high_stamp;
  Word stamp() const { return (version_ & 1 ? low_stamp : 0) | (version_ & 2 ? high_stamp : 0); }

  std::size_t done_ = 0;
  unsigned version_ = 0;  // at most three, because there are no more reviews
};

/// A tree for all the states that `for_each_state` lists, cut to suit them; empty if its tables would take `most` bytes
/// or there is no room.
template <class ForEachState>
std::optional<Tree> fitted_tree(const Machine& machine, Budget& budget, Numbers numbers, std::uint64_t most,
                                ForEachState for_each_state) {
  constexpr std::size_t sample_size = 1024;
  std::vector<Word> sample;
  for_each_state([&](const Word* state) {
    if (sample.size() < sample_size * machine.words) sample.insert(sample.end(), state, state + machine.words);
  });
  std::optional<Tree> tree(std::in_place, machine, budget, numbers, Cuts(machine, sample));
  bool good = true;
  for_each_state([&](const Word* state) {
    Tree::Pair pair;
    good = good && tree->number(state, 1, &pair) == 1 && tree->state_bytes() < most;
  });
  if (!good) tree.reset();
  return tree;
}

}  // namespace scrimp
