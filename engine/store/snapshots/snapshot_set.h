// The states of the levels that are kept: each is stored once, with its holders beside it.
//
//     PlainSet   state | holders        LevelBits   the holders        CacheStream   the snapshots among them
//
// A state without a living holder is forgotten: it counts as fresh when it is met. The next sweep removes it from the
// table. A sweep is due when the table has grown by a quarter since the last one and would become larger than ever,
// when every bit of the holders was used, or when there is no room.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "core/budget.h"
#include "core/machine.h"
#include "store/plain_set.h"
#include "store/snapshots/cache_stream.h"
#include "store/snapshots/level_bits.h"
#include "store/snapshots/options.h"

namespace scrimp {

/// `Words` is the number of words of a state, or 0 if it is known only at run time. A state may have another annotation
/// besides its holders.
template <std::uint32_t Words, class... Annotations>
class SnapshotSet {
 public:
  static constexpr std::size_t annotations = sizeof...(Annotations);

  /// A visited state, as the search sees it: fresh if it had no holder.
  struct Entry {
    Insertion insertion;
    Word* beside;

    Word& annotation() const { return *beside; }
  };

  SnapshotSet(const Machine& machine, const strategy::Snapshots& options, Budget& budget)
      : words_(machine.words), set_(machine, budget), stream_(options, bits_, budget) {}
  SnapshotSet(const SnapshotSet&) = delete;
  SnapshotSet& operator=(const SnapshotSet&) = delete;

  /// Begins to collect the first level, or the next one, which is empty.
  void begin_level() {
    if (!has_begun_) {
      has_begun_ = true;
      next_ = bits_.take(level_);
    } else {
      ++level_;
      run_states_ < set_.size() / least_share ? share_bit() : take_bit();
    }
    first_of_level_ = run_states_;
  }

  /// Puts states into the level that is collected. Writes the previous holders of each: if there are none, the state is
  /// fresh. Writes keys, which distinguish states, and passes the entries of an annotated set to `meet`. Returns false,
  /// with some states inserted, if there is no room.
  template <class Meet>
  [[nodiscard]] bool insert(const Word* states, std::uint32_t count, Word* keys, Holders* holders, Meet meet) {
    if (set_.size() > sweep_at_ && bits_.has_dead()) sweep();
    const std::uint64_t before = set_.size();
    const Holders next = LevelBits::only(next_);
    Holders alive = bits_.alive();
    bool has_room = true;
    visit_all(set_, states, count, words(), keys, [&](std::uint32_t i, auto entry) {
      if (entry.insertion == Insertion::no_room) [[unlikely]] {
        has_room = make_room();
        alive = bits_.alive();
        if (has_room) entry = set_.visit(states + i * words(), keys[i]);
        has_room = has_room && entry.insertion != Insertion::no_room;
        if (!has_room) return false;
      }
      holders[i] = entry.insertion == Insertion::fresh ? 0 : entry.annotation() & alive;
      entry.annotation() = holders[i] | next;
      if constexpr (annotations != 0)
        meet(Entry{holders[i] == 0 ? Insertion::fresh : Insertion::known, &entry.template annotation<1>()});
      return true;
    });
    if (!has_room) return false;
    peak_ = std::max(peak_, set_.size());
    if (set_.size() > before) most_added_ = std::max(most_added_, set_.size() - before);
    note_hits(holders, count);
    return true;
  }

  /// Completes the level that was collected: it is expanded now. If it is sampled, it becomes a snapshot.
  void complete_level() {
    bits_.hold(next_);
    stream_.offer({level_, run_states_ - first_of_level_, next_});
    if (level_ != 0) bits_.let_go(open_);
    open_ = next_;
    find_old();
  }

  /// Old snapshots, those not in the first cache, and other long-term holders: if one of them holds all successors of a
  /// state, the state has probably been expanded before.
  Holders old() const { return old_; }

  /// Puts a state into the backtracking set, if there is room; `number` is that of its last visit.
  void learn(const Word* learnt, Word number) {
    const auto entry = visit(set_, learnt);
    if (entry.insertion == Insertion::no_room) return;
    const Holders before = entry.insertion == Insertion::fresh ? 0 : entry.annotation();
    learnt_ += !(before & LevelBits::backtracking);
    entry.annotation() = before | LevelBits::backtracking;
    if constexpr (annotations != 0) entry.template annotation<1>() = number;
  }

  /// Removes the states that are forgotten.
  void sweep() {
    if (bits_.has_moves()) {
      set_.sweep([&bits = bits_](Holders holders) { return bits.renewed(holders); });
    } else {
      set_.sweep([alive = bits_.alive()](Holders holders) { return holders & alive; });
    }
    bits_.swept();
    sweep_at_ = std::max({set_.size() + worth_a_sweep(), peak_ - most_added_, least_sweep});
    find_old();
  }

