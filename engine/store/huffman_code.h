// A static Huffman code of bytes (HGP92, section 6): a state always has the same code, so that coded states can be
// compared. The frequencies of the values were measured once, over many models; see store/huffman_table.h.
//
// Codes are canonical: they follow from their lengths. The first bit of a code is the lowest free bit of a byte, so a
// table indexed by the next `longest_code` bits gives the next byte.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/machine.h"
#include "store/byte_fields.h"

namespace scrimp {

inline constexpr unsigned longest_code = 12;

using ByteFrequencies = std::array<std::uint64_t, 256>;
using CodeLengths = std::array<std::uint8_t, 256>;

/// Adds the bytes of a state, to measure how often each value occurs.
void count_bytes(const ByteFields& fields, const Word* state, ByteFrequencies& frequencies);

/// The lengths of an optimal code for these frequencies, or a nearly optimal one if some code would be too long. Values
/// that never occurred have codes as well.
CodeLengths code_lengths(ByteFrequencies frequencies);

class HuffmanCode {
 public:
  explicit HuffmanCode(const CodeLengths& lengths);

  static std::size_t most_bytes(std::size_t count) { return (count * longest_code + 7) / 8; }

  /// Returns the length of the code in bytes. Up to eight bytes after it are overwritten.
  std::size_t encode(const std::uint8_t* bytes, std::size_t count, std::uint8_t* code) const;

  /// Decodes `count` bytes. Up to eight bytes after the code are read. Returns the length of the code in bytes.
  std::size_t decode(const std::uint8_t* code, std::size_t count, std::uint8_t* bytes) const;

 private:
  struct Code {
    std::uint16_t bits;
    std::uint8_t length;
  };
  struct Meaning {
    std::uint8_t byte, length;
  };

  std::array<Code, 256> codes_;
  std::array<Meaning, std::size_t{1} << longest_code> meanings_;
};

}  // namespace scrimp
