// How a search with reference counts obtains the in-degrees of states, and how it uses them: PY97.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/options.h"

namespace scrimp {

namespace strategy {

struct Pseudoroot {
  static constexpr std::string_view name = "pseudoroot";

  enum class Source : std::uint8_t { inverse, given, counted };  // the machine's function, for the first two; counters
  enum class Next : std::uint8_t {                               // which state is explored next, breadth-first
    arrival,                                                     // of a level, the state that was discovered first
    fewest,  // of a level, the state with the fewest unexplored incoming edges when the level begins
  };
  enum class By : std::uint8_t { none, tree, cleary };
  friend constexpr std::array<std::string_view, 3> words(Source) { return {"inverse", "given", "counted"}; }
  friend constexpr std::array<std::string_view, 2> words(Next) { return {"arrival", "fewest"}; }
  friend constexpr std::array<std::string_view, 3> words(By) { return {"none", "tree", "cleary"}; }

  Source source = Source::inverse;
  Next next = Next::arrival;
  std::optional<std::uint64_t> states;  // stored at once; empty: as the budget allows
  // Counters of edges, filled by a search that precedes the requested one.
  By by = By::cleary;  // the store of that search
  std::uint64_t counters = std::uint64_t{1} << 24;
  unsigned bits = 4;  // of a counter: 2, 4, 8 or 16
  unsigned functions = 2;

  template <class Self, class Visit>
  static void options(Self& self, Visit&& visit) {
    visit("source", self.source);
    visit("next", self.next);
    visit("states", self.states, at_least_one);
    visit("by", self.by);
    visit("counters", self.counters, at_least_one);
    visit("bits", self.bits, Between{2, 16});
    visit("functions", self.functions, Between{1, 8});
  }
};

}  // namespace strategy

}  // namespace scrimp
