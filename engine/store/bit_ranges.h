// The used bits of a state, word after word, cut into ranges of at most 64 bits.
//
//     word 0 (20 bits used)   word 1 (50)              word 2 (40)
//     [..........|.........................|....................]
//     <--------- range 0 ---------><--------- range 1 --------->
//
// Cutting by bits rather than by words makes the parts equally large however full the words are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/machine.h"

namespace scrimp {

/// How many bits the states of a machine use; the first of them is always one.
inline unsigned used_bits(const Machine& machine) {
  unsigned bits = 0;
  for (std::uint32_t i = 0; i < machine.words; ++i) bits += machine.word_bits[i];
  return bits;
}

/// Reads the used bits [from, to) of a state as one number.
class BitRange {
 public:
  BitRange(const Machine& machine, unsigned from, unsigned to) : bits_(to - from) {
    unsigned start = 0;  // of the word, among the used bits
    for (std::uint32_t i = 0; i < machine.words; start += machine.word_bits[i++]) {
      const unsigned begin = std::max(from, start), end = std::min(to, start + machine.word_bits[i]);
      if (begin >= end) continue;
      pieces_.push_back({i, begin - start, begin - from, ~Word{0} >> (64 - (end - begin))});
    }
  }

  Word operator()(const Word* state) const {
    Word number = 0;
    for (const Piece& piece : pieces_) number |= ((state[piece.word] >> piece.shift) & piece.mask) << piece.lift;
    return number;
  }

  /// The same for `count` states, each `words` words after the previous one.
  void operator()(const Word* states, std::size_t words, std::uint32_t count, Word* numbers) const {
    std::fill_n(numbers, count, 0);
    for (const Piece& piece : pieces_) {
      const Word* const first = states + piece.word;
      for (std::uint32_t i = 0; i < count; ++i)
        numbers[i] |= ((first[i * words] >> piece.shift) & piece.mask) << piece.lift;
    }
  }

  /// Sets the bits of a state from such a number; they must be zero.
  void write(Word number, Word* state) const {
    for (const Piece& piece : pieces_) state[piece.word] |= (number >> piece.lift & piece.mask) << piece.shift;
  }

  unsigned bits() const { return bits_; }

 private:
  struct Piece {
    std::uint32_t word;
    unsigned shift, lift;  // position of the bits in the word, and in the number
    Word mask;
  };
  unsigned bits_;
  std::vector<Piece> pieces_;
};

}  // namespace scrimp
