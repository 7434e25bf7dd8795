// Where a tree cuts the used bits of states in two, and the halves again.
//
// The numbers that a tree needs are the distinct values of its ranges. Halves of equal length are the first guess. With
// states available it is better to look at them: the best cut leaves the fewest distinct values before and after it,
// which balances the information of the two parts rather than their numbers of bits. A sample of the states is enough:
// the number of distinct values is estimated from how often they recur in it.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "core/machine.h"

namespace scrimp {

class Cuts {
 public:
  /// Every range is halved.
  Cuts() = default;

  /// Cuts that suit the given states, `machine.words` words each, one after the other.
  Cuts(const Machine& machine, const std::vector<Word>& states);

  /// How many different parts the tables of a tree with these cuts have for some states.
  std::uint64_t parts(const Machine& machine, const std::vector<Word>& states) const;

  /// The cut of a range of used bits.
  unsigned at(unsigned from, unsigned to) const {
    const auto found = chosen_.find({from, to});
    return found == chosen_.end() ? (from + to) / 2 : found->second;
  }

 private:
  /// Chooses the cut of a range and, if its parts are too long for a word, their cuts.
  void choose(const Machine& machine, const std::vector<Word>& states, unsigned from, unsigned to);

  /// The parts of a range of used bits, and of the ranges into which it is cut.
  std::uint64_t parts_within(const Machine& machine, const std::vector<Word>& states, unsigned from, unsigned to) const;

  std::map<std::pair<unsigned, unsigned>, unsigned> chosen_;
};

}  // namespace scrimp
