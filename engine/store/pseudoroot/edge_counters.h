// Upper bounds of the in-degrees of states: hashed counters, incremented edge by edge.
//
// A state has a few counters, which it shares with others, and its count is the minimum of them. An edge increments
// those that equal the minimum, and no others (conservative update; Estan and Varghese 2002): so the minimum grows with
// every edge into the state and is never below their number. It may be above, if all its counters are shared. A
// saturated counter stays saturated and stands for any number.
#pragma once

#include <cstdint>

#include "core/hash.h"
#include "core/machine.h"
#include "core/memory.h"
#include "store/pseudoroot/options.h"

namespace scrimp {

class EdgeCounters {
 public:
  /// If the budget has no room, `has_room` is false.
  EdgeCounters(const strategy::Pseudoroot& options, Budget& budget);

  bool has_room() const { return region_.bytes() != 0; }

  /// A hint that this hash will soon be added or looked up.
  void fetch(Word hash) const {
    for (unsigned function = 0; function < functions_; ++function)
      __builtin_prefetch(region_.data() + place(hash, function) * bits_ / 8, 1);
  }
  /// Counts an edge to the state with this hash.
  void add(Word hash);
  /// The number of edges added, or more; `saturated` if it is unknown.
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
