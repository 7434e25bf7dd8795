// Rows of bits, side by side: small sets of small numbers.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/machine.h"

namespace scrimp {

class BitRows {
 public:
  BitRows(std::size_t rows, std::size_t columns) : words_((columns + 63) / 64), bits_(rows * words_) {}

  /// The number of words of a row.
  std::size_t words() const { return words_; }
  Word* operator[](std::size_t row) { return bits_.data() + row * words_; }
  const Word* operator[](std::size_t row) const { return bits_.data() + row * words_; }

  void set(std::size_t row, std::size_t column) { (*this)[row][column / 64] |= Word{1} << column % 64; }
  bool test(std::size_t row, std::size_t column) const { return (*this)[row][column / 64] >> column % 64 & 1; }

  bool intersect(std::size_t row, const BitRows& other, std::size_t other_row) const {
    for (std::size_t i = 0; i < words_; ++i)
      if ((*this)[row][i] & other[other_row][i]) return true;
    return false;
  }

 private:
  std::size_t words_;
  std::vector<Word> bits_;
};

inline bool has_bit(const Word* row, std::size_t number) { return row[number / 64] >> number % 64 & 1; }

/// Calls `visit` with every number in a row.
template <class Visit>
void for_each_bit(const Word* row, std::size_t words, Visit visit) {
  for (std::size_t i = 0; i < words; ++i)
    for (Word left = row[i]; left != 0; left &= left - 1)
      visit(static_cast<std::uint32_t>(i * 64 + static_cast<std::size_t>(std::countr_zero(left))));
}

}  // namespace scrimp
