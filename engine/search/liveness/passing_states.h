// The states of the product on which no accepted run turns: those that are visited, but never searched for components.
//
//     set      all passing states that were met
//     stack    those of them that are still to be expanded, with their depth
//     exits    passing states that a search for components has met; looked up together, while memory is prefetched
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/machine.h"
#include "core/region_vector.h"
#include "observe/observer.h"
#include "store/state_set.h"

namespace scrimp {

/// The set may also hold the other states of the product. Functions that add states may throw std::bad_alloc.
template <StateSet Set, std::uint32_t fixed_words>
class PassingStates {
 public:
  PassingStates(Set& set, std::uint32_t words, Observer& observer, Budget& budget)
      : set_(set),
        words_(words),
        observer_(observer),
        results_(budget),
        states_(budget),
        depths_(budget),
        exits_(budget),
        exit_depths_(budget) {}

  /// Whether none is left to be expanded.
  bool empty() const { return depths_.empty() && exit_depths_.empty(); }
  std::uint64_t left() const { return depths_.size() + exit_depths_.size(); }
  std::uint64_t bytes() const {
    return results_.bytes() + states_.bytes() + depths_.bytes() + exits_.bytes() + exit_depths_.bytes();
  }

  /// Frees memory, when the search has ended.
  void release() {
    for (RegionVector<Word>* words : {&states_, &exits_}) words->release();
    for (RegionVector<std::uint32_t>* depths : {&depths_, &exit_depths_}) depths->release();
  }

  /// Adds states that were met at these depths. Ends the search if there is no room.
  void insert(const Word* states, const std::uint32_t* depths, std::uint32_t count) {
    results_.resize(count);
    set_.insert(states, count, results_.data());
    const std::size_t end = depths_.size();
    states_.resize((end + count) * words());
    depths_.resize(end + count);
    std::size_t fresh = 0, known = 0;
    for (std::uint32_t i = 0; i < count; ++i) {  // branch-free: which states are fresh is unpredictable
      copy(states + std::size_t{i} * words(), states_.data() + (end + fresh) * words());
      depths_[end + fresh] = depths[i];
      fresh += results_[i] == Insertion::fresh;
      known += results_[i] == Insertion::known;
    }
    states_.resize((end + fresh) * words());
    depths_.resize(end + fresh);
    observer_.counts.states += fresh;
    observer_.counts.matched += known;
    if (fresh + known != count) observer_.end(Reason::memory);
  }

  /// The same for one state, later.
  void add(const Word* state, std::uint64_t depth) {
    exits_.resize(exits_.size() + words());
    copy(state, exits_.end() - words());
    exit_depths_.push(static_cast<std::uint32_t>(depth));
    if (exit_depths_.size() == exits_at_once) settle();
  }
  void settle() {
    insert(exits_.data(), exit_depths_.data(), static_cast<std::uint32_t>(exit_depths_.size()));
    exits_.clear();
    exit_depths_.clear();
  }

  /// Takes a state off the stack, writes it and returns its depth.
  std::uint32_t take(Word* state) {
    states_.resize(states_.size() - words());
    copy(states_.end(), state);
    return depths_.pop();
  }
  /// Whether there is a state to take.
  bool can_take() const { return !depths_.empty(); }

 private:
  static constexpr std::size_t exits_at_once = 512;

  std::size_t words() const { return fixed_words != 0 ? fixed_words : words_; }
  void copy(const Word* from, Word* to) const {
    for (std::size_t i = 0; i < words(); ++i) to[i] = from[i];
  }

  Set& set_;
  const std::uint32_t words_;
  Observer& observer_;
  RegionVector<Insertion> results_;
  RegionVector<Word> states_;
  RegionVector<std::uint32_t> depths_;
  RegionVector<Word> exits_;
  RegionVector<std::uint32_t> exit_depths_;
};

}  // namespace scrimp
