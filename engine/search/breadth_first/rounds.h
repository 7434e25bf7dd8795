// A breadth-first search goes through each level in rounds, and ends only between rounds.
//
// How many states a round has depends on nothing but the numbers of states and transitions so far. It may be worked on
// by one thread or by several: the findings of a round are those of its expanded states, in order, then those of the
// states that were entered, in order. So every result is the same for any number of threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "observe/finding.h"
#include "observe/observer.h"
#include "reduction/ranked_choice.h"
#include "search/breadth_first/levels.h"

namespace scrimp {

/// What is observed of a round, or of a part of it that one thread works on.
struct RoundPart {
  RoundPart(const Observer& whole, std::uint32_t words)
      : observer(Observer::PartOf{whole}), expanded(words), entered(words) {}

  Observer observer;
  Sightings expanded, entered;  // what was found while states were expanded, and in states that were entered
};

/// How a search is shared.
struct Sharing {
  unsigned threads = 1;
  /// A round with fewer successors is left to one thread, because threads would spend their time waiting, and so are
  /// the first rounds, until there are four times as many states.
  std::uint64_t worth = std::uint64_t{1} << 13;
  std::optional<std::uint64_t> shuffle_seed = std::nullopt;
  const Reducing* reducing = nullptr;  // null: every event is fired

  /// A thread's own choice of events; null if there is no reduction.
  std::unique_ptr<RankedChoice> choice(const Machine& machine, Budget& budget) const {
    return reducing != nullptr ? std::make_unique<RankedChoice>(*reducing, machine, budget) : nullptr;
  }
};

/// About how many successors a round has. A large round occupies many threads, but its successors take memory, which
/// should be little compared with what the states take, and a small part of a small budget.
inline std::uint64_t successors_of_round(std::uint64_t states, std::uint64_t budget, std::uint64_t worth_sharing,
                                         std::uint32_t words, std::uint64_t states_per_successor = 16) {
  constexpr std::uint64_t most = std::uint64_t{1} << 21;
  const std::uint64_t bytes_of_successor = (std::max(words, 3u) + 1) * sizeof(Word);
  const std::uint64_t fitting = budget / bytes_of_successor;
  const std::uint64_t least = std::clamp<std::uint64_t>(fitting / 16, 1, 8 * worth_sharing);
  return std::clamp(std::min(states / states_per_successor, fitting / 64), least, most);
}

inline void take_all(Observer& whole, Sightings& sightings) {
  for (Sightings::Sighting& each : sightings.all) whole.take(std::move(each.finding), each.state.data());
  sightings.all.clear();
}

/// Hands what the first `count` parts, in the order of their states, have observed over to the observer of the whole.
template <class Parts>
void complete_round(Parts&& parts, std::uint32_t count, Observer& whole, Levels& levels) {
  for (std::uint32_t i = 0; i < count; ++i) {
    levels.fired(parts[i].observer.counts.transitions);
    whole.absorb(parts[i].observer);
  }
  for (std::uint32_t i = 0; i < count; ++i) take_all(whole, parts[i].expanded);
  for (std::uint32_t i = 0; i < count; ++i) take_all(whole, parts[i].entered);
  whole.complete_round();
}

}  // namespace scrimp
