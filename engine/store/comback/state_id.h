// States by their numbers: 0 is the initial state, the others follow in the order in which they were recognised as new.
#pragma once

#include <cstdint>

namespace scrimp {

using StateId = std::uint64_t;

/// How a state was first reached: the number of its predecessor, which is smaller (the initial state's is its own), and
/// its place among the predecessor's successors.
struct Backedge {
  StateId predecessor = 0;
  std::uint32_t ordinal = 0;
};

}  // namespace scrimp
