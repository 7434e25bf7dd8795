// The levels of a breadth-first search: the size of each and, if paths are wanted, its states in a file.
//
// A path is found without parent pointers, in at most the time of another search and almost no memory:
//   1. Start from the states to which a path is wanted, each on its level.
//   2. For every level from the deepest of those states down to 1:
//   3.   scan the previous level, expanding its states in order;
//   4.   the first state with an event into a wanted state is its parent: note the event, then want the parent instead.
//   5. The noted events, reversed, are a shortest path.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "core/budget.h"
#include "core/machine.h"
#include "observe/finding.h"
#include "search/breadth_first/level_log.h"
#include "search/breadth_first/level_profile.h"
#include "search/checkpoint/checkpoint_file.h"
#include "search/checkpoint/reencoding.h"
#include "search/expansion/expander.h"

namespace scrimp {

class Levels final : public Witness {
 public:
  /// The log may be null: then there are no paths.
  Levels(Budget& budget, const Machine& machine, std::unique_ptr<LevelLog> log)
      : budget_(budget), machine_(machine), log_(std::move(log)) {}
  Levels(Budget& budget, const Machine& machine, bool keep_states);
  ~Levels() override { budget_.give_back(count_bytes_); }
  Levels(const Levels&) = delete;
  Levels& operator=(const Levels&) = delete;

  /// Whether paths were wanted that cannot be found: the states before them could not be kept.
  bool has_lost_paths() const { return has_lost_paths_; }

  /// Appends states that were first reached from the level being expanded; they belong to the next level.
  void append(const Word* states, std::uint64_t count) {
    count_appended(count);
    if (log_ != nullptr) log_->append(states, count);
  }
  /// The same in two steps: these are counted now, and their states are appended to the log, which may be null, later.
  void count_appended(std::uint64_t count) { levels_.back().states += count; }
  LevelLog* log() { return log_.get(); }

  /// Completes the level that was appended to: it is expanded now, and states appended from here on belong to the level
  /// after it. Returns false, with nothing changed, if the budget has no room for one more level: there may be as many
  /// levels as states.
  [[nodiscard]] bool begin_next() {
    if (levels_.size() == levels_.capacity() && !add_room()) return false;
    if (levels_.size() >= 2) profile_.add(levels_[levels_.size() - 2]);
    levels_.emplace_back();
    return true;
  }
  void fired(std::uint64_t transitions) {
    if (transitions != 0) levels_[levels_.size() - 2].transitions += transitions;
  }

  /// The numbers of the level being expanded and of the one being appended to.
  std::uint64_t current() const { return levels_.size() - 2; }
  std::uint64_t next() const { return levels_.size() - 1; }
  /// Of the level being expanded.
  std::uint64_t current_states() const { return levels_[levels_.size() - 2].states; }
  std::uint64_t next_states() const { return levels_.back().states; }
  /// The levels that were expanded, the one being expanded, and how many states were found for the next one.
  void describe(Report& report) const;

  /// A watch refers to a state that has just been appended, any other finding to the state being expanded.
  bool record(Finding finding, const Word* state) override;

  /// The recorded findings, in order, with their paths; findings whose path is not found before `give_up` returns true
  /// are omitted.
  std::vector<Finding> findings(Expander& expander, const std::function<bool()>& give_up);

  Budget& budget() const { return budget_; }
  /// How much there is now: at least the current level and the next one. Saved later, it is what there was.
  struct Mark {
    std::size_t levels = 0, sightings = 0;
    Level current, next;
  };
  Mark mark() const {
    return {levels_.size(), sightings_.size(), levels_[levels_.size() - 2], levels_[levels_.size() - 1]};
  }
  void save(const Mark& mark, CheckpointWriter& file) const;
  void restore(CheckpointReader& file, const Reencoding* reencoding);

  /// The levels that contain states. No other member may be called afterwards.
  std::vector<Level> take_counts();
  std::uint64_t bytes() const { return count_bytes_ + (log_ == nullptr ? 0 : log_->bytes()); }

 private:
  struct Sighting {
    Finding finding;  // its events are in reverse order
    std::uint64_t level;
    std::vector<Word> state;
    bool complete = false;
  };

  bool add_room();

  Budget& budget_;
  const Machine& machine_;
  std::uint64_t count_bytes_ = 0;  // taken from the budget for `levels_`
  std::vector<Level> levels_{1};   // the last one is still being appended to
  LevelProfile profile_;           // of those that are expanded
  std::unique_ptr<LevelLog> log_;
  std::vector<Sighting> sightings_;
  bool has_lost_paths_ = false;

  friend class ParentScan;
};

}  // namespace scrimp
