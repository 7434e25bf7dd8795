// Stores that rely on hashes: hash collisions lose states, with everything reachable only through them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/options.h"

namespace scrimp {

namespace strategy {

/// Hash compaction (Wolper and Leroy 1993): `hash` bits of a hash of each state.
struct Compact {
  static constexpr std::string_view name = "compact";

  unsigned hash = 64;

  template <class Self, class Visit>
  static void options(Self& self, Visit&& visit) {
    visit("hash", self.hash, Between{1, 64});
  }
};

/// Bitstate hashing (Holzmann 1987): a table of bits, `functions` of which are set by each state.
struct Bitstate {
  static constexpr std::string_view name = "bitstate";

  std::optional<std::uint64_t> bytes;  // size of the table; empty: as the budget allows
  unsigned functions = 3;

  template <class Self, class Visit>
  static void options(Self& self, Visit&& visit) {
    visit("bytes", self.bytes, at_least_one);
    visit("functions", self.functions, Between{1, 28});
  }
};

}  // namespace strategy

}  // namespace scrimp
