// Which levels of a breadth-first search are kept, and for how long: MW09, section 3.2.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "core/options.h"
#include "observe/report.h"

namespace scrimp {

/// Which snapshot leaves a full cache; among equals the one with the lowest level.
enum class Leaving : std::uint8_t {
  llnr,    // the one with the lowest level number
  lru,     // the least recently hit; a snapshot that was never hit counts as hit when it was made
  mru,     // the most recently hit
  lfu,     // the least frequently hit
  mfu,     // the most frequently hit
  random,  // a random one
  size,    // the largest
};

constexpr std::array<std::string_view, 7> words(Leaving) {
  return {"llnr", "lru", "mru", "lfu", "mfu", "random", "size"};
}

/// Definition 2 of the paper. Of the levels that it is offered, a cache takes the first, then the one `period` later,
/// and so on; the period grows by `growth` each time. The paper's cN has {N, 0}, its N has {N, N}.
struct LevelCache {
  std::uint64_t period = 1;
  std::uint64_t growth = 0;
  Leaving leaving = Leaving::llnr;
  std::uint64_t snapshots = 1;  // at most this many

  template <class Self, class Visit>
  static void options(Self& self, Visit&& visit) {
    visit("period", self.period, at_least_one);
    visit("growth", self.growth);
    visit("leaving", self.leaving);
    visit("snapshots", self.snapshots, at_least_one);
  }
};

/// Snapshots that leave one cache are offered to the next.
struct LevelCaches {
  std::vector<LevelCache> caches;  // at least one
  bool pebbles = false;            // when the last one is full, another like it is appended

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
  bool backtracking = true;  // add states to the backtracking set, by its two rules
  /// Of the snapshots that the last cache (with pebbles: the first) takes, the first, second, fourth, eighth, ... are
  /// kept for good, so that the search terminates.
  bool permanent = true;
  std::uint64_t seed = 0;  // for `random`

  template <class Self, class Visit>
  static void options(Self& self, Visit&& visit) {
    visit("caches", self.caches);
    visit("backtracking", self.backtracking);
    visit("permanent", self.permanent);
    visit("seed", self.seed);
  }
};

}  // namespace strategy

/// How known states were recognised: by their newest holder.
struct SnapshotHits {
  std::vector<std::uint64_t> by_cache;             // by a snapshot of this cache of the stream
  std::uint64_t by_open = 0;                       // by the level being expanded
  std::uint64_t by_kept = 0;                       // by snapshots kept for good
  std::uint64_t by_backtracking = 0;               // by the backtracking set
  std::array<std::uint64_t, 64> by_distance = {};  // entry i: from 2^i to 2^(i+1) - 1 levels before; for levels only

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
