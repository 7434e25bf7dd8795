// Strong bisimilarity of the states of an explicit LTS, by partition refinement.
//
//   1. All states are in one block, and dirty: it is not known whether they belong together.
//   2. While some block has dirty states:
//   3.   find the signature of each of them, the set of (label, block) that its transitions lead to;
//   4.   those with the signature of the block's clean states, if there are any, stay with these; otherwise each
//        signature makes a block;
//   5.   the largest of these keeps the block's number, the others get new ones;
//   6.   every state with a transition to a state with a new number is dirty.
//
// Clean states of a block have the same signature. A state gets a new number at most log2(n) times, because each time
// its block is at most half as large: so each transition is looked at O(log n) times for each end. (Paige and Tarjan's
// "process the smaller half", with signatures after Blom and Orzan.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace scrimp {

struct LtsColumns {
  std::uint32_t states;
  const std::uint32_t* sources;
  const std::uint32_t* labels;
  const std::uint32_t* targets;
  std::size_t transitions;
};

/// What minimising an LTS takes at most, with its columns, for each state and each transition.
constexpr std::size_t minimising_bytes_of_a_state = 96;
constexpr std::size_t minimising_bytes_of_a_transition = 40;

/// Called several times a second while something takes long; may throw, which ends it.
using Poll = std::function<void()>;

/// The block of each state. Blocks are numbered from 0 in the order of their first states. Throws std::out_of_range if
/// a transition refers to a state that does not exist.
std::vector<std::uint32_t> strongly_bisimilar(const LtsColumns& lts, const Poll& poll = {});

struct LtsEdge {
  std::uint32_t source, label, target;

  bool operator==(const LtsEdge&) const = default;
};

struct MinimalLts {
  std::uint32_t states = 0;
  std::vector<LtsEdge> edges;  // sorted by source, label and target
};

/// The smallest LTS that is strongly bisimilar to this one; its states are the blocks.
MinimalLts minimised(const LtsColumns& lts, const Poll& poll = {});

}  // namespace scrimp
