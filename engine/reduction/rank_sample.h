// A sample of what a selection chooses, from which ranks are learned (reduction/ranks.h).
//
//   1. Visit states breadth-first from the initial state, firing what the selection chooses, as if P always held.
//   2. Keep the states in which it leaves something out, with those that the chosen events lead to.
//   3. After some hundred states, visit only a few of each level, evenly spread over it: what is chosen in the middle
//   of
//      a run may have little in common with its beginning.
//   4. End after a fixed number of states.
#pragma once

#include <cstdint>

#include "core/budget.h"
#include "core/machine.h"
#include "reduction/ranks.h"
#include "reduction/selection.h"

namespace scrimp {

inline constexpr std::uint32_t sampled_states = 2000;
inline constexpr std::uint32_t broadly_sampled_states = 800;
inline constexpr std::uint32_t sampled_of_level = 12;

Ranks::Sample sample_choices(const Machine& machine, Selection& selection, Budget& budget);

}  // namespace scrimp
