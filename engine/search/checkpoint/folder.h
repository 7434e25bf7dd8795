// The folder of a search that can be resumed.
//
//     checkpoint-17, checkpoint-18     the last two checkpoints
//     states-0                         the states of a breadth-first search, level after level
//
// Checkpoints of a breadth-first search refer to the same file of states, which only grows: each says how many of its
// words it means, and has their checksums. If the states get another layout, a file of another number begins.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/machine.h"
#include "observe/observer.h"

namespace scrimp {

enum class SavedOrder : Word { breadth_first, depth_first };

/// The numbers of a search in a checkpoint. All are words, so that they can be written as they are.
struct SavedProgress {
  SavedOrder order = SavedOrder::breadth_first;
  Word state_words = 0;
  Word events = 0;  // of the machine
  Word watches = 0;
  Observer::Numbers observed;
  double seconds = 0;
  Word resumptions = 0;
  Word expanded = 0;    // states that were expanded
  Word level_left = 0;  // states of the current level that were not
  Word log_number = 0;  // of the file with the states
  Word log_states = 0;  // of which the search knows
};
static_assert(sizeof(SavedProgress) % sizeof(Word) == 0);

inline constexpr std::size_t progress_words = sizeof(SavedProgress) / sizeof(Word);

std::string checkpoint_name(std::uint64_t number);
std::string log_name(std::uint64_t number);

/// The numbers of the checkpoints in a folder, the latest first.
std::vector<std::uint64_t> checkpoints_in(const std::string& folder);
/// A number that no file of states has.
std::uint64_t unused_log_number(const std::string& folder);

/// A checkpoint that was read from the first byte to the last, its states included, and is intact.
struct IntactCheckpoint {
  std::uint64_t number;
  std::uint64_t states;
  std::vector<std::uint8_t> setup;
};

/// The latest intact checkpoint, and why those after it are not.
struct Survey {
  std::optional<IntactCheckpoint> latest;
  std::vector<std::string> complaints;
};
Survey survey(const std::string& folder);

/// Removes all checkpoints but two, and the files of states that neither refers to.
void remove_others(const std::string& folder, const std::vector<std::uint64_t>& checkpoints,
                   const std::vector<std::uint64_t>& logs);

}  // namespace scrimp
