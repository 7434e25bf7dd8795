// The events asleep in the states of a depth-first path, and the sleep sets stored with states: lines 4 and 6 of
// search/depth_first/selective_depth_first.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>

#include "observe/observer.h"
#include "reduction/relations.h"
#include "reduction/sleep_sets.h"
#include "run.h"
#include "search/depth_first/path_frames.h"
#include "store/state_set.h"

namespace scrimp {

/// The annotation of a state if sleep sets are stored:
///
///     place on the path | resting | set of events asleep for now
///     32 bits           | 1       | 31
///
/// `resting`: the search from the state depended on the stack when the state was left, or some event is asleep in it
/// for now. The place is the state's place on the path if it is on the path, which the frame at that place confirms.
using SleepMark = std::uint64_t;

/// No event is ever asleep; costs nothing.
class NoSleep {
 public:
  static constexpr bool sleeps = false;
  struct Frame {};
  struct Asleep {};

  std::uint64_t bytes() const { return 0; }
};

class PathSleep {
 public:
  static constexpr bool sleeps = true;

  /// The events asleep in a state; search/depth_first/selective_depth_first.h defines "for good" and "for now".
  struct Asleep {
    SleepSet for_good = SleepSetTable::empty;
    SleepSet for_now = SleepSetTable::empty;

    bool is_anything() const { return (for_good | for_now) != SleepSetTable::empty; }
    bool has_no_room() const { return for_good == SleepSetTable::no_room || for_now == SleepSetTable::no_room; }
  };

  /// The sleep sets of a state on the path.
  struct Frame {
    PathIndex low;                             // the search below depends on no state of the path before this one
    Asleep at_first;                           // when the state was put on the path
    Asleep asleep;                             // these, and the events that were finished here
    SleepSet woken_of = SleepSetTable::empty;  // if the state was entered again: the events asleep in it before
    EventClasses entries = 0;                  // classes of the state's events
    EventId event = no_event;                  // the event whose entries were taken last
    PathIndex event_low = PathTable::nowhere;  // the same as `low`, for the search below that event
  };

  PathSleep(SleepMemory how, const Relations& relations, Observer& observer, Budget& budget)
      : how_(how), observer_(observer), sets_(relations, budget) {}

  std::uint64_t bytes() const { return sets_.bytes(); }

  bool contains(const Asleep& asleep, EventId event) const {
    return sets_.contains(asleep.for_good, event) || sets_.contains(asleep.for_now, event);
  }
  bool contains(SleepSet set, EventId event) const { return sets_.contains(set, event); }

  /// The frame of a state that is put on the path with these events asleep.
  Frame frame(const Asleep& asleep) const {
    return {asleep.for_now == SleepSetTable::empty ? PathTable::nowhere : 0, asleep, asleep};
  }
  /// The same for a known state that is entered again: events that were asleep in it `before` and are not now are
  /// taken.
  Frame frame_again(const Asleep& asleep, SleepSet before) const {
    Frame again = frame(asleep);
    again.low = 0;
    again.woken_of = before;
    return again;
  }

  /// Records the entries of the path's last state.
  void list(Frame& frame, std::span<const EventId> entries) const { frame.entries = sets_.classes(entries); }

  /// The events asleep after an event of the path's last state, whose place is `index` (L4). Ends the search if there
  /// is no room for the set.
  [[gnu::always_inline]] Asleep after(Frame& frame, EventId event, PathIndex index) {
    if (frame.event != event) {
      if (frame.event != no_event && sets_.may_sleep_after(frame.event, frame.entries)) finish_event(frame, index);
      frame.event = event;
      frame.event_low = PathTable::nowhere;
    }
    const Asleep asleep{sets_.after(frame.asleep.for_good, event), sets_.after(frame.asleep.for_now, event)};
    if (asleep.has_no_room()) [[unlikely]]
      observer_.end(Reason::memory);
    return asleep;
  }

  /// The mark of a fresh state that is put on the path at this place.
  SleepMark fresh_mark(PathIndex place, const Asleep& asleep) const {
    return with_place(place, asleep.for_now == SleepSetTable::empty ? 0 : asleep.for_now | resting);
  }

  /// Called for a known state without a mark.
  template <class AnyFrame>
  void match(PathFrames<AnyFrame>& frames, Word hash) const {
    if (how_ == SleepMemory::on_path) rest_on(frames.top().sleep, frames.find(hash));
  }

  /// The events to take again in a known state are those that were asleep in it `before` and are not `asleep` now.
  struct Woken {
    Asleep asleep;
    SleepSet before;
  };

  /// L6: called for a known state reached with these events asleep. Returns a value if it is to be entered again.
  template <class AnyFrame>
  [[gnu::always_inline]] std::optional<Woken> match(PathFrames<AnyFrame>& frames, Word hash, SleepMark& mark,
                                                    const Asleep& asleep) {
    const PathIndex on_path = frames.confirmed(static_cast<PathIndex>(mark >> place_shift), hash);
    rest_on(frames.top().sleep, on_path);
    if ((mark & resting) == 0) return {};
    rest_on(frames.top().sleep, 0);
    const SleepSet before = static_cast<SleepSet>(mark & (resting - 1));
    if (before == SleepSetTable::empty) return {};
    const SleepSet still = sets_.intersection(before, asleep.for_now);
    if (still == SleepSetTable::no_room) {
      observer_.end(Reason::memory);
      return {};
    }
    mark = with_place(on_path, resting | still);
    if (sets_.includes(asleep.for_good, asleep.for_now, before)) return {};
    if (on_path == PathTable::nowhere) mark = with_place(frames.next_index(), mark);
    return Woken{{asleep.for_good, still}, before};
  }

  /// Whether the search from the path's last state depends on an earlier state: then its mark must say so.
  template <class AnyFrame>
  bool is_resting(PathFrames<AnyFrame>& frames) const {
    return frames.top().sleep.low < frames.top_index();
  }
  static void rest(SleepMark& mark) { mark |= resting; }

  /// Called when the state above the path's last one was left: the last one depends on whatever that state depended on.
  template <class AnyFrame>
  void left(PathFrames<AnyFrame>& frames, PathIndex low) const {
    if (how_ == SleepMemory::stored && frames.height() != 0) rest_on(frames.top().sleep, low);
  }

 private:
  static constexpr SleepMark resting = SleepMark{1} << 31;
  static constexpr unsigned place_shift = 32;

  static SleepMark with_place(PathIndex place, SleepMark rest) {
    return SleepMark{place} << place_shift | (rest & ((SleepMark{1} << place_shift) - 1));
  }

  /// Notes that the search below the current event depends on a state of the path.
  void rest_on(Frame& frame, PathIndex low) const {
    frame.event_low = std::min(frame.event_low, low);
    if (how_ == SleepMemory::stored) frame.low = std::min(frame.low, low);
  }

  /// All entries of the event were taken: it goes to sleep.
  void finish_event(Frame& frame, PathIndex index) {
    SleepSet* set = &frame.asleep.for_good;
    switch (how_) {
      case SleepMemory::stored:
        if (frame.event_low <= index) set = &frame.asleep.for_now;
        break;
      case SleepMemory::on_path:
        if (frame.event_low != PathTable::nowhere) return;
        break;
      default: break;
    }
    *set = sets_.with(*set, frame.event);
  }

  const SleepMemory how_;
  Observer& observer_;
  SleepSetTable sets_;
};

}  // namespace scrimp
