// Fields of bytes for the states of a layout: variables of many widths, one after the other.
#pragma once

#include <algorithm>
#include <cstdint>

#include "store/byte_fields.h"
#include "tests/store_keys.h"

namespace scrimp::testing {

inline ByteFields byte_fields(const Layout& layout) {
  constexpr std::uint32_t widths[] = {3, 8, 1, 13, 5, 16, 2, 20, 7};
  ByteFields fields;
  std::uint32_t next = 0;
  for (std::uint32_t word = 0; word < layout.words(); ++word)
    for (std::uint32_t shift = word == 0, end = layout.machine().word_bits[word]; shift < end;) {
      const std::uint32_t bits = std::min(widths[next++ % std::size(widths)], end - shift);
      fields.fields.push_back({word, shift, bits, (bits + 7) / 8 + next % 2});  // some have a byte that is never used
      fields.bytes += fields.fields.back().bytes;
      shift += bits;
    }
  return fields;
}

}  // namespace scrimp::testing
