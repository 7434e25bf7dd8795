// The number of steps from each state of a depth-first path to the next: usually one byte each.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/memory.h"
#include "search/depth_first/taken.h"

namespace scrimp {

class StepStack {
 public:
  explicit StepStack(Budget& budget) : bytes_(budget) {}

  std::uint64_t bytes() const { return bytes_.bytes(); }

  /// Returns false if the budget is exhausted.
  [[nodiscard]] bool push(std::uint32_t steps) {
    if (!make_room(taken_bytes)) return false;
    used_ = static_cast<std::size_t>(write_backwards(bytes_.data() + used_, steps) - bytes_.data());
    return true;
  }

  std::uint32_t pop() {
    const std::byte* end = bytes_.data() + used_;
    const std::uint32_t steps = read_backwards(end);
    used_ = static_cast<std::size_t>(end - bytes_.data());
    return steps;
  }

 private:
  bool make_room(std::size_t count) {
    const std::size_t wanted = used_ + count;
    if (wanted <= bytes_.bytes()) return true;
    return bytes_.resize(std::max(wanted, bytes_.bytes() / 2 * 3)) || bytes_.resize(wanted);
  }

  Region bytes_;
  std::size_t used_ = 0;
};

}  // namespace scrimp
