// How several threads move the entries of a table to greater places, in place.
//
//     old    | ............................. | third wave  | second wave      | first wave             |
//     new                                                  | third wave       | second wave            | first wave ...
//
// The entries from place `begin` on go to places from target(begin) on; both are in the same order. A wave is the
// greatest range [begin, end) whose targets lie behind it: the places where they go were read by the waves before it,
// or are new. So its parts can be moved at the same time. What is left in front when waves become small is for one
// thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace scrimp {

/// Calls a function for every item below a number, by as many threads as there are, and waits until all are done.
using Crew = std::function<void(std::uint32_t items, const std::function<void(std::uint32_t item)>& work)>;

/// Memory that threads lend each other: a part of the work takes what an earlier part has used, rather than asking the
/// system for new pages.
template <class Lent>
class Pool {
 public:
  Lent take() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return {};
    Lent lent = std::move(idle_.back());
    idle_.pop_back();
    return lent;
  }
  void give_back(Lent&& lent) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(lent));
  }

 private:
  std::mutex mutex_;
  std::vector<Lent> idle_;
};

/// Calls `move(begin, end)` for parts of [0, places), wave by wave. Returns how many places are left, in front.
/// `target` is monotone.
template <class Target, class Move>
std::uint64_t move_in_waves(std::uint64_t places, const Crew& crew, Target target, Move move) {
  constexpr std::uint64_t least_wave = 2048, least_part = 256, most_parts = 256;
  for (std::uint64_t end = places;;) {
    std::uint64_t stay = 0, begin = end;  // target(stay) < end, unless that is 0
    while (begin - stay > 1) {
      const std::uint64_t middle = stay + (begin - stay) / 2;
      (target(middle) < end ? stay : begin) = middle;
    }
    const std::uint64_t size = end - begin;
    if (size < least_wave) return end;
    const std::uint64_t parts = std::min(size / least_part, most_parts);
    crew(static_cast<std::uint32_t>(parts),
         [&](std::uint32_t i) { move(begin + size * i / parts, begin + size * (i + 1) / parts); });
    end = begin;
  }
}

}  // namespace scrimp
