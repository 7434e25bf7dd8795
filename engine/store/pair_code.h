// Codes pairs of numbers in just enough bits, mixed for a quotient table; the widths grow with the numbers.
//
//     pair   left [ high | low ]   right [ high | low ]
//                    |      \________   |     |
//                    |_______________\__|     |           when the base was chosen, the numbers fitted their low parts
//                            |        \_______|
//                         extra e        base x
//
//     code   [ top = M(x + F(e)) ,  base bits wide ][ extra bits, oldest first, xor the first bits of G(top) ]
//
// M is a bijection on the base bits, F and G are hashes, F(0) = 0. When a number outgrows its width, one more of its
// bits joins the extra bits, as the last bit of every code. For pairs coded before, that bit is zero: their code keeps
// all its bits and gets one more, derived from G, so their order stays and a table of codes is widened in one
// sequential pass. Because F and G scatter pairs that differ only in the extra bits, codes are spread evenly at every
// resolution.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "core/hash.h"
#include "store/tree.h"

namespace scrimp {

class PairCode {
 public:
  PairCode(unsigned left_bits, unsigned right_bits)
      : left_base_(left_bits),
        right_base_(right_bits),
        left_bits_(left_bits),
        right_bits_(right_bits),
        mixer_(left_bits + right_bits) {}

  /// A code for pairs of numbers up to these.
  explicit PairCode(Tree::Pair greatest) : PairCode(width(greatest.left), width(greatest.right)) {}

  unsigned bits() const { return left_bits_ + right_bits_; }

  bool fits(Tree::Pair pair) const { return (Word{pair.left} >> left_bits_ | Word{pair.right} >> right_bits_) == 0; }

  Word operator()(Tree::Pair pair) const {
    const Word base = (pair.left & low_bits(left_base_)) | (pair.right & low_bits(right_base_)) << left_base_;
    if (extra_.empty()) return mixer_(base);
    const Word top = mixer_((base + base_displacement(pair.word() & ~base_mask())) & low_bits(base_bits()));
    Word extra = 0;
    for (const unsigned bit : extra_) extra = extra << 1 | (pair.word() >> bit & 1);
    return top << extra_.size() | (extra ^ scatter(top) >> (64 - extra_.size()));
  }

  /// The pair that has this code.
  Tree::Pair pair(Word code) const {
    const Word top = code >> extra_.size();
    Word extra = extra_.empty() ? 0 : code ^ scatter(top) >> (64 - extra_.size());
    Word high = 0;
    for (std::size_t i = extra_.size(); i-- > 0; extra >>= 1) high |= (extra & 1) << extra_[i];
    const Word base = (mixer_.inverse(top) - base_displacement(high)) & low_bits(base_bits());
    return Tree::pair_of(high | (base & low_bits(left_base_)) | base >> left_base_ << 32);
  }

  bool has_extra_bits() const { return !extra_.empty(); }

  /// A code whose base has room for the pair, and for all pairs that fit here.
  PairCode based_for(Tree::Pair pair) const {
    return PairCode(std::max(left_bits_, width(pair.left)), std::max(right_bits_, width(pair.right)));
  }

  /// The same code with room for one more bit of the number that does not fit.
  PairCode widened_for(Tree::Pair pair) const {
    PairCode wider = *this;
    if (Word{pair.left} >> left_bits_ != 0) {
      wider.extra_.push_back(wider.left_bits_++);
    } else {
      wider.extra_.push_back(32 + wider.right_bits_++);
    }
    return wider;
  }

  /// The new code of a pair that had this code before the last widening.
  Word recode(Word code) const {
    const std::size_t extra = extra_.size();
    const Word top = code >> (extra - 1);
    return code << 1 | (scatter(top) >> (64 - extra) & 1);
  }

 private:
  static unsigned width(std::uint32_t number) { return static_cast<unsigned>(std::bit_width(number)); }
  static Word low_bits(unsigned bits) { return bits == 0 ? 0 : ~Word{0} >> (64 - bits); }
  unsigned base_bits() const { return left_base_ + right_base_; }

  /// The bits of a pair, taken as one word, that are part of the base.
  Word base_mask() const { return low_bits(left_base_) | low_bits(right_base_) << 32; }

  /// F: depends on the bits beyond the base, whatever their number.
  Word base_displacement(Word high) const { return mix(high) >> (64 - base_bits()); }
  /// G
  static Word scatter(Word top) { return fold(top ^ odd_constants[2], odd_constants[3]); }

  unsigned left_base_, right_base_;  // bits of the numbers that are part of the base
  unsigned left_bits_, right_bits_;  // bits of the numbers that are coded at all
  std::vector<unsigned> extra_;      // positions of the extra bits in the pair, taken as one word
  BitMixer mixer_;
};

}  // namespace scrimp
