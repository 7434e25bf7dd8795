// The stream of caches through which the snapshots of levels pass: MW09, section 3.2, figure 2.
//
//     levels -> | sampling | cache | -> | sampling | cache | -> ... -> forgotten, or kept for good
//
//   1. A cache is offered a snapshot. Unless its sampling function takes it, the snapshot leaves the stream.
//   2. If the cache is full, another snapshot leaves it and is offered to the next cache.
//   3. If there is no next cache, that snapshot leaves the stream; in a pebble search a new cache is appended for it.
//
// Deviation. Lemma 1 is false: increasing periods alone do not make the search terminate. It terminates if infinitely
// many snapshots would be kept for good: each holds a state that was in no earlier snapshot, or the search has closed.
// So the snapshots that the last cache takes are counted, and the first, second, fourth, eighth, ... of them are not
// forgotten when they leave the stream. In a pebble search it is the first cache that counts: the last one may be
// offered the same snapshots as the one before it.
#pragma once

#include <cstdint>
#include <vector>

#include "core/budget.h"
#include "core/region_vector.h"
#include "store/policies/random.h"
#include "store/snapshots/level_bits.h"
#include "store/snapshots/options.h"

namespace scrimp {

struct Snapshot {
  std::uint64_t level;
  std::uint64_t states;
  unsigned bit;  // its bit, of which the snapshot is a user
};

class CacheStream {
 public:
  CacheStream(const strategy::Snapshots& options, LevelBits& bits, Budget& budget);

  /// Takes over one use of the snapshot's bit. Throws std::bad_alloc if the budget is exhausted.
  void offer(Snapshot snapshot);

  /// Changes the bits of all snapshots that are in caches.
  void rename(const LevelBits::Renaming& renaming);

  /// Calls `visit(snapshot, cache)` with every snapshot in the stream.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t i = 0; i < caches_.size(); ++i)
      for (const Snapshot& snapshot : caches_[i].snapshots) visit(snapshot, i);
  }

  std::size_t caches() const { return caches_.size(); }
  std::uint64_t taken() const { return taken_; }
  std::uint64_t kept() const { return kept_; }

 private:
  struct Cache {
    Cache(const LevelCache& cache_options, Budget& budget)
        : options(cache_options), period(options.period), snapshots(budget) {}

    LevelCache options;
    std::uint64_t period;
    std::uint64_t passing = 0;  // this many offers are refused before the next is taken
    RegionVector<Snapshot> snapshots;
  };

  static bool samples(Cache& cache);
  Snapshot exchange(Cache& cache, const Snapshot& added);
  void note_place(const Snapshot& snapshot, std::size_t place);
  std::size_t leaving(const Cache& cache);
  void keep_some(const Snapshot& snapshot);

  const bool pebbles_, keeps_some_;
  LevelBits& bits_;
  Budget& budget_;
  RandomNumbers random_;
  std::vector<Cache> caches_;
  std::uint64_t taken_ = 0;
  std::uint64_t counted_ = 0;  // that were candidates for being kept
  std::uint64_t kept_ = 0;
};

}  // namespace scrimp
