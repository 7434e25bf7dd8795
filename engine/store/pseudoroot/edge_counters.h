// How many edges lead into a state, at least: hashed counters, filled edge by edge.
//
// A state has a few counters, which it shares with others, and its count is the least of them. An edge raises those
// that are least, and no others (conservative update; Estan and Varghese 2002): the least of a state's counters then
// grows with every edge into it, so it is never below their number. It may be above, where all counters are shared.
// A counter that is full stays so and stands for any number.
#pragma once

#include <cstdint>

#include "core/hash.h"
#include "core/machine.h"
#include "core/memory.h"
#include "store/pseudoroot/options.h"

namespace scrimp {

class EdgeCounters {
 public:
  /// Without room where the budget has none: see `has_room`.
  EdgeCounters(const strategy::Pseudoroot& options, Budget& budget);

  bool has_room() const { return region_.bytes() != 0; }

  /// A hint that this hash will soon be added or asked for.
  void fetch(Word hash) const {
    for (unsigned function = 0; function < functions_; ++function)
      __builtin_prefetch(region_.data() + place(hash, function) * bits_ / 8, 1);
  }
  /// One more edge leads to the state with this hash.
  void add(Word hash);
  /// As many edges as were added, or more; `saturated` where nobody knows.
  std::uint32_t count(Word hash) const;

  std::uint64_t bytes() const { return region_.bytes(); }

 private:
  std::uint64_t place(Word hash, unsigned function) const;
  std::uint32_t read(std::uint64_t place) const;
  void write(std::uint64_t place, std::uint32_t value);
  std::uint32_t least(Word hash) const;

  const std::uint64_t counters_;
  const unsigned bits_;
  const unsigned functions_;
  const std::uint32_t full_;
  Region region_;
};

}  // namespace scrimp
