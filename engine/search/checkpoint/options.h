// What a search needs to know to leave checkpoints behind, and to go on from one.
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

}  // namespace scrimp
