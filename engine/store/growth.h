// When tables grow, and by how much.
//
// Growing is a sequential pass in place. A large table grows by a quarter at a time, so that together with its maximal
// load it never takes more than about 1.4 times the memory of its entries: the pass is cheap enough to be done that
// often. A small table grows by more if memory is plentiful, because otherwise growing would take longer than the
// insertions between; so does a table of whole states. Large sizes are multiples of huge pages.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/memory.h"

namespace scrimp {

inline constexpr std::size_t first_table_bytes = std::size_t{64} << 10;

/// A load factor in percent; `of` does not overflow, and its result is at most the capacity.
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

/// The size to which a small table grows, unless that takes much of the memory `left`.
inline std::size_t generous_bytes(std::size_t bytes, std::size_t left) {
  const std::size_t factor = bytes < (std::size_t{4} << 20) ? 4 : bytes < (std::size_t{64} << 20) ? 2 : 1;
  return (factor - 1) * bytes <= left / 4 ? factor * bytes : bytes;
}

/// How a table grows that is not small. One that is `brisk` grows by half of its size while that is little compared
/// with the memory left: two fifths of the passes are saved. One that is `ample` uses memory that nothing else will
/// need: by up to twice its size, as long as half of what is left stays.
enum class Growth { modest, brisk, ample };

inline std::size_t brisk_bytes(std::size_t bytes, std::size_t left) {
  const std::size_t step = bytes / 2;
  return step <= left / 16 ? (bytes + step) / huge_page * huge_page : bytes;
}

inline std::size_t ample_bytes(std::size_t bytes, std::size_t left) {
  return (bytes + std::min(bytes, left / 2)) / small_page * small_page;
}

/// The initial size of a table that is one of several of a store: they leave room for each other.
inline std::size_t first_share(std::size_t left) { return std::min(first_table_bytes, left / 8); }

/// Enlarges the region to the wanted size or, when the budget is nearly exhausted, by at most three quarters of what is
/// left, so that the rest of the search can continue for a while. Refuses steps that would not be worth the pass, and
/// steps below `least_step`.
inline bool enlarge_to(Region& region, std::size_t wanted, std::size_t least_step = small_page) {
  const std::size_t old_bytes = region.bytes();
  if (region.resize(wanted)) return true;
  const std::size_t step = region.budget().left() / 4 * 3 / small_page * small_page;
  if (step < std::max(old_bytes / 32, least_step)) return false;
  return region.resize(std::min(old_bytes + step, wanted));
}

/// Enlarges the region by the preferred step, a small one generously.
inline bool enlarge(Region& region, std::size_t least_step = small_page, Growth growth = Growth::modest) {
  const std::size_t bytes = region.bytes(), left = region.budget().left();
  const std::size_t larger = growth == Growth::ample ? ample_bytes(bytes, left) : generous_bytes(bytes, left);
  const std::size_t brisk = growth == Growth::brisk ? brisk_bytes(bytes, left) : bytes;
  return enlarge_to(region, std::max({preferred_bytes(bytes), larger, brisk, bytes + least_step}), least_step);
}

}  // namespace scrimp
