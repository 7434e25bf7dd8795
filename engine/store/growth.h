// When tables grow, and by how much.
//
// Growing is a sequential pass in place. A large table grows by a quarter at a time, so that together with its maximal
// load it never holds more than about 1.4 times what its entries take: the pass is cheap enough to be done that often.
// A small table grows by more where memory is plenty, for then the passes would take longer than what comes between.
// Large sizes are whole huge pages.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/memory.h"

namespace scrimp {

inline constexpr std::size_t first_table_bytes = std::size_t{64} << 10;

/// A load as a fraction, applied without rounding trouble: `of` never passes the capacity.
struct Load {
  std::uint32_t percent;
  std::uint64_t of(std::uint64_t capacity) const { return capacity / 100 * percent + capacity % 100 * percent / 100; }
};

inline std::size_t preferred_bytes(std::size_t bytes) {
  if (bytes == 0) return first_table_bytes;
  if (bytes < (std::size_t{1} << 20)) return 2 * bytes;
  const std::size_t wanted = bytes + bytes / 4;
  const std::size_t page = wanted < 16 * huge_page ? small_page : huge_page;
  return wanted / page * page;
}

/// What a small table grows to, unless it takes much of what is `left`.
inline std::size_t generous_bytes(std::size_t bytes, std::size_t left) {
  const std::size_t factor = bytes < (std::size_t{4} << 20) ? 4 : bytes < (std::size_t{64} << 20) ? 2 : 1;
  return (factor - 1) * bytes <= left / 4 ? factor * bytes : bytes;
}

/// What a table may start with that is one of several of a store: they leave room for each other.
inline std::size_t first_share(std::size_t left) { return std::min(first_table_bytes, left / 8); }

/// Enlarges the region to the wanted size, or by the most that is left to it when the budget is nearly spent: three
/// quarters, so that the rest of the search can go on for a while. Refuses steps that would not repay the pass, and
/// those below `least_step`.
inline bool enlarge_to(Region& region, std::size_t wanted, std::size_t least_step = small_page) {
  const std::size_t old_bytes = region.bytes();
  if (region.resize(wanted)) return true;
  const std::size_t step = region.budget().left() / 4 * 3 / small_page * small_page;
  if (step < std::max(old_bytes / 32, least_step)) return false;
  return region.resize(std::min(old_bytes + step, wanted));
}

/// Enlarges the region by the preferred step, a small one generously.
inline bool enlarge(Region& region, std::size_t least_step = small_page) {
  const std::size_t bytes = region.bytes();
  return enlarge_to(
      region, std::max({preferred_bytes(bytes), generous_bytes(bytes, region.budget().left()), bytes + least_step}),
      least_step);
}

}  // namespace scrimp
