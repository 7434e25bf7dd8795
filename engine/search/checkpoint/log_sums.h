// The checksums of a level log: one for each MiB of it, and one for the part of a MiB at its end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>

#include "core/checksum.h"
#include "core/region_vector.h"

namespace scrimp {

class LogSums {
 public:
  static constexpr std::uint64_t block_words = std::uint64_t{1} << 17;

  explicit LogSums(Budget& budget) : sums_(budget) {}

  /// Takes the next words of the log.
  void add(const Word* words, std::uint64_t count) {
    while (count != 0) {
      const std::uint64_t piece = std::min(count, block_words - in_block_);
      sum_.add(words, piece);
      in_block_ += piece;
      words += piece;
      count -= piece;
      if (in_block_ == block_words) complete_block();
    }
  }

  /// Whether the budget had room for all of them.
  bool good() const { return good_; }
  /// Of the blocks that are complete.
  std::uint64_t blocks() const { return sums_.size(); }
  Word operator[](std::uint64_t block) const { return sums_[block]; }
  /// Of the words after the complete blocks.
  Word rest() const { return sum_.value(); }

 private:
  void complete_block() {
    try {
      sums_.push(sum_.value());
    } catch (const std::bad_alloc&) {
      good_ = false;
    }
    sum_ = Checksum(sums_.size());  // a block in another place has another checksum
    in_block_ = 0;
  }

  RegionVector<Word> sums_;
  Checksum sum_;
  std::uint64_t in_block_ = 0;
  bool good_ = true;
};

}  // namespace scrimp
