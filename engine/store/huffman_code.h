// A static Huffman code of bytes (HGP92, section 6): every state is always coded in the same way, so that coded states
// can be compared. How often each value occurs was measured once, over models; see store/huffman_table.h.
//
// Codes are canonical: they follow from their lengths. The first bit of a code is the lowest that is free in a byte, so
// that the next `longest_code` bits of a text, looked up in a table, tell the byte that they begin with.
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

/// The lengths of the best code for such frequencies; of nearly the best where some code would be too long. Values that
/// never occurred have codes as well.
CodeLengths code_lengths(ByteFrequencies frequencies);

class HuffmanCode {
 public:
  explicit HuffmanCode(const CodeLengths& lengths);

  static std::size_t most_bytes(std::size_t count) { return (count * longest_code + 7) / 8; }

  /// Returns the bytes of the code. Up to eight bytes beyond them are overwritten.
  std::size_t encode(const std::uint8_t* bytes, std::size_t count, std::uint8_t* code) const;

  /// Restores `count` bytes. Up to eight bytes beyond the code are read. Returns the bytes of the code.
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
