// Where a tree cuts the used bits of states in two, and the halves again.
//
// The numbers a tree needs are the distinct values of the ranges it makes. Halves of equal length are the first guess.
// With states at hand it is better to look: the best cut is the one that leaves the fewest distinct values before and
// behind it, which balances what the two parts tell rather than how many bits they have. A sample of the states is
// enough: how many values there are is estimated from how often they recur in it.
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

  /// Cuts that suit some states, `machine.words` words each, one after the other.
  Cuts(const Machine& machine, const std::vector<Word>& states);

  /// Where a range of used bits is cut.
  unsigned at(unsigned from, unsigned to) const {
    const auto found = chosen_.find({from, to});
    return found == chosen_.end() ? (from + to) / 2 : found->second;
  }

 private:
  /// Chooses the cut of a range and, where its parts are too long for a word, theirs.
  void choose(const Machine& machine, const std::vector<Word>& states, unsigned from, unsigned to);

  std::map<std::pair<unsigned, unsigned>, unsigned> chosen_;
};

}  // namespace scrimp
