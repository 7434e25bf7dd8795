// Stores that trust a hash: a state may be taken for another, and what only it leads to is then never seen.
#pragma once

#include <cstdint>

namespace scrimp {

/// Hash compaction (Wolper and Leroy 1993): of each state so many bits of a hash.
struct Compaction {
  unsigned hash_bits = 64;
};

/// Bitstate hashing (Holzmann 1987): a table of bits, of which each state sets `functions`.
struct Bitstate {
  std::uint64_t bytes = 0;  // of the table; 0: what the budget leaves
  unsigned functions = 3;
};

}  // namespace scrimp
