// Mixing and hashing of state words. The functions here are fixed: the results of a run never depend on a hash seed.
//
// Tables place a key by the *high* bits of its hash, `scale(hash, range)`, which is monotone in the hash: a table that
// grows keeps its entries in the same order, so growing is a sequential pass. Therefore the last step of every mixing
// is a multiplication, which propagates every bit upwards.
#pragma once

#include <bit>
#include <cstdint>

#include "core/machine.h"

namespace scrimp {

__extension__ using DoubleWord = unsigned __int128;

inline constexpr Word odd_constants[4] = {0x9e3779b97f4a7c15, 0xd6e8feb86659fd93, 0xa0761d6478bd642f,
                                          0xe7037ed1a0b428db};

inline Word high_product(Word a, Word b) { return static_cast<Word>((DoubleWord{a} * b) >> 64); }

/// Maps a hash to a number below `range`, monotonically and evenly.
inline std::uint64_t scale(Word hash, std::uint64_t range) { return high_product(hash, range); }

/// Multiplies to 128 bits and folds the halves: every bit of the result depends on every bit of both factors.
inline Word fold(Word a, Word b) {
  const DoubleWord product = DoubleWord{a} * b;
  return static_cast<Word>(product) ^ static_cast<Word>(product >> 64);
}

/// The factor that undoes multiplication by an odd number, modulo a power of two.
constexpr Word inverse_of(Word odd) {
  Word inverse = odd;                                        // correct in the lowest three bits
  for (int i = 0; i < 5; ++i) inverse *= 2 - odd * inverse;  // each step doubles the number of correct bits
  return inverse;
}

/// A bijection on 64-bit words that maps zero to zero.
inline Word mix(Word word) {
  word ^= word >> 32;
  word *= odd_constants[0];
  word ^= word >> 32;
  return word * odd_constants[1];
}

/// The inverse of `mix`. An xor-shift by half the bits is its own inverse.
inline Word unmix(Word word) {
  word *= inverse_of(odd_constants[1]);
  word ^= word >> 32;
  word *= inverse_of(odd_constants[0]);
  return word ^ word >> 32;
}

/// A bijection on numbers of `bits` bits (1 to 64) that maps zero to zero.
class BitMixer {
 public:
  explicit BitMixer(unsigned bits) : mask_(bits == 64 ? ~Word{0} : (Word{1} << bits) - 1), shift_((bits + 1) / 2) {}

  Word operator()(Word number) const {
    number ^= number >> shift_;
    number = (number * odd_constants[0]) & mask_;
    number ^= number >> shift_;
    number = (number * odd_constants[1]) & mask_;
    number ^= number >> shift_;
    return (number * odd_constants[2]) & mask_;
  }

  Word inverse(Word number) const {
    number = (number * inverse_of(odd_constants[2])) & mask_;
    number ^= number >> shift_;  // shifted by half the bits or more: its own inverse
    number = (number * inverse_of(odd_constants[1])) & mask_;
    number ^= number >> shift_;
    number = (number * inverse_of(odd_constants[0])) & mask_;
    return number ^ number >> shift_;
  }

 private:
  Word mask_;
  unsigned shift_;
};

/// Hashes `count` words, two at a time.
inline Word hash_words(const Word* words, std::uint32_t count) {
  Word hash = odd_constants[0];
  std::uint32_t i = 0;
  for (; i + 1 < count; i += 2) hash = fold(words[i] ^ hash, words[i + 1] ^ odd_constants[1]);
  if (i < count) hash = fold(words[i] ^ hash, odd_constants[2]);
  return fold(hash, odd_constants[3]);
}

}  // namespace scrimp
