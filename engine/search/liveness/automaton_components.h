// The strongly connected components of an automaton, and which of them an accepted run can stay in.
#pragma once

#include <cstdint>
#include <vector>

#include "search/liveness/automaton.h"

namespace scrimp {

/// One byte for each state of the automaton: whether its component lacks a mark, or has no edge. No accepted run visits
/// such a state again and again.
std::vector<std::uint8_t> passing_states(const Automaton& automaton);

}  // namespace scrimp
