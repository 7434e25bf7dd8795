// Translates states from one layout of a machine into another with wider fields.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/machine.h"

namespace scrimp {

class Reencoding {
 public:
  /// A value moves from `mask << shift` of word `from` to word `to`; `add` is added to it, modulo `modulus` unless that
  /// is 0. An element of a channel is present, and moved, only if the channel's length, which is found like a value, is
  /// more than `index`; others always are, and have no `length_mask`.
  struct Move {
    Word from, shift, mask;
    Word add, modulus;
    Word to, to_shift;
    Word length_from, length_shift, length_mask, index;
  };

  Reencoding(std::uint32_t old_words, std::uint32_t new_words, std::vector<Move> moves)
      : old_words_(old_words), new_words_(new_words), moves_(std::move(moves)) {}

  std::uint32_t old_words() const { return old_words_; }
  std::uint32_t new_words() const { return new_words_; }

  void operator()(const Word* state, Word* result) const {
    std::fill_n(result, new_words_, 0);
    result[0] = 1;
    for (const Move& move : moves_) {
      if (move.length_mask != 0 && (state[move.length_from] >> move.length_shift & move.length_mask) <= move.index)
        continue;
      const Word value = (state[move.from] >> move.shift & move.mask) + move.add;
      result[move.to] |= (move.modulus != 0 ? value % move.modulus : value) << move.to_shift;
    }
  }

 private:
  std::uint32_t old_words_, new_words_;
  std::vector<Move> moves_;
};

}  // namespace scrimp
