// The frontier of a breadth-first search with the ComBack method. States are numbered in the order of discovery, so the
// queued states have the numbers from `front` on: a queue of numbers takes no memory.
//
//     numbers        | expanded | front ...                queued                     ... |
//     descriptors               | of all queued states (search/breadth_first/state_queue.h), or         |
//                               | of one group  |
//
// If the queue has numbers only (EWK09, section 4.3), groups of states are reconstructed before they are expanded.
#pragma once

#include <cstdint>
#include <cstring>
#include <ranges>

#include "core/machine.h"
#include "core/region_vector.h"
#include "search/breadth_first/state_queue.h"
#include "store/comback/state_id.h"

namespace scrimp {

class ComBackFrontier {
 public:
  ComBackFrontier(Budget& budget, std::uint32_t words, bool has_numbers_only)
      : words_(words), has_numbers_only_(has_numbers_only), queue_(budget, words), group_(budget) {}

  std::uint64_t size() const { return end_ - front_; }
  /// The number of the oldest state in the queue.
  StateId front() const { return front_; }

  /// The descriptor of a state that waits, or null.
  const Word* find(StateId id) const {
    if (has_numbers_only_)
      return id - group_first_ < group_size_ ? group_.data() + (id - group_first_) * words_ : nullptr;
    return id >= front_ && id < end_ ? queue_.at(id - front_) : nullptr;
  }

  /// Appends the state with the next number. Returns false if the budget is exhausted.
  [[nodiscard]] bool append(const Word* state) {
    ++end_;
    return has_numbers_only_ || queue_.append(state, 1);
  }

  void pop() {
    ++front_;
    if (!has_numbers_only_) queue_.pop();
  }

  /// Whether the first state has to be reconstructed before it can be found.
  bool needs_group() const { return has_numbers_only_ && front_ - group_first_ >= group_size_; }

  /// Reconstructs the first `count` states.
  template <class Rebuilding>
  void rebuild_group(std::uint64_t count, Rebuilding& rebuilding) {
    group_size_ = 0;
    group_.resize(count * words_);
    rebuilding.rebuild_all(std::views::iota(front_, front_ + count),
                           [this](StateId id, const Word* state, bool is_wanted) {
                             if (is_wanted)
                               std::memcpy(group_.data() + (id - front_) * words_, state, words_ * sizeof(Word));
                           });
    group_first_ = front_;
    group_size_ = count;
  }

  std::uint64_t peak_bytes() const { return queue_.peak_bytes() + group_.bytes(); }

 private:
  const std::uint32_t words_;
  const bool has_numbers_only_;
  StateQueue queue_;
  RegionVector<Word> group_;  // descriptors
  StateId group_first_ = 0;
  std::uint64_t group_size_ = 0;
  StateId front_ = 0;
  StateId end_ = 0;
};

}  // namespace scrimp
