// One cache line of a quotient table: up to `slots` remainders of `width` bits and the displacement of each from its
// home.
//
//     byte 0                slots                                             60           64
//     +-----+-----+-- ... --+------------------------- ... ------+------------+------------+
//     | tag | tag |         | rest, rest, ... packed bit by bit  |  (unused)  |   header   |
//     +-----+-----+-- ... --+------------------------- ... ------+------------+------------+
//
//     header, from bit 0:   E0 | E1 | E2 | ... | E(classes-1) | ...... | overflowed (bit 31)
//
// A remainder is split into its lowest eight bits, the tag, and the rest: tags are bytes, so that one SIMD comparison
// picks the few slots whose rest is worth extracting. Remainders are sorted by displacement, the most displaced first:
// E(d) is the number of those that lie at least d lines after their home, so the ones whose home is d lines back are
// exactly the slots [E(d+1), E(d)). Within such a class the order is arbitrary. `overflowed` is set once a remainder
// whose home is this line had to be stored in a later line. If numbers have annotations, each is stored above the bits
// of its remainder, in the rest: together they are an entry.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>
#include <cstring>

#include "core/machine.h"
#include "store/line.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace scrimp {

/// A set of slots of a line, as bits.
using SlotMask = std::uint64_t;

/// The layout of the lines of a table. Lines are passed as the address of their first byte, aligned to the line.
class LineFormat {
 public:
  static constexpr unsigned least_width = 8;
  static constexpr std::uint32_t overflowed = 1u << 31;

  /// For remainders of `width` bits with this many bits of annotation.
  explicit LineFormat(unsigned width, unsigned annotation_bits = 0)
      : width_(std::max(width, least_width)),
        rest_bits_(width_ - tag_bits + annotation_bits),
        slots_(payload_bits / (width_ + annotation_bits)),
        field_bits_(static_cast<unsigned>(std::bit_width(slots_))),
        classes_(31 / field_bits_),
        rest_mask_((Word{1} << rest_bits_) - 1),
        own_rest_mask_((Word{1} << (width_ - tag_bits)) - 1),
        field_mask_((1u << field_bits_) - 1) {
    assert(rest_bits_ <= most_rest_bits);
  }

  Word entry(Word remainder, Word annotation) const { return remainder | annotation << width_; }
  Word remainder(Word entry) const { return entry & (own_rest_mask_ << tag_bits | tag_mask); }
  Word annotation(Word entry) const { return entry >> width_; }
  unsigned slots() const { return slots_; }
  /// Remainders lie fewer than this many lines after their home.
  unsigned classes() const { return classes_; }

  static std::uint32_t header(const std::byte* line) {
    std::uint32_t header;
    std::memcpy(&header, line + header_byte, sizeof header);
    return header;
  }

  /// E(d): the number of remainders that lie at least `displacement` lines after their home.
  unsigned at_least(std::uint32_t header, unsigned displacement) const {
    if (displacement >= classes_) return 0;
    return (header >> (displacement * field_bits_)) & field_mask_;
  }
  unsigned used(std::uint32_t header) const { return header & field_mask_; }
  bool is_full(std::uint32_t header) const { return used(header) == slots_; }

  /// The slots with this displacement whose remainder has the same tag.
  SlotMask tagged(const std::byte* line, std::uint32_t header, unsigned displacement, Word remainder) const {
    const unsigned begin = at_least(header, displacement + 1), end = at_least(header, displacement);
    return tags_equal(line, remainder) & ((SlotMask{1} << end) - (SlotMask{1} << begin));
  }

  /// Returned instead of a slot if there is none.
  static constexpr unsigned nowhere = ~0u;

  /// The slot of a remainder with this displacement.
  unsigned find(const std::byte* line, std::uint32_t header, unsigned displacement, Word remainder) const {
    SlotMask candidates = tagged(line, header, displacement, remainder);
    for (; candidates != 0; candidates &= candidates - 1) {
      const auto slot = static_cast<unsigned>(std::countr_zero(candidates));
      if (rest(line, slot, own_rest_mask_) == remainder >> tag_bits) return slot;
    }
    return nowhere;
  }
  bool holds(const std::byte* line, std::uint32_t header, unsigned displacement, Word remainder) const {
    return find(line, header, displacement, remainder) != nowhere;
  }

  Word entry_at(const std::byte* line, unsigned slot) const {
    return static_cast<Word>(line[slot]) | rest(line, slot, rest_mask_) << tag_bits;
  }
  void replace(std::byte* line, unsigned slot, Word entry) const { write(line, slot, entry); }

