#include "store/comback/plan.h"

#include <algorithm>

namespace scrimp {

namespace {

Capacity half_of(const Capacity& whole) { return {(whole.states + 1) / 2, (whole.bytes + 1) / 2, whole.share / 2}; }

}  // namespace

ComBack planned(ComBack options, std::uint64_t budget) {
  const std::uint64_t percent = budget / 4 / 100;
  const bool is_open = !options.cache.is_given();
  if (is_open) options.cache.bytes = std::max<std::uint64_t>(1, 60 * percent);
  const auto complete = [&](Capacity& capacity, std::uint64_t share) {
    if (capacity.is_given()) return;
    if (is_open) {
      capacity.bytes = std::max<std::uint64_t>(1, share * percent);
    } else {
      capacity = half_of(options.cache);
    }
  };
  complete(options.candidates, 30);
  complete(options.group, 10);
  return options;
}

std::uint64_t in_states(const Capacity& capacity, std::uint64_t descriptor_bytes, std::uint64_t seen) {
  std::uint64_t states = capacity.states;
  if (capacity.bytes != 0) states = capacity.bytes / descriptor_bytes;
  if (capacity.share != 0) states = static_cast<std::uint64_t>(capacity.share * static_cast<double>(seen));
  return std::max<std::uint64_t>(1, states);
}

}  // namespace scrimp
