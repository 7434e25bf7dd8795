// A rank for every state, by which a search in any order knows that a reduction postpones no event forever.
//
// The proviso P (reduction/proviso.h) asks for a chosen event that leads nearer to a state in which all events are
// fired. Depth-first, such an event leads off the path. For other orders, let any function assign ranks to states, and
// let some chosen event lead to a state of higher rank than s, or let all events of s be fired: ranks cannot increase
// forever, because there are finitely many states. So P holds, whatever the ranks are, and a choice depends on nothing
// but the state: the same states are visited in any order, by any number of threads, whenever duplicates are found.
// The idea is that of the static proviso of Kurshan, Levin, Minea, Peled and Yenigün, "Static partial order reduction",
// 1998, in which events that close a cycle of a process's control flow are known beforehand.
//
// Good ranks increase with nearly every event that is chosen alone, so that few states are expanded in full. Here the
// rank of a state is a sum of weights: of the places of its processes, and of the bits that are set in its words.
//
//   1. At first, the weight of a place is its number in reverse postorder of its process's control flow, from the
//      initial place, and bits have none: only an event that closes a loop leads to a lower rank.
//   2. From a sample of states, take those in which the selection, without P, leaves events out (rank_sample.h).
//   3. Go through them repeatedly. If no chosen event of a state leads to a higher rank, take the one that leads to the
//      highest; add 1 to the weights of all that it sets, and subtract 1 from those of all that it resets.
//   4. Use the weights with which the fewest states had no such event.
//
// Line 3 is Rosenblatt's perceptron, "The perceptron: a probabilistic model", 1958; line 4 is Gallant's pocket
// algorithm, "Perceptron-based learning algorithms", 1990. If some weights suit all states of the sample, they are
// found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/machine.h"
#include "reduction/control_flow.h"
#include "reduction/relations.h"

namespace scrimp {

class Ranks {
 public:
  /// `initial` is the initial state, of `words` words.
  Ranks(const Relations& relations, const Word* initial, std::uint32_t words);

  /// Whether the second state has a higher rank.
  bool increase(const Word* from, const Word* to) const { return difference(from, to) > 0; }

  /// Some states, each with those that its chosen events lead to.
  struct Sample {
    std::vector<Word> sources;
    std::vector<Word> targets;
    std::vector<std::size_t> ends;  // of the targets of each source
  };
  /// Lines 3 and 4.
  void learn(const Sample& sample);

 private:
  static constexpr std::uint32_t most_passes = 64;

  void number_places(const ControlFlow& flow, std::uint32_t process, std::uint32_t initial);
  std::size_t improve(const Sample& sample);
  std::int64_t difference(const Word* from, const Word* to) const;
  void raise(const Word* from, const Word* to);
  template <class Visit>
  void for_each_change(const Word* from, const Word* to, Visit visit) const;

  const Relations& relations_;
  const std::uint32_t words_;
  std::vector<std::int64_t> weights_;  // of the places, then of the bits
};

}  // namespace scrimp
