// Descriptors of some states of a depth-first path, for the ComBack method: evenly spaced, further apart if the path is
// long. The backedges of every visited state lead to the path, so following them reaches the path before the initial
// state, and then soon one of these checkpoints.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/machine.h"
#include "core/region_vector.h"
#include "store/comback/state_id.h"

namespace scrimp {

class PathCheckpoints {
 public:
  PathCheckpoints(Budget& budget, std::uint32_t words) : words_(words), checkpoints_(budget), states_(budget) {}

  /// Called when a state was appended to the path at this index; at most `most` descriptors may be kept.
  void entered(StateId id, std::uint64_t index, const Word* state, std::uint64_t most) {
    if (most == 0 || index == 0) return;  // the initial state is available anyway
    while (spacing_ > 1 && checkpoints_.size() < most / 4) spacing_ /= 2;
    while (index % spacing_ == 0 && checkpoints_.size() >= most) widen();
    if (index % spacing_ != 0) return;
    checkpoints_.push({id, index});
    states_.resize(states_.size() + words_);
    std::copy_n(state, words_, states_.end() - words_);
  }

  /// Called when the last state, at this index, leaves the path.
  void left(std::uint64_t index) {
    if (checkpoints_.empty() || checkpoints_.back().index != index) return;
    checkpoints_.pop();
    states_.resize(states_.size() - words_);
  }

  /// The descriptor of a state, or null. Numbers ascend along the path.
  const Word* find(StateId id) const {
    const auto is_before = [](const Checkpoint& each, StateId wanted) { return each.id < wanted; };
    const Checkpoint* const found = std::lower_bound(checkpoints_.begin(), checkpoints_.end(), id, is_before);
    if (found == checkpoints_.end() || found->id != id) return nullptr;
    return states_.data() + static_cast<std::size_t>(found - checkpoints_.begin()) * words_;
  }

  std::uint64_t size() const { return checkpoints_.size(); }
  std::uint64_t bytes() const { return checkpoints_.bytes() + states_.bytes(); }

 private:
  struct Checkpoint {
    StateId id;
    std::uint64_t index;
  };

  void widen() {
    spacing_ *= 2;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < checkpoints_.size(); ++i) {
      if (checkpoints_[i].index % spacing_ != 0) continue;
      std::copy_n(states_.data() + i * words_, words_, states_.data() + kept * words_);
      checkpoints_[kept++] = checkpoints_[i];
    }
    checkpoints_.resize(kept);
    states_.resize(kept * words_);
  }

  const std::uint32_t words_;
  std::uint64_t spacing_ = 1;
  RegionVector<Checkpoint> checkpoints_;
  RegionVector<Word> states_;
};

}  // namespace scrimp
