// The number of a state's events that a depth-first search has taken, as bytes: usually one, five for large numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/machine.h"
#include "search/expansion/expander.h"

namespace scrimp {

using Taken = std::uint32_t;

/// Replaces the number when the state has no further event, so that it need not be expanded again to find that out.
inline constexpr Taken all_taken = ~Taken{0};

/// The maximal number of bytes of a number.
inline constexpr std::size_t taken_bytes = 1 + sizeof(Taken);

inline constexpr Taken long_mark = 254, all_taken_mark = 255;

/// Writes the number so that it can be read backwards; returns its end.
inline std::byte* write_backwards(std::byte* to, Taken taken) {
  if (taken >= long_mark && taken != all_taken) [[unlikely]] {
    std::memcpy(to, &taken, sizeof taken);
    to += sizeof taken;
    taken = long_mark;
  }
  *to++ = static_cast<std::byte>(taken);  // the low byte of all_taken is its mark
  return to;
}

/// Reads the number that ends at `end` and moves `end` to its start.
template <class Byte>
Taken read_backwards(Byte*& end) {
  Taken taken = std::to_integer<Taken>(*--end);
  if (taken == all_taken_mark) return all_taken;
  if (taken == long_mark) [[unlikely]] {
    end -= sizeof taken;
    std::memcpy(&taken, end, sizeof taken);
  }
  return taken;
}

/// The numbers in a form that is read from the first one on.
std::vector<std::byte> forwards(const std::vector<Taken>& numbers);
std::vector<Taken> read_forwards(const std::byte* begin, const std::byte* end);

/// Repeats steps that a search took before.
class Replay {
 public:
  explicit Replay(Expander& expander);

  /// The successor of `state` by its last taken event; valid until the next step. Throws std::bad_alloc if the budget
  /// is exhausted.
  const Word* step(const Word* state, Taken taken);
  /// Appends that event, or the sequence of events that it stands for; `state` is that of the last `step`.
  void append_events(const Word* state, std::vector<EventId>& events);

 private:
  Expander& expander_;
  std::vector<Word> successors_;
  std::vector<EventId> events_;
  std::uint32_t ordinal_ = 0;  // of the successor
  bool passed_ = false;
};

}  // namespace scrimp
