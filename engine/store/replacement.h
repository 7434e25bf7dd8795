// Which states a cache evicts.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/options.h"

namespace scrimp {

enum class Policy : std::uint8_t {
  random,            // a random one
  fifo,              // each in turn, a state on the path not before its next turn: blind round robin
  lru,               // the least recently used: a state is used when it is visited, and as long as it is on the path
  mru,               // the most recently used
  lfu,               // the least frequently visited
  mfu,               // the most frequently visited
  largest_class,     // one of the largest class of states that were visited equally often
  smallest_subtree,  // the one with the fewest states entered below it
  type,  // among a few inspected states, one that a transition of the highest type led to (GHP92, section 5)
};

constexpr std::array<std::string_view, 9> words(Policy) {
  return {"random", "fifo", "lru", "mru", "lfu", "mfu", "largest-class", "smallest-subtree", "type"};
}

/// One cache of a cascade.
struct Share {
  Policy policy = Policy::random;
  std::uint32_t percent = 100;  // of the capacity

  template <class Self, class Visit>
  static void options(Self& self, Visit&& visit) {
    visit("policy", self.policy);
    visit("percent", self.percent, Between{1, 100});
  }
};

/// How a state is coded, byte by byte.
enum class Coding : std::uint8_t { none, huffman, rle };

constexpr std::array<std::string_view, 3> words(Coding) { return {"none", "huffman", "rle"}; }

namespace strategy {

/// One cache, or several in a cascade: states that the first has no room for move to the second, and so on; states that
/// the last has no room for are evicted.
struct Cache {
  static constexpr std::string_view name = "cache";

  std::optional<std::uint64_t> states;  // the capacity
  // The same, for the memory of the whole store; with neither, as the budget allows.
  std::optional<std::uint64_t> bytes;
  std::vector<Share> policy = {Share{}};
  std::uint32_t scan = 20;           // how many states `type` inspects
  std::optional<std::uint8_t> type;  // `type` keeps states that transitions of this type led to, as far as possible
  std::uint64_t seed = 0;
  Coding compress = Coding::none;

  template <class Self, class Visit>
  static void options(Self& self, Visit&& visit) {
    visit("states", self.states, at_least_one);
    visit("bytes", self.bytes, at_least_one);
    visit("policy", self.policy);
    visit("scan", self.scan, at_least_one);
    visit("type", self.type, Between{1, 5});
    visit("seed", self.seed);
    visit("compress", self.compress);
  }
};

}  // namespace strategy

}  // namespace scrimp
