// How strategies and their parts declare their options. A struct has
//
//     template <class Self, class Visit>
//     static void options(Self& self, Visit&& visit) { visit("states", self.states, at_least_one); ... }
//
// and an enumeration has `words(Enumeration)`, the names of its values in order. Code that reads, prints or lists
// options needs nothing else.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

namespace scrimp {

/// The range of an option's values, both ends included.
struct Between {
  std::uint64_t least = 0;
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
};

inline constexpr Between at_least_one{.least = 1};

/// `paper` is the algorithm as printed, which may miss states or errors.
enum class Mode : std::uint8_t { exact, paper };

constexpr std::array<std::string_view, 2> words(Mode) { return {"exact", "paper"}; }

}  // namespace scrimp
