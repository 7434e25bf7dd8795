// A checksum of words that arrive piece by piece: damaged data has another one.
#pragma once

#include <cstddef>

#include "core/hash.h"

namespace scrimp {

/// Every step is a bijection of the sum so far and of the word, so that a change within one word always changes the
/// checksum; any other change does with a probability of 1 - 2^-64.
class Checksum {
 public:
  explicit Checksum(Word seed = 0) : sum_(mix(seed ^ odd_constants[3])) {}

  void add(Word word) {
    sum_ = (sum_ ^ word) * odd_constants[0];
    sum_ ^= sum_ >> 29;
  }
  void add(const Word* words, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) add(words[i]);
  }

  Word value() const { return mix(sum_); }

 private:
  Word sum_;
};

}  // namespace scrimp
