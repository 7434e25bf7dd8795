// States by their numbers: 0 is the initial state, the others follow in the order in which they were found to be new.
#pragma once

#include <cstdint>

namespace scrimp {

using StateId = std::uint64_t;

/// How a state was reached first: by which of the entries among its predecessor's successors. The predecessor's number
/// is the smaller one; that of the initial state is its own.
struct Backedge {
  StateId predecessor = 0;
  std::uint32_t ordinal = 0;
};

}  // namespace scrimp
