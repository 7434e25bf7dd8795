// Which levels of a breadth-first search are remembered, and for how long: MW09, section 3.2.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "observe/report.h"

namespace scrimp {

/// Which of the levels that it is offered a cache takes: the first; the one that comes `period` later; and so on, the
/// period growing each time by `growth`. The paper's cN is {N, 0}, its N is {N, N}.
struct Sampling {
  std::uint64_t period = 1;
  std::uint64_t growth = 0;
};

/// Which snapshot leaves a cache that is full; among equals the one with the lowest level.
enum class Leaving : std::uint8_t {
  llnr,    // the one with the lowest level number
  lru,     // the least recently hit; one that was never hit counts as hit when it was made
  mru,     // the most recently hit
  lfu,     // the least frequently hit
  mfu,     // the most frequently hit
  random,  // any
  size,    // the largest
};

/// Definition 2 of the paper.
struct LevelCache {
  Sampling sampling;
  Leaving leaving = Leaving::llnr;
  std::uint64_t snapshots = 1;  // at most so many, at least one
};

struct Snapshots {
  std::vector<LevelCache> caches;  // a stream: what leaves one is offered to the next; at least one
  bool pebbles = false;            // where the last one is full, another like it is put behind it
  bool backtracks = true;          // states are learnt by the two rules of the backtracking set
  /// What the last cache (among pebbles: the first) takes first, second, fourth, eighth, ... is kept for good, so that
  /// the search ends.
  bool keeps_some = true;
  std::uint64_t seed = 0;  // of `random`
};

/// How known states were recognised: by the newest that held them.
struct SnapshotHits {
  std::vector<std::uint64_t> by_cache;             // by a snapshot of this cache of the stream
  std::uint64_t by_open = 0;                       // by the level being expanded
  std::uint64_t by_kept = 0;                       // by what is kept for good
  std::uint64_t by_backtracking = 0;               // by the backtracking set
  std::array<std::uint64_t, 64> by_distance = {};  // at place i: from 2^i to 2^(i+1) - 1 levels before; by levels only

  void tell(Report& report) const {
    report.set("snapshots.hits_by_cache", by_cache);
    report.set("snapshots.hits_by_open", by_open);
    report.set("snapshots.hits_by_kept", by_kept);
    report.set("snapshots.hits_by_backtracking", by_backtracking);
    Report::List distances(by_distance.begin(), by_distance.end());
    while (!distances.empty() && distances.back() == 0) distances.pop_back();
    report.set("snapshots.hits_by_distance", std::move(distances));
  }
};

}  // namespace scrimp
