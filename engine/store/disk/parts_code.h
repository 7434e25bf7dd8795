// Codes several numbers in one word whose bits are evenly spread; how many of its bits matter grows with the numbers.
//
//     numbers   [ high | low ]  [ high | low ]  [ high | low ]
//                  |______|________|______|________|      |
//                       extra e    |______________________|   when the code was made, the numbers fitted their low
//                       parts
//                                           base x
//
//     code      [ top = M(x + F(e)) ,  base bits ][ e, oldest bit first, xor G(top) ]      64 bits
//
// M is a bijection on the base bits, F and G are hashes, F(0) = 0. When a number outgrows its width, the next of the
// extra bits is assigned to it. That bit was zero in all codes so far, so they stay as they are. Of codes that are
// written, those bits suffice that are assigned: the others are what G says. PairCode does the same for pairs in a
// table, which are widened bit by bit.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "core/hash.h"
#include "core/machine.h"

namespace scrimp {

class PartsCode {
 public:
  static constexpr std::size_t most_parts = 16;
  using Numbers = std::array<std::uint32_t, most_parts>;

  /// The widths of the numbers in bits, 64 together at most.
  explicit PartsCode(std::span<const unsigned> widths)
      : parts_(widths.size()), base_bits_(sum_of(widths)), mixer_(base_bits_) {
    std::copy(widths.begin(), widths.end(), base_.begin());
    bits_ = base_;
  }

  std::size_t parts() const { return parts_; }
  unsigned base_bits() const { return base_bits_; }
  /// The bits of a code that are not derived from those before them.
  unsigned bits() const { return base_bits_ + static_cast<unsigned>(extra_.size()); }

  bool fits(const Numbers& numbers) const {
    for (std::size_t i = 0; i < parts_; ++i)
      if (Word{numbers[i]} >> bits_[i] != 0) return false;
    return true;
  }
  /// Returns false if there are not enough bits.
  [[nodiscard]] bool make_fit(const Numbers& numbers) {
    for (std::size_t i = 0; i < parts_; ++i)
      for (; Word{numbers[i]} >> bits_[i] != 0; ++bits_[i]) {
        if (bits() == 64) return false;
        extra_.push_back({i, bits_[i]});
      }
    return true;
  }

  Word operator()(const Numbers& numbers) const {
    Word base = 0, extra = 0;
    for (std::size_t i = 0, at = 0; i < parts_; at += base_[i++]) base |= (numbers[i] & low_bits(base_[i])) << at;
    unsigned place = 64 - base_bits_;
    for (const ExtraBit& bit : extra_) extra |= Word{numbers[bit.part] >> bit.place & 1} << --place;
    const Word top = mixer_((base + displacement(extra)) & low_bits(base_bits_));
    return base_bits_ == 64 ? top : top << (64 - base_bits_) | (extra ^ derived(top, base_bits_));
  }

  /// The numbers that have this code.
  void numbers(Word code, Numbers& numbers) const {
    const Word top = code >> (64 - base_bits_);
    const Word extra = base_bits_ == 64 ? 0 : (code & low_bits(64 - base_bits_)) ^ derived(top, base_bits_);
    Word base = (mixer_.inverse(top) - displacement(extra)) & low_bits(base_bits_);
    for (std::size_t i = 0; i < parts_; base = base_[i] == 64 ? 0 : base >> base_[i], ++i)
      numbers[i] = static_cast<std::uint32_t>(base & low_bits(base_[i]));
    unsigned place = 64 - base_bits_;
    for (const ExtraBit& bit : extra_)
      numbers[bit.part] |= static_cast<std::uint32_t>(extra >> --place & 1) << bit.place;
  }

  /// The code of which only the first `bits` are given, because the others were not assigned when it was written.
  static Word extended(Word code, unsigned base_bits, unsigned bits) {
    if (bits == 64) return code;
    return code | (derived(code >> (64 - base_bits), base_bits) & low_bits(64 - bits));
  }
  /// Whether all numbers of a code fit the bits that were assigned when codes had `bits` of them.
  static bool is_within(Word code, unsigned base_bits, unsigned bits) {
    return bits == 64 || extended(code & ~low_bits(64 - bits), base_bits, bits) == code;
  }

 private:
  struct ExtraBit {
    std::size_t part;
    unsigned place;
  };

  static unsigned sum_of(std::span<const unsigned> widths) {
    unsigned sum = 0;
    for (const unsigned width : widths) sum += width;
    return sum;
  }
  static Word low_bits(unsigned bits) { return bits == 0 ? 0 : ~Word{0} >> (64 - bits); }
  /// F
  Word displacement(Word extra) const { return mix(extra) >> (64 - base_bits_); }
  /// G, for as many bits as come after the base
  static Word derived(Word top, unsigned base_bits) {
    return fold(top ^ odd_constants[2], odd_constants[3]) >> base_bits;
  }

  std::size_t parts_;
  unsigned base_bits_;
  std::array<unsigned, most_parts> base_{}, bits_{};  // of each number: in the base, and in all
  std::vector<ExtraBit> extra_;
  BitMixer mixer_;
};

}  // namespace scrimp
