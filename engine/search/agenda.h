// What is still to be done in the states of a depth-first path: which of their entries are to be taken, what is asleep,
// and which slot of the store is theirs.
//
//     frames    | frame | frame | frame |
//     entries   | word word | word | word |       one bit per entry, set where it is still to be taken
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/machine.h"
#include "core/memory.h"
#include "reduction/sleep_sets.h"
#include "search/path_table.h"
#include "store/path_set.h"

namespace scrimp {

/// Of one state of the path; see search/selective_depth_first.h on what is asleep for good.
struct Frame {
  Word hash;  // of the state
  Slot slot;
  std::uint32_t words;            // of its entries
  SleepSet for_good;              // asleep
  SleepSet for_now;               // asleep besides
  PathIndex low;                  // nothing that was found below rests on a state of the path before this one
  EventId event = no_event;       // whose entries were taken last
  PathIndex event_low = nowhere;  // of what was found by it

  static constexpr EventId no_event = ~EventId{0};
  static constexpr PathIndex nowhere = PathTable::nowhere;
};

class AgendaStack {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  explicit AgendaStack(Budget& budget) : frames_(budget), entries_(budget) {}

  std::uint64_t bytes() const { return frames_.bytes() + entries_.bytes(); }
  std::size_t height() const { return height_; }
  Frame& top() { return frames_.as<Frame>()[height_ - 1]; }
  const Frame& operator[](std::size_t place) const { return frames_.as<Frame>()[place]; }

  /// Nothing is to be taken yet. Returns false where the budget is spent.
  [[nodiscard]] bool push(const Frame& frame) {
    if (!reserve(frames_, (height_ + 1) * sizeof(Frame))) return false;
    frames_.as<Frame>()[height_++] = frame;
    return true;
  }

  /// Makes room for this many entries of the top frame, once; all of them are to be taken.
  [[nodiscard]] bool open(std::uint32_t count) {
    const std::uint32_t words = (count + 63) / 64;
    if (!reserve(entries_, (end_ + words) * sizeof(std::uint64_t))) return false;
    for (std::uint32_t i = 0; i < words; ++i) entries_.as<std::uint64_t>()[end_ + i] = ~std::uint64_t{0};
    if (count % 64 != 0) entries_.as<std::uint64_t>()[end_ + words - 1] >>= 64 - count % 64;
    end_ += words;
    top().words = words;
    return true;
  }

  void pop() {
    end_ -= top().words;
    --height_;
  }

  void drop(std::uint32_t entry) { word(entry) &= ~(std::uint64_t{1} << entry % 64); }

  /// Whether nothing is left to be taken in the top state.
  bool finished() const {
    return std::all_of(first_word(), last_word(), [](std::uint64_t word) { return word == 0; });
  }

  /// The first entry that is to be taken, which is dropped, or `none`.
  std::uint32_t take() {
    std::uint64_t* const first = first_word();
    for (std::uint64_t *each = first, *stop = last_word(); each != stop; ++each) {
      if (*each == 0) continue;
      const auto entry = static_cast<std::uint32_t>((each - first) * 64 + std::countr_zero(*each));
      *each &= *each - 1;
      return entry;
    }
    return none;
  }

  /// Calls `visit` with every entry that is to be taken.
  template <class Visit>
  void for_each(Visit visit) const {
    std::uint32_t start = 0;
    for (const std::uint64_t *each = first_word(), *stop = last_word(); each != stop; ++each, start += 64)
      for (std::uint64_t rest = *each; rest != 0; rest &= rest - 1)
        visit(start + static_cast<std::uint32_t>(std::countr_zero(rest)));
  }

 private:
  std::uint64_t* last_word() const { return entries_.as<std::uint64_t>() + end_; }
  std::uint64_t* first_word() const { return last_word() - frames_.as<Frame>()[height_ - 1].words; }
  std::uint64_t& word(std::uint32_t entry) const { return first_word()[entry / 64]; }

  static bool reserve(Region& region, std::size_t bytes) {
    return bytes <= region.bytes() || region.resize(bytes / 2 * 3) || region.resize(bytes);
  }

  Region frames_;
  Region entries_;
  std::size_t height_ = 0;
  std::size_t end_ = 0;  // of the words of entries
};

}  // namespace scrimp
