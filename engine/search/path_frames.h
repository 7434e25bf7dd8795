// What a depth-first search that leaves events out, or forgets states, remembers of every state of its path.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/machine.h"
#include "core/memory.h"
#include "reduction/sleep_sets.h"
#include "search/path_table.h"
#include "store/path_set.h"

namespace scrimp {

/// What is asleep in a state; see search/selective_depth_first.h on what is asleep for good.
struct Asleep {
  SleepSet for_good = SleepSets::empty;
  SleepSet for_now = SleepSets::empty;

  bool is_anything() const { return (for_good | for_now) != SleepSets::empty; }
  bool has_no_room() const { return for_good == SleepSets::no_room || for_now == SleepSets::no_room; }
};

struct Frame {
  Word hash;  // of the state, where somebody may ask whether it is on the path
  Slot slot;
};

struct SleepingFrame {
  Word hash;
  Slot slot;
  PathIndex low;                         // nothing that was found below rests on a state of the path before this one
  Asleep at_first;                       // when the state was put on the path
  Asleep asleep;                         // besides, the events that were finished here
  SleepSet woken_of = SleepSets::empty;  // where the state was entered again: what slept in it before
  EventClasses entries = 0;              // of the state's events
  EventId event = no_event;              // whose entries were taken last
  PathIndex event_low = PathTable::nowhere;  // of what was found by it

  static constexpr EventId no_event = ~EventId{0};
};

template <class AnyFrame>
class PathFrames {
 public:
  explicit PathFrames(Budget& budget) : frames_(budget) {}

  std::uint64_t bytes() const { return frames_.bytes(); }
  std::size_t height() const { return height_; }
  AnyFrame& top() { return frames_.as<AnyFrame>()[height_ - 1]; }
  const AnyFrame& operator[](std::size_t place) const { return frames_.as<AnyFrame>()[place]; }

  /// Returns false where the budget is spent.
  [[nodiscard]] bool push(const AnyFrame& frame) {
    if ((height_ + 1) * sizeof(AnyFrame) > frames_.bytes() && !grow()) [[unlikely]]
      return false;
    frames_.as<AnyFrame>()[height_++] = frame;
    return true;
  }
  void pop() { --height_; }

 private:
  [[gnu::noinline]] bool grow() {
    const std::size_t bytes = (height_ + 1) * sizeof(AnyFrame);
    return frames_.resize(bytes / 2 * 3) || frames_.resize(bytes);
  }

  Region frames_;
  std::size_t height_ = 0;
};

}  // namespace scrimp
