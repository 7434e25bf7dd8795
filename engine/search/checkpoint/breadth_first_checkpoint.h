// Checkpoints of a breadth-first search, and how it goes on from one.
//
//   1. Before each round, note the numbers of the search: a round that is interrupted counts as not begun.
//   2. To write a checkpoint: make the log permanent, then write the numbers, the levels, the findings so far and the
//      checksums of the log, as far as the numbers go. So only new states are written.
//   3. To go on: read the states of the log into the set, and those that were not expanded into the queue as well. Any
//      set, any budget and any number of threads will do, because none of them changes the order of states.
#pragma once

#include <cstdint>
#include <functional>

#include "observe/observer.h"
#include "search/breadth_first/levels.h"
#include "search/checkpoint/checkpoints.h"

namespace scrimp {

class BreadthFirstCheckpoint {
 public:
  BreadthFirstCheckpoint(Checkpoints& checkpoints, Levels& levels, Observer& observer)
      : checkpoints_(checkpoints), levels_(levels), observer_(observer) {}

  /// L1. Returns false if the log cannot be written.
  [[nodiscard]] bool mark(std::uint64_t expanded, std::uint64_t level_left);
  bool is_due() const { return checkpoints_.is_due(); }
  /// L2. All states are in the log, and all events that fired are known to the observer.
  [[nodiscard]] bool save();
  /// The same, unless there is nothing new.
  void save_at_end() {
    if (is_new_) static_cast<void>(save());
  }

  /// L3.
  bool resumes() const { return checkpoints_.resumed() != nullptr; }
  const SavedProgress& resumed() const { return *checkpoints_.resumed(); }
  /// Restores the numbers, the levels and the findings. Returns false if that is not possible.
  [[nodiscard]] bool restore();
  /// Reads the states in order, `count` at a time or fewer, to `states`; `use` gets their number and returns false to
  /// stop. Returns false if they could not be read.
  [[nodiscard]] bool read_states(Word* states, std::uint64_t count, const std::function<bool(std::uint64_t)>& use);

 private:
  struct Mark {
    SavedProgress progress;
    Levels::Mark levels;
  };

  bool write(CheckpointWriter& file);
  bool write_sums(CheckpointWriter& file);

  Checkpoints& checkpoints_;
  Levels& levels_;
  Observer& observer_;
  Mark mark_;
  bool is_new_ = false;  // what was marked is not in a checkpoint
};

}  // namespace scrimp