  /// Including states that are forgotten but not yet removed.
  std::uint64_t size() const { return set_.size(); }
  std::uint64_t stored_peak() const { return peak_; }
  std::uint64_t bytes() const { return set_.bytes(); }
  /// Of the largest number of states that were stored.
  std::uint64_t state_bytes() const { return peak_ * held_words() * sizeof(Word); }
  void report_to(Report& report) const {
    report.set("state_bytes", state_bytes());
    report.set("stored_peak", stored_peak());
    report.set("snapshots.taken", stream_.taken());
    report.set("snapshots.kept", stream_.kept());
    report.set("snapshots.backtracking", learnt_);
    hits_.report_to(report);
  }

 private:
  using Set = PlainSet<Words, Holders, Annotations...>;

  static constexpr std::uint64_t least_sweep = 512;  // number of states below which freeing memory is not worth a sweep
  // A level with less than this fraction of the states shares its bit.
  static constexpr std::uint64_t least_share = 256;
  static constexpr std::uint64_t least_gain = 64;  // a sweep for room must remove more than this fraction of the states
  static constexpr std::size_t most_snapshots = 44;  // with a bit of their own, so that enough bits are left for levels

  std::size_t words() const { return Words == 0 ? words_ : Words; }

  /// After this many additions it is worth looking at all slots of the table again.
  std::uint64_t worth_a_sweep() const {
    const std::uint64_t places = set_.bytes() / (held_words() * sizeof(Word));
    return std::max(set_.size() / 4, places / 8);
  }

  std::size_t held_words() const { return words_ + 1 + annotations; }

  /// Sweeps a table that cannot grow. Returns whether that was worthwhile: otherwise sweeps would follow one another.
  [[gnu::noinline]] bool make_room() {
    if (!bits_.has_dead()) return false;
    const std::uint64_t before = set_.size();
    sweep();
    return before - set_.size() > before / least_gain;
  }

  void share_bit() {
    bits_.hold(next_);
    bits_[next_].level = level_;
  }

  void take_bit() {
    if (!bits_.has_free()) {
      const Holders apart = LevelBits::only(open_) | LevelBits::only(next_);
      stream_.rename(bits_.merge(apart, most_snapshots));
      sweep();
    }
    next_ = bits_.take(level_);
    run_states_ = 0;
  }

  void find_old() {
    hits_.by_cache.resize(stream_.caches());
    const Holders young = LevelBits::only(open_) | LevelBits::only(next_);
    old_ = (bits_.of_later_caches() & ~young) | bits_.settling() | LevelBits::for_good | LevelBits::backtracking;
  }

  /// A state that is met several times in a level counts as one hit.
  void note_hits(const Holders* holders, std::uint32_t count) {
    const Holders next = LevelBits::only(next_);
    for (std::uint32_t i = 0; i < count; ++i) {
      const bool is_first = (holders[i] & next) == 0;
      run_states_ += is_first;
      if (is_first & (holders[i] != 0)) [[unlikely]]  // one branch: which states are met first is unpredictable
        note_hit(holders[i]);
    }
  }

  void note_hit(Holders holders) {
    Holders levels = holders & ~(bits_.settling() | LevelBits::for_good | LevelBits::backtracking);
    if (levels == 0) {
      const bool is_kept = (holders & ~LevelBits::backtracking) != 0;
      ++(is_kept ? hits_.by_kept : hits_.by_backtracking);
      return;
    }
    const unsigned bit = newest(levels);
    LevelBits::Use& use = bits_[bit];
    ++use.hits;
    use.last_hit = level_;
    ++hits_.by_distance[static_cast<std::size_t>(std::bit_width(level_ - use.level) - 1)];
    ++(use.cache == LevelBits::no_cache ? hits_.by_open : hits_.by_cache[use.cache]);
  }

  unsigned newest(Holders levels) const {
    auto best = static_cast<unsigned>(std::countr_zero(levels));
    for (levels &= levels - 1; levels != 0; levels &= levels - 1) {
      const auto bit = static_cast<unsigned>(std::countr_zero(levels));
      if (bits_[bit].level > bits_[best].level) best = bit;
    }
    return best;
  }

  const std::uint32_t words_;
  Set set_;
  LevelBits bits_;
  CacheStream stream_;
  bool has_begun_ = false;
  std::uint64_t level_ = 0;           // the level being collected
  unsigned open_ = 0, next_ = 0;      // bits of the levels being expanded and collected
  std::uint64_t run_states_ = 0;      // states of the levels that share the bit `next_`
  std::uint64_t first_of_level_ = 0;  // the number of those before the level being collected
  std::uint64_t sweep_at_ = least_sweep;
  std::uint64_t peak_ = 0;
  std::uint64_t most_added_ = 0;  // in one call
  Holders old_ = 0;
  SnapshotHits hits_;
  std::uint64_t learnt_ = 0;  // states put into the backtracking set
};

}  // namespace scrimp
