// One value per record of a set, in a separate array.
#pragma once

#include <cstdint>

#include "core/memory.h"
#include "store/state_set.h"

namespace scrimp {

/// One value for each slot. New ones are zero.
template <class Value>
class Column {
 public:
  static constexpr std::size_t row_bytes = sizeof(Value);

  explicit Column(Budget& budget) : region_(budget) {}

  [[nodiscard]] bool resize(std::uint64_t rows) { return region_.resize(rows * row_bytes); }
  Value& operator[](Slot slot) const { return region_.as<Value>()[slot]; }
  std::uint64_t bytes() const { return region_.bytes(); }

 private:
  Region region_;
};

}  // namespace scrimp
