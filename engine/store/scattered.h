// The lines of a table in an order in which neighbours are far from each other, and every beginning of which is spread
// evenly. A table that is read line by line and inserted into another with the same hash fills the lower end of that
// one while the rest is empty: it is crowded there, and grows too often.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace scrimp {

/// Calls `visit` with every number below `count`.
template <class Visit>
void for_each_scattered(std::uint64_t count, Visit visit) {
  constexpr double golden = 0.6180339887498949;
  std::uint64_t step = std::max<std::uint64_t>(static_cast<std::uint64_t>(static_cast<double>(count) * golden), 1);
  while (std::gcd(step, count) > 1) ++step;
  for (std::uint64_t i = 0, at = 0; i < count; ++i, at = (at + step) % count) visit(at);
}

/// The order in which the rows of a set are listed.
enum class RowOrder { as_stored, scattered };

template <RowOrder order, class Visit>
void for_each_in(std::uint64_t count, Visit visit) {
  if constexpr (order == RowOrder::scattered)
    for_each_scattered(count, visit);
  else
    for (std::uint64_t i = 0; i < count; ++i) visit(i);
}

}  // namespace scrimp