  /// Adds an entry whose home is this line, which must have room.
  void append(std::byte* line, std::uint32_t header, Word entry) const {
    write(line, used(header), entry);
    write_header(line, header + 1);
  }

  /// Adds an entry to a line with room: the first entry of every less displaced class moves to the end of its class.
  void add(std::byte* line, unsigned displacement, Word added) const {
    const std::uint32_t head = header(line);
    unsigned hole = used(head);
    for (unsigned d = 1; d <= displacement; ++d) {
      const unsigned first = at_least(head, d);
      if (first != hole) write(line, hole, entry_at(line, first));
      hole = first;
    }
    write(line, hole, added);
    write_header(line, head + ones_up_to(displacement));
  }

  struct Evicted {
    unsigned displacement;
    Word entry;
  };

  /// Takes one of the least displaced entries out of a full line.
  Evicted evict(std::byte* line) const {
    std::uint32_t head = header(line);
    unsigned displacement = 0;
    while (at_least(head, displacement + 1) == slots_) ++displacement;
    if (displacement == 0) head |= overflowed;
    const Evicted evicted{displacement, entry_at(line, slots_ - 1)};
    write_header(line, head - ones_up_to(displacement));
    return evicted;
  }

  static void mark_overflowed(std::byte* line) { write_header(line, header(line) | overflowed); }

 private:
  static constexpr unsigned tag_bits = 8;
  static constexpr Word tag_mask = (Word{1} << tag_bits) - 1;
  static constexpr unsigned most_rest_bits = 56;  // so that an entry fits a word
  static constexpr unsigned header_byte = 60;
  static constexpr unsigned payload_bits = header_byte * 8;

  /// The slots with the tag of the remainder; bits beyond the slots are arbitrary.
  SlotMask tags_equal(const std::byte* line, Word remainder) const {
#ifdef __SSE2__
    const __m128i wanted = _mm_set1_epi8(static_cast<char>(remainder));
    const auto equal = [&](unsigned group) {
      const __m128i tags = _mm_load_si128(reinterpret_cast<const __m128i*>(line) + group);
      return static_cast<SlotMask>(static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(tags, wanted))));
    };
    SlotMask mask = equal(0) | equal(1) << 16;
    if (slots_ > 32) mask |= equal(2) << 32 | equal(3) << 48;
    return mask;
#else
    SlotMask mask = 0;
    for (unsigned i = 0; i < slots_; ++i) mask |= SlotMask{line[i] == static_cast<std::byte>(remainder)} << i;
    return mask;
#endif
  }

  /// Position of the rest of a slot: in the eight bytes from `byte` on, which stay within the line, shifted by `shift`
  /// bits.
  struct Place {
    unsigned byte, shift;
  };
  Place place(unsigned slot) const {
    const unsigned bit = slots_ * tag_bits + slot * rest_bits_;
    const unsigned byte = std::min<unsigned>(bit / 8, line_bytes - sizeof(Word));
    return {byte, bit - byte * 8};
  }

  Word rest(const std::byte* line, unsigned slot, Word mask) const {
    const Place at = place(slot);
    Word bits;
    std::memcpy(&bits, line + at.byte, sizeof bits);
    return (bits >> at.shift) & mask;
  }

  void write(std::byte* line, unsigned slot, Word entry) const {
    line[slot] = static_cast<std::byte>(entry);
    if (rest_bits_ == 0) return;
    const Place at = place(slot);
    Word bits;
    std::memcpy(&bits, line + at.byte, sizeof bits);
    bits = (bits & ~(rest_mask_ << at.shift)) | (entry >> tag_bits) << at.shift;
    std::memcpy(line + at.byte, &bits, sizeof bits);
  }

  static void write_header(std::byte* line, std::uint32_t header) {
    std::memcpy(line + header_byte, &header, sizeof header);
  }

  /// A one in each of the fields E(0) to E(displacement).
  std::uint32_t ones_up_to(unsigned displacement) const {
    std::uint32_t ones = 0;
    for (unsigned d = 0; d <= displacement; ++d) ones |= 1u << (d * field_bits_);
    return ones;
  }

  unsigned width_, rest_bits_, slots_, field_bits_, classes_;
  Word rest_mask_;
  Word own_rest_mask_;  // of the remainder alone
  std::uint32_t field_mask_;
};

}  // namespace scrimp
