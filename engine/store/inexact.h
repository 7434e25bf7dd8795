// Stores that trust a hash: a state may be taken for another, and what only it leads to is then never seen.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/options.h"

namespace scrimp {

namespace strategy {

/// Hash compaction (Wolper and Leroy 1993): of each state so many bits of a hash.
struct Compact {
  static constexpr std::string_view name = "compact";

  unsigned hash = 64;

  template <class Self, class Visit>
  static void options(Self& self, Visit&& visit) {
    visit("hash", self.hash, Between{1, 64});
  }
};

/// Bitstate hashing (Holzmann 1987): a table of bits, of which each state sets `functions`.
struct Bitstate {
  static constexpr std::string_view name = "bitstate";

  std::optional<std::uint64_t> bytes;  // of the table; nothing: what the budget leaves
  unsigned functions = 3;

  template <class Self, class Visit>
  static void options(Self& self, Visit&& visit) {
    visit("bytes", self.bytes, at_least_one);
    visit("functions", self.functions, Between{1, 28});
  }
};

}  // namespace strategy

}  // namespace scrimp
