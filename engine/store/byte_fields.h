// The variables of a state as bytes, one or more each, for codes that work on bytes (HGP92, section 6).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/machine.h"

namespace scrimp {

/// The positions of the variables in the words of a state, in the order of their bytes. Together they cover all bits
/// but the lowest of the first word.
struct ByteFields {
  struct Field {
    std::uint32_t word;
    std::uint32_t shift;
    std::uint32_t bits;
    std::uint32_t bytes;  // of the unpacked variable
  };
  std::vector<Field> fields;
  std::uint32_t bytes = 0;  // of an unpacked state

  /// Writes the bytes of a state; those of a variable from the lowest on.
  void unpack(const Word* state, std::uint8_t* target) const {
    for (const Field& field : fields) {
      Word value = state[field.word] >> field.shift & (~Word{0} >> (64 - field.bits));
      for (std::uint32_t i = 0; i < field.bytes; ++i, value >>= 8) *target++ = static_cast<std::uint8_t>(value);
    }
  }

  /// Writes the `words` of the state that has these bytes.
  void pack(const std::uint8_t* source, Word* state, std::uint32_t words) const {
    std::fill_n(state, words, Word{0});
    state[0] = 1;
    for (const Field& field : fields) {
      Word value = 0;
      for (std::uint32_t i = 0; i < field.bytes; ++i) value |= Word{*source++} << 8 * i;
      state[field.word] |= value << field.shift;
    }
  }
};

}  // namespace scrimp
