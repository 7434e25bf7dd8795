// Which states of a depth-first search belong to components that are complete, by their numbers.
//
// States are numbered 1, 2, 3, ... as they are entered. When a component is complete, all states from its root on
// belong to it or to components that were complete before: the numbers of dead states are a few intervals, of which the
// new one covers the last. Each number has a bit, so that a lookup is short; the intervals tell which bits are set
// already, so that each is set once. No list of the live states is kept.
//
//     numbers     1  2  3  4  5  6  7  8  9
//                 live  [dead ]  live  [dead]       root 8 is complete: [8, 9]; root 6 next: [6, 9]
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/machine.h"
#include "core/region_vector.h"

namespace scrimp {

class DeadNumbers {
 public:
  explicit DeadNumbers(Budget& budget) : intervals_(budget), bits_(budget) {}

  /// All numbers from `root` up to `last`, the greatest one so far, are dead.
  void add(std::uint64_t root, std::uint64_t last) {
    make_bits(last);
    std::uint64_t end = last + 1;
    while (!intervals_.empty() && intervals_.back().first >= root) {
      const Interval inner = intervals_.pop();
      mark(inner.last + 1, end);
      end = inner.first;
    }
    mark(root, end);
    if (!intervals_.empty() && intervals_.back().last + 1 == root) {
      intervals_.back().last = last;
    } else {
      intervals_.push({root, last});
    }
  }

  bool contains(std::uint64_t number) const {
    return number / word_bits < bits_.size() && (bits_[number / word_bits] >> number % word_bits & 1) != 0;
  }

  std::uint64_t bytes() const { return intervals_.bytes() + bits_.bytes(); }

 private:
  struct Interval {
    std::uint64_t first;
    std::uint64_t last;
  };

  static constexpr std::uint64_t word_bits = 64;

  void make_bits(std::uint64_t last) {
    const std::size_t before = bits_.size();
    if (last / word_bits < before) return;
    bits_.resize(last / word_bits + 1);
    std::fill(bits_.begin() + before, bits_.end(), 0);
  }

  /// Sets the bits [first, end).
  void mark(std::uint64_t first, std::uint64_t end) {
    for (; first < end; first = (first / word_bits + 1) * word_bits) {
      const std::uint64_t count = std::min(end, (first / word_bits + 1) * word_bits) - first;
      bits_[first / word_bits] |= (~Word{0} >> (word_bits - count)) << first % word_bits;
    }
  }

  RegionVector<Interval> intervals_;
  RegionVector<Word> bits_;
};

}  // namespace scrimp
