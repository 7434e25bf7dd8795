// How the ComBack method keeps states: EWK09, sections 2 to 4.
#pragma once

#include <cstdint>
#include <vector>

#include "observe/report.h"

namespace scrimp {

/// Which full descriptors are kept (EWK09, section 3).
enum class Keeping : std::uint8_t {
  random,     // R: a new state, with probability one half once the cache is full, in the place of any
  fifo,       // F: every new state, in the place of the oldest
  heuristic,  // H: an expanded state, in the place of one that is likely to shorten less
  distance,   // D(k): likewise, unless one of its k nearest ancestors is kept
  level,      // the states of every k-th level, k growing where they are too many (its reference [6])
};

/// A number of full descriptors, or what they may take, or a share of the states seen so far; the one that is not zero.
struct Capacity {
  std::uint64_t states = 0;
  std::uint64_t bytes = 0;
  double share = 0;

  bool is_given() const { return states != 0 || bytes != 0 || share != 0; }
};

struct ComBack {
  /// One cache, or two: what leaves the first may enter the second.
  struct Part {
    Keeping keeping = Keeping::fifo;
    std::uint32_t percent = 100;  // of the capacity
  };

  unsigned hash_bits = 0;       // 1 to 56; 0: as many as the state table finds worth their room
  Capacity cache;               // nothing given: what the budget leaves, split as in section 5.3
  std::vector<Part> parts;      // none: nothing but the initial state is kept
  std::uint32_t distance = 5;   // of `distance` and `level`: k
  bool delays = false;          // Algorithm 4: duplicates are detected in groups
  Capacity candidates;          // that are detected together
  bool queues_numbers = false;  // section 4.3: the queue has numbers, not states ...
  Capacity group;               // ... of which so many are rebuilt together
  bool as_printed = false;      // no detection at the end of a level; waiting states are not looked at; F has new ones
  std::uint64_t seed = 0;
};

/// What the method did beside searching.
struct Reconstructions {
  std::uint64_t states = 0;  // that were rebuilt
  std::uint64_t events = 0;  // that were fired to rebuild states
  std::uint64_t detections = 0;

  void tell(Report& report) const {
    report.set("reconstructions.states", states);
    report.set("reconstructions.events", events);
    report.set("reconstructions.detections", detections);
    report.set("events_beside", events);
  }
};

}  // namespace scrimp
