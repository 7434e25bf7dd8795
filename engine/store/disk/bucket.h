// A sorted list of codes whose keys agree in their upper bits, as it lies on disk (Elias 1974, Fano 1971).
//
//     | n | n ones and 2^h zeros | n times l bits | n times the other words of a code |      64-bit words
//
// Of the r bits of a key that are not common to the bucket, the lower l are stored as they are. The upper h say how
// many zeros come before the key's one in the bitmap: the ones of all keys with the same upper bits form a group. With
// h the logarithm of n, groups have about one key, and a key takes about l + 2 bits. A key is found without decoding
// the others: its group begins after as many zeros as its upper bits say.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/machine.h"

namespace scrimp {

/// How the codes of a bucket are laid out: `skipped` upper bits of a key are common, `rest` bits are coded.
class BucketShape {
 public:
  BucketShape(std::uint64_t count, unsigned rest, std::size_t code_words)
      : count_(count),
        upper_(std::min(rest, static_cast<unsigned>(std::bit_width(count)) - 1)),
        lower_(rest - upper_),
        bitmap_words_((count + (std::uint64_t{1} << upper_) + 63) / 64),
        lower_words_((count * lower_ + 63) / 64),
        rest_words_(code_words - 1) {}

  std::uint64_t count() const { return count_; }
  unsigned upper() const { return upper_; }
  unsigned lower() const { return lower_; }
  std::size_t bitmap() const { return 1; }
  std::size_t lowers() const { return 1 + bitmap_words_; }
  std::size_t others() const { return 1 + bitmap_words_ + lower_words_; }
  std::size_t words() const { return others() + count_ * rest_words_; }
  std::size_t bitmap_words() const { return bitmap_words_; }
  std::size_t rest_words() const { return rest_words_; }

 private:
  std::uint64_t count_;
  unsigned upper_, lower_;
  std::size_t bitmap_words_, lower_words_, rest_words_;
};

/// The bits of a key that a bucket stores, as a number.
inline Word rest_of_key(Word key, unsigned skipped, unsigned rest) {
  return rest == 0 ? 0 : (key << skipped) >> (64 - rest);
}

/// Appends the bucket of these sorted codes.
inline void encode_bucket(const Word* codes, std::uint64_t count, std::size_t code_words, unsigned skipped,
                          unsigned rest, std::vector<Word>& out) {
  const BucketShape shape(count, rest, code_words);
  const std::size_t begin = out.size();
  out.resize(begin + shape.words());
  Word* const bucket = out.data() + begin;
  Word *const bitmap = bucket + shape.bitmap(), *const lowers = bucket + shape.lowers();
  bucket[0] = count;
  const unsigned lower = shape.lower();
  const Word mask = lower == 0 ? 0 : ~Word{0} >> (64 - lower);
  for (std::uint64_t i = 0; i < count; ++i) {
    const Word number = rest_of_key(codes[i * code_words], skipped, rest);
    const std::uint64_t one = i + (number >> lower), bit = i * lower;
    bitmap[one / 64] |= Word{1} << one % 64;
    if (lower == 0) continue;
    const Word low = number & mask;
    lowers[bit / 64] |= low << bit % 64;
    if (bit % 64 + lower > 64) lowers[bit / 64 + 1] |= low >> (64 - bit % 64);
  }
  for (std::uint64_t i = 0; i < count; ++i)
    std::copy_n(codes + i * code_words + 1, code_words - 1, bucket + shape.others() + i * (code_words - 1));
}

/// Reads a bucket.
class Bucket {
 public:
  Bucket(const Word* words, unsigned skipped, unsigned rest, std::size_t code_words)
      : words_(words),
        shape_(*words, rest, code_words),
        skipped_(skipped),
        rest_(rest),
        mask_(shape_.lower() == 0 ? 0 : ~Word{0} >> (64 - shape_.lower())) {}

  std::size_t words() const { return shape_.words(); }

  /// Whether it has a code. Codes must be asked for in the order of their keys.
  bool contains(const Word* code) {
    const Word number = rest_of_key(*code, skipped_, rest_);
    std::uint64_t place = begin_of_group(number >> shape_.lower());
    const Word lower = number & mask_;
    for (std::uint64_t i = place - (number >> shape_.lower()); is_one(place); ++place, ++i)
      if (lower_at(i) == lower && std::equal(code + 1, code + 1 + shape_.rest_words(), rest_at(i))) return true;
    return false;
  }

  /// Appends all codes; `common` is a key with the common bits.
  void decode(Word common, std::vector<Word>& codes) const {
    std::uint64_t i = 0;
    for (std::size_t w = 0; w < shape_.bitmap_words(); ++w) {
      for (Word ones = bitmap()[w]; ones != 0; ones &= ones - 1, ++i) {
        const Word upper = w * 64 + static_cast<unsigned>(std::countr_zero(ones)) - i;
        const Word number = (shape_.lower() == 64 ? 0 : upper << shape_.lower()) | lower_at(i);
        codes.push_back(rest_ == 0 ? common : common | number << (64 - rest_) >> skipped_);
        codes.insert(codes.end(), rest_at(i), rest_at(i) + shape_.rest_words());
      }
    }
  }

 private:
  const Word* bitmap() const { return words_ + shape_.bitmap(); }
  const Word* rest_at(std::uint64_t i) const { return words_ + shape_.others() + i * shape_.rest_words(); }
  bool is_one(std::uint64_t place) const { return bitmap()[place / 64] >> place % 64 & 1; }

  Word lower_at(std::uint64_t i) const {
    const std::uint64_t bit = i * shape_.lower();
    const Word* const at = words_ + shape_.lowers() + bit / 64;
    Word low = shape_.lower() == 0 ? 0 : *at >> bit % 64;
    if (bit % 64 + shape_.lower() > 64) low |= at[1] << (64 - bit % 64);
    return low & mask_;
  }

  /// The place after so many zeros.
  std::uint64_t begin_of_group(std::uint64_t zeros) {
    if (zeros == 0) return 0;
    for (unsigned in_word; zeros_before_ + (in_word = zeros_in(word_)) < zeros; ++word_) zeros_before_ += in_word;
    return word_ * 64 + place_of_zero(~bitmap()[word_], static_cast<unsigned>(zeros - zeros_before_)) + 1;
  }
  unsigned zeros_in(std::size_t word) const { return static_cast<unsigned>(std::popcount(~bitmap()[word])); }

  /// The place of the `nth` one, counted from one.
  static unsigned place_of_zero(Word ones, unsigned nth) {
    unsigned place = 0;
    for (unsigned width = 32; width >= 8; width /= 2) {
      const auto here = static_cast<unsigned>(std::popcount(ones & ((Word{1} << width) - 1)));
      if (here < nth) {
        nth -= here;
        ones >>= width;
        place += width;
      }
    }
    while (--nth != 0) ones &= ones - 1;
    return place + static_cast<unsigned>(std::countr_zero(ones));
  }

  const Word* words_;
  BucketShape shape_;
  unsigned skipped_, rest_;
  Word mask_;
  std::size_t word_ = 0;            // of the bitmap, up to which zeros were counted
  std::uint64_t zeros_before_ = 0;  // that word
};

}  // namespace scrimp
