// Which states a cache forgets.
#pragma once

#include <cstdint>
#include <vector>

namespace scrimp {

enum class Policy : std::uint8_t {
  random,            // any
  fifo,              // each in turn, a state on the path not before its next turn: blind round robin
  lru,               // the least recently used: a state is used when it is visited, and as long as it is on the path
  mru,               // the most recently used
  lfu,               // the least frequently visited
  mfu,               // the most frequently visited
  largest_class,     // one of the largest class of states that were visited equally often
  smallest_subtree,  // the one below which the fewest states were entered
  type,              // of some that are looked at, one that a transition of the highest type led to (GHP92, section 5)
};

/// One cache, or several in a cascade: what the first has no room for moves to the second, and so on; what the last has
/// no room for is forgotten.
struct Replacement {
  struct Part {
    Policy policy = Policy::random;
    std::uint32_t percent = 100;  // of the capacity
  };

  std::uint64_t states = 0;  // the capacity, or 0
  std::uint64_t bytes = 0;   // likewise, of all that the store holds; where both are 0, what the budget has
  std::vector<Part> parts;
  std::uint32_t scan = 20;  // how many states `type` looks at
  std::uint8_t kept_type =
      0;  // where not 0, `type` keeps states that transitions of this type led to, as far as it can
  std::uint64_t seed = 0;
};

}  // namespace scrimp
