// What a search needs to know to leave checkpoints behind, and to go on from one; and the same for what it hands over
// to a search with wider fields.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "search/checkpoint/reencoding.h"

namespace scrimp {

struct CheckpointOptions {
  std::string folder;
  double every = 0;                      // seconds between two checkpoints
  std::vector<std::uint8_t> setup;       // opaque: kept in every checkpoint, for the caller that resumes the search
  std::optional<std::uint64_t> resume;   // the number of the checkpoint to go on from
  std::optional<Reencoding> reencoding;  // of its states, if those of the machine have another layout
};

/// What became of the checkpoints of a search.
struct CheckpointReport {
  std::uint64_t written = 0;         // checkpoints
  std::uint64_t states = 0;          // in the last one, written or resumed from
  std::uint64_t resumptions = 0;     // of this search, up to now
  std::uint64_t resumed_states = 0;  // with which it went on
  std::string complaint;             // why no more could be written, or why the search could not be resumed
};

struct HandoverOptions {
  int file = -1;                         // without a name: see handover.h
  std::uint64_t most_bytes = 0;          // that may be written to it
  std::uint64_t least_states = 0;        // with fewer, it is as quick to start again
  double seconds_of_state = 0;           // that it takes to read one, instead of finding it again
  bool takes_over = false;               // goes on from what is in the file
  std::optional<Reencoding> reencoding;  // of its states, if those of the machine have another layout
};

/// What became of it. `left`: a value did not fit, and everything is in the file. `lost`: the search had not taken over
/// yet when it ended.
enum class HandoverEnd : std::uint8_t { none, left, lost };

constexpr const char* name(HandoverEnd end) {
  return end == HandoverEnd::left ? "left" : end == HandoverEnd::lost ? "lost" : "none";
}

}  // namespace scrimp
