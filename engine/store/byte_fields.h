// The variables of a state as bytes, one or more each, for codes that work on bytes (HGP92, section 6).
#pragma once

#include <cstdint>
#include <vector>

#include "core/machine.h"

namespace scrimp {

/// Where the variables lie in the words of a state, in the order of their bytes. Together they are all of its bits but
/// the lowest of the first word.
struct ByteFields {
  struct Field {
    std::uint32_t word;
    std::uint32_t shift;
    std::uint32_t bits;
    std::uint32_t bytes;  // that the unpacked variable has
  };
  std::vector<Field> fields;
  std::uint32_t bytes = 0;  // of an unpacked state
};

}  // namespace scrimp
