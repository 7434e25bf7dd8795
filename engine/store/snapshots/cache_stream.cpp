#include "store/snapshots/cache_stream.h"

#include <bit>
#include <utility>

namespace scrimp {

namespace {

/// The snapshot with the lowest cost is the first to leave.
std::int64_t cost(Leaving leaving, const Snapshot& snapshot, const LevelBits::Use& use) {
  const auto number = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
  switch (leaving) {
    case Leaving::llnr: return number(snapshot.level);
    case Leaving::lru: return number(use.last_hit);
    case Leaving::mru: return -number(use.last_hit);
    case Leaving::lfu: return number(use.hits);
    case Leaving::mfu: return -number(use.hits);
    case Leaving::size: return -number(snapshot.states);
    case Leaving::random: break;
  }
  return 0;
}

}  // namespace

CacheStream::CacheStream(const strategy::Snapshots& options, LevelBits& bits, Budget& budget)
    : pebbles_(options.caches.pebbles),
      keeps_some_(options.permanent),
      bits_(bits),
      budget_(budget),
      random_(options.seed) {
  for (const LevelCache& cache : options.caches.caches) caches_.emplace_back(cache, budget);
}

void CacheStream::offer(Snapshot snapshot) {
  for (std::size_t place = 0; place < caches_.size(); ++place) {
    Cache& cache = caches_[place];
    if (!samples(cache)) return bits_.let_go(snapshot.bit);  // L1
    taken_ += place == 0;
    const bool is_last = place + 1 == caches_.size();
    if (pebbles_ ? place == 0 : is_last) keep_some(snapshot);
    note_place(snapshot, place);
    if (cache.snapshots.size() < cache.options.snapshots) return cache.snapshots.push(snapshot);
    snapshot = exchange(cache, snapshot);  // L2
    bits_[snapshot.bit].young -= place == 0;
    if (is_last && pebbles_) caches_.emplace_back(LevelCache(cache.options), budget_);  // L3
  }
  bits_.let_go(snapshot.bit);
}

void CacheStream::rename(const LevelBits::Renaming& renaming) {
  for (Cache& cache : caches_)
    for (Snapshot& snapshot : cache.snapshots) snapshot.bit = renaming[snapshot.bit];
}

/// Called when the snapshot was put into this cache, or is about to be.
void CacheStream::note_place(const Snapshot& snapshot, std::size_t place) {
  bits_[snapshot.bit].cache = static_cast<std::uint32_t>(place);
  bits_[snapshot.bit].young += place == 0;
}

bool CacheStream::samples(Cache& cache) {
  if (cache.passing != 0) return --cache.passing, false;
  cache.passing = cache.period - 1;
  cache.period += cache.options.growth;
  return true;
}

/// Returns the snapshot that was replaced.
Snapshot CacheStream::exchange(Cache& cache, const Snapshot& added) {
  return std::exchange(cache.snapshots[leaving(cache)], added);
}

std::size_t CacheStream::leaving(const Cache& cache) {
  const RegionVector<Snapshot>& all = cache.snapshots;
  const Leaving how = cache.options.leaving;
  if (how == Leaving::random) return random_.below(all.size());
  const auto rank = [&](std::size_t i) { return std::pair(cost(how, all[i], bits_[all[i].bit]), all[i].level); };
  std::size_t first = 0;
  for (std::size_t i = 1; i < all.size(); ++i)
    if (rank(i) < rank(first)) first = i;
  return first;
}

void CacheStream::keep_some(const Snapshot& snapshot) {
  if (!keeps_some_ || !std::has_single_bit(++counted_)) return;
  bits_[snapshot.bit].is_kept = true;
  ++kept_;
}

}  // namespace scrimp
