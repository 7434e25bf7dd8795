// How strategies and what they are made of declare their options. A struct has
//
//     template <class Self, class Visit>
//     static void options(Self& self, Visit&& visit) { visit("states", self.states, at_least_one); ... }
//
// and an enumeration `words(Enumeration)`, the words of its values in their order. Whoever reads, prints or lists
// options needs no more than that.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

namespace scrimp {

/// Which numbers an option takes, both ends among them.
struct Between {
  std::uint64_t least = 0;
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
};

inline constexpr Between at_least_one{.least = 1};

/// What a paper prints may miss something.
enum class Mode : std::uint8_t { exact, paper };

constexpr std::array<std::string_view, 2> words(Mode) { return {"exact", "paper"}; }

}  // namespace scrimp
