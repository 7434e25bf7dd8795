// The frames of a depth-first search that leaves events out or forgets states: one for every state of its path, and an
// index that finds a state's place on the path.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/machine.h"
#include "core/memory.h"
#include "observe/observer.h"
#include "search/depth_first/path_table.h"
#include "store/state_set.h"

namespace scrimp {

/// A frame has the `hash` of its state if the search may need to know whether the state is on the path.
template <class Frame>
class PathFrames {
 public:
  PathFrames(Observer& observer, Budget& budget) : observer_(observer), frames_(budget), table_(budget) {}

  std::uint64_t bytes() const { return frames_.bytes() + table_.bytes(); }
  std::size_t height() const { return height_; }
  Frame& top() { return frames_.as<Frame>()[height_ - 1]; }
  const Frame& operator[](std::size_t place) const { return frames_.as<Frame>()[place]; }

  /// The places of the last state and of the state that is put on the path next.
  PathIndex top_index() const { return index(height_ - 1); }
  PathIndex next_index() const { return index(height_); }

  /// Returns false if the budget is exhausted.
  [[nodiscard]] bool push(const Frame& frame) {
    if ((height_ + 1) * sizeof(Frame) > frames_.bytes() && !grow()) [[unlikely]]
      return false;
    frames_.as<Frame>()[height_++] = frame;
    return true;
  }
  void pop() {
    if (table_.size() == height_) table_.remove(top().hash, top_index());
    --height_;
  }

  /// A state's place on the path, or `nowhere`. The table is brought up to date on lookup, because few states may ever
  /// be looked up. If there is no room for it, the search ends and the result is place 0.
  PathIndex find(Word hash) {
    while (table_.size() < height_) {
      if (table_.is_full() && !table_.begin_again(height_)) {
        observer_.end(Reason::memory);
        return 0;
      }
      const std::size_t next = table_.size();
      table_.add((*this)[next].hash, index(next));
    }
    return table_.find(hash, [this](PathIndex place) { return (*this)[place].hash; });
  }

  /// The given place if the state with this hash, which was once there, is still there; else `nowhere`.
  PathIndex confirmed(PathIndex place, Word hash) const {
    if (place >= PathTable::far) return place;
    return place < height_ && (*this)[place].hash == hash ? place : PathTable::nowhere;
  }

 private:
  static PathIndex index(std::size_t place) {
    return static_cast<PathIndex>(std::min<std::size_t>(place, PathTable::far));
  }

  [[gnu::noinline]] bool grow() {
    const std::size_t bytes = (height_ + 1) * sizeof(Frame);
    return frames_.resize(bytes / 2 * 3) || frames_.resize(bytes);
  }

  Observer& observer_;
  Region frames_;
  PathTable table_;
  std::size_t height_ = 0;
};

}  // namespace scrimp
