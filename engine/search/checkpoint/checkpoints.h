// The checkpoints that a search writes, one after the other, and the one that it goes on from.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/memory.h"
#include "search/breadth_first/level_log.h"
#include "search/checkpoint/checkpoint_file.h"
#include "search/checkpoint/folder.h"
#include "search/checkpoint/options.h"

namespace scrimp {

class Checkpoints {
 public:
  using Clock = std::chrono::steady_clock;

  /// Throws std::bad_alloc if the budget has no room for the buffer.
  Checkpoints(const CheckpointOptions& options, SavedOrder order, const Machine& machine, Budget& budget);

  bool is_due() const { return Clock::now() >= next_; }

  /// The log of a breadth-first search: that of the checkpoint, unless its states have another layout.
  std::unique_ptr<LevelLog> open_log(Budget& budget);
  std::string log_path(std::uint64_t number) const { return options_.folder + "/" + log_name(number); }

  /// The numbers of the checkpoint to go on from; null if the search starts at the beginning.
  const SavedProgress* resumed() const { return resumed_ ? &*resumed_ : nullptr; }
  /// The blocks of that checkpoint, beginning with those after the numbers. Once.
  CheckpointReader& blocks() { return *reader_; }
  const Reencoding* reencoding() const { return options_.reencoding ? &*options_.reencoding : nullptr; }

  /// Writes a checkpoint; `write` writes the blocks after the numbers and returns false if it cannot. Returns whether
  /// the checkpoint is permanent; if not, those before it still are.
  [[nodiscard]] bool write(SavedProgress progress, double seconds, const std::function<bool(CheckpointWriter&)>& write);

  /// Something that makes checkpoints impossible. The first complaint stays. Returns false.
  bool complain(const std::string& what);
  const CheckpointReport& report() const { return report_; }

 private:
  struct Kept {
    std::uint64_t number, log;
  };

  bool read_resumed();
  void keep_last_two();

  const CheckpointOptions& options_;
  const SavedOrder order_;
  const Machine& machine_;
  Region buffer_;
  Clock::time_point next_;
  std::optional<CheckpointReader> reader_;
  std::optional<SavedProgress> resumed_;
  std::uint64_t log_number_ = 0;
  std::uint64_t next_number_ = 1;
  bool is_log_named_ = false;  // permanently
  std::optional<Kept> last_, last_but_one_;
  CheckpointReport report_;
};

}  // namespace scrimp
