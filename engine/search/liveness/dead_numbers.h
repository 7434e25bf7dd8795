// Which states of a depth-first search belong to components that are complete, by their numbers.
//
// States are numbered 1, 2, 3, ... as they are entered. When a component is complete, all states from its root on
// belong to it or to components that were complete before: the numbers of dead states are a few intervals, of which the
// new one covers the last. So no state needs to be marked, and no list of the live ones is kept.
//
//     numbers     1  2  3  4  5  6  7  8  9
//                 live  [dead ]  live  [dead]       root 8 is complete: [8, 9]; root 6 next: [6, 9]
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/region_vector.h"

namespace scrimp {

class DeadNumbers {
 public:
  explicit DeadNumbers(Budget& budget) : intervals_(budget) {}

  /// All numbers from `root` up to `last`, the greatest one so far, are dead.
  void add(std::uint64_t root, std::uint64_t last) {
    while (!intervals_.empty() && intervals_.back().first >= root) intervals_.pop();
    if (!intervals_.empty() && intervals_.back().last + 1 == root) {
      intervals_.back().last = last;
    } else {
      intervals_.push({root, last});
    }
  }

  bool contains(std::uint64_t number) const {
    if (intervals_.empty() || number > intervals_.back().last) return false;
    if (number >= intervals_.back().first) return true;
    const Interval* const found =
        std::lower_bound(intervals_.begin(), intervals_.end(), number,
                         [](const Interval& interval, std::uint64_t value) { return interval.last < value; });
    return found->first <= number;
  }

  std::uint64_t bytes() const { return intervals_.bytes(); }

 private:
  struct Interval {
    std::uint64_t first;
    std::uint64_t last;
  };

  RegionVector<Interval> intervals_;
};

}  // namespace scrimp
