// Which levels of a breadth-first search are remembered, and for how long: MW09, section 3.2.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "core/options.h"
#include "observe/report.h"

namespace scrimp {

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

constexpr std::array<std::string_view, 7> words(Leaving) {
  return {"llnr", "lru", "mru", "lfu", "mfu", "random", "size"};
}

/// Definition 2 of the paper. Of the levels that it is offered a cache takes the first; the one that comes `period`
/// later; and so on, the period growing each time by `growth`. The paper's cN has {N, 0}, its N has {N, N}.
struct LevelCache {
  std::uint64_t period = 1;
  std::uint64_t growth = 0;
  Leaving leaving = Leaving::llnr;
  std::uint64_t snapshots = 1;  // at most so many

  template <class Self, class Visit>
  static void options(Self& self, Visit&& visit) {
    visit("period", self.period, at_least_one);
    visit("growth", self.growth);
    visit("leaving", self.leaving);
    visit("snapshots", self.snapshots, at_least_one);
  }
};

/// What leaves one cache is offered to the next.
struct LevelCaches {
  std::vector<LevelCache> caches;  // at least one
  bool pebbles = false;            // where the last one is full, another like it is put behind it

  template <class Self, class Visit>
  static void options(Self& self, Visit&& visit) {
    visit("caches", self.caches);
    visit("pebbles", self.pebbles);
  }
};

namespace strategy {

struct Snapshots {
  static constexpr std::string_view name = "snapshots";

  LevelCaches caches = {{{2, 0, Leaving::llnr, 5}, {2, 2, Leaving::lfu, 10}}, false};
  bool backtracking = true;  // states are learnt by the two rules of the backtracking set
  /// What the last cache (among pebbles: the first) takes first, second, fourth, eighth, ... is kept for good, so that
  /// the search ends.
  bool permanent = true;
  std::uint64_t seed = 0;  // of `random`

  template <class Self, class Visit>
  static void options(Self& self, Visit&& visit) {
    visit("caches", self.caches);
    visit("backtracking", self.backtracking);
    visit("permanent", self.permanent);
    visit("seed", self.seed);
  }
};

}  // namespace strategy

/// How known states were recognised: by the newest that held them.
struct SnapshotHits {
  std::vector<std::uint64_t> by_cache;             // by a snapshot of this cache of the stream
  std::uint64_t by_open = 0;                       // by the level being expanded
  std::uint64_t by_kept = 0;                       // by what is kept for good
  std::uint64_t by_backtracking = 0;               // by the backtracking set
  std::array<std::uint64_t, 64> by_distance = {};  // at place i: from 2^i to 2^(i+1) - 1 levels before; by levels only

  void report_to(Report& report) const {
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
