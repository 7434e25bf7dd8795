#include "store/comback/plan.h"

#include <algorithm>
#include <cmath>

namespace scrimp {

namespace {

std::uint64_t scaled(std::uint64_t amount, double factor) {
  if (amount == 0) return 0;
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::nearbyint(static_cast<double>(amount) * factor)));
}

Capacity scaled(const Capacity& whole, double factor) {
  return {scaled(whole.states, factor), scaled(whole.bytes, factor), whole.share * factor};
}

}  // namespace

strategy::Comback planned(strategy::Comback options, std::uint64_t budget) {
  const bool is_open = !options.cache;
  const std::uint64_t percent = budget / 4 / 100;
  if (is_open) options.cache = Capacity{.bytes = std::max<std::uint64_t>(1, 60 * percent)};
  const auto complete = [&](std::optional<Capacity>& capacity, std::uint64_t share) {
    if (!capacity && is_open) capacity = Capacity{.bytes = std::max<std::uint64_t>(1, share * percent)};
    if (!capacity) capacity = Capacity{.share = static_cast<double>(share) / 60};
    if (capacity->share != 0) capacity = scaled(*options.cache, capacity->share);
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
