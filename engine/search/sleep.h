// What is asleep in the states of a depth-first path, and what is stored of it: lines 4 and 6 of
// search/selective_depth_first.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "reduction/relations.h"
#include "reduction/sleep_sets.h"
#include "run.h"
#include "search/path_frames.h"
#include "store/path_set.h"

namespace scrimp {

class Sleep {
 public:
  // A mark, where sleep sets are stored:
  //
  //     place on the path | resting | what sleeps for now
  //     32 bits           | 1       | 31
  //
  // `resting`: what was found from the state rested on the path when it was left, or something in it sleeps for now.
  // The place is that of the state, if it is on the path: whether it is, the frame at this place tells.
  static constexpr Mark resting = Mark{1} << 31;
  static SleepSet set_in(Mark mark) { return static_cast<SleepSet>(mark & (resting - 1)); }
  static PathIndex place_in(Mark mark) { return static_cast<PathIndex>(mark >> place_shift); }
  static Mark with_place(PathIndex place, Mark rest) {
    return Mark{place} << place_shift | (rest & ((Mark{1} << place_shift) - 1));
  }
  /// Of a state that is put on the path at this place for the first time.
  static Mark fresh_mark(PathIndex place, const Asleep& asleep) {
    return with_place(place, asleep.for_now == SleepSets::empty ? 0 : asleep.for_now | resting);
  }

  Sleep(Sleeping how, const Relations& relations, Budget& budget) : how_(how), sets_(relations, budget) {}

  Sleeping how() const { return how_; }
  std::uint64_t bytes() const { return sets_.bytes(); }

  bool contains(const Asleep& asleep, EventId event) const {
    return sets_.contains(asleep.for_good, event) || sets_.contains(asleep.for_now, event);
  }
  bool contains(SleepSet set, EventId event) const { return sets_.contains(set, event); }
  /// Whether all of a set is asleep.
  bool includes(const Asleep& asleep, SleepSet set) const {
    return sets_.includes(asleep.for_good, asleep.for_now, set);
  }
  SleepSet intersection(SleepSet a, SleepSet b) { return sets_.intersection(a, b); }

  SleepingFrame frame(Word hash, Slot slot, const Asleep& asleep) const {
    const PathIndex low = asleep.for_now == SleepSets::empty ? PathTable::nowhere : 0;
    return {hash, slot, low, asleep, asleep};
  }

  /// The path's last state has these entries.
  void list(SleepingFrame& frame, std::span<const EventId> entries) const { frame.entries = sets_.classes(entries); }

  /// What is asleep after an event of the path's last state, whose place is `index` (L4).
  [[gnu::always_inline]] Asleep after(SleepingFrame& frame, EventId event, PathIndex index) {
    if (frame.event != event) {
      if (frame.event != SleepingFrame::no_event && sets_.may_sleep_after(frame.event, frame.entries))
        finish_event(frame, index);
      frame.event = event;
      frame.event_low = PathTable::nowhere;
    }
    return {sets_.after(frame.asleep.for_good, event), sets_.after(frame.asleep.for_now, event)};
  }

  /// What the event at hand found rests on a state of the path.
  void rest_on(SleepingFrame& frame, PathIndex low) const {
    frame.event_low = std::min(frame.event_low, low);
    if (how_ == Sleeping::stored) frame.low = std::min(frame.low, low);
  }

 private:
  static constexpr unsigned place_shift = 32;

  /// All entries of the event were taken: it falls asleep.
  void finish_event(SleepingFrame& frame, PathIndex index) {
    SleepSet* set = &frame.asleep.for_good;
    switch (how_) {
      case Sleeping::stored:
        if (frame.event_low <= index) set = &frame.asleep.for_now;
        break;
      case Sleeping::on_path:
        if (frame.event_low != PathTable::nowhere) return;
        break;
      default: break;
    }
    *set = sets_.with(*set, frame.event);
  }

  const Sleeping how_;
  SleepSets sets_;
};

}  // namespace scrimp
