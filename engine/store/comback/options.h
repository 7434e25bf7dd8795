// Options of the ComBack method: EWK09, sections 2 to 4.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/options.h"
#include "observe/report.h"

namespace scrimp {

/// Which full descriptors are cached (EWK09, section 3).
enum class Keeping : std::uint8_t {
  random,     // R: a new state, with probability one half once the cache is full, in place of a random one
  fifo,       // F: every new state, in place of the oldest
  heuristic,  // H: an expanded state, in place of one that is likely to shorten reconstructions less
  distance,   // D(k): likewise, unless one of its k nearest ancestors is cached
  level,      // the states of every k-th level, k growing if there are too many (its reference [6])
};

constexpr std::array<std::string_view, 5> words(Keeping) {
  return {"random", "fifo", "heuristic", "distance", "level"};
}

/// One cache of descriptors, or one of two: states that leave the first may enter the second.
struct KeptShare {
  Keeping keeping = Keeping::fifo;
  std::uint32_t percent = 100;  // of the capacity

  template <class Self, class Visit>
  static void options(Self& self, Visit&& visit) {
    visit("keeping", self.keeping);
    visit("percent", self.percent, Between{1, 100});
  }
};

/// A number of full descriptors, or of bytes for them, or a share; exactly one is not zero.
struct Capacity {
  std::uint64_t states = 0;
  std::uint64_t bytes = 0;
  double share = 0;

  template <class Self, class Visit>
  static void options(Self& self, Visit&& visit) {
    visit("states", self.states);
    visit("bytes", self.bytes);
    visit("share", self.share);
  }
};

namespace strategy {

struct Comback {
  static constexpr std::string_view name = "comback";

  enum class Queue : std::uint8_t { numbers, states };
  friend constexpr std::array<std::string_view, 2> words(Queue) { return {"numbers", "states"}; }

  std::optional<unsigned> hash;   // bits; empty: as many as are worth their memory in the state table
  std::optional<Capacity> cache;  // share: of the states seen so far; empty: as the budget allows
  std::vector<KeptShare> strategy = {{Keeping::fifo, 80}, {Keeping::distance, 20}};  // none: only the initial state
  std::uint32_t k = 5;                                                               // of `distance` and `level`
  bool delay = true;                   // Algorithm 4: duplicates are detected in groups
  std::optional<Capacity> candidates;  // detected together; share: of the cache
  Queue queue = Queue::numbers;        // section 4.3: the queue has numbers, not states ...
  std::optional<Capacity> group;       // ... of which this many are reconstructed together; share: of the cache
  /// As printed there is no detection at the end of a level, queued states are not looked at, and F takes new states.
  Mode mode = Mode::exact;
  std::uint64_t seed = 0;

  template <class Self, class Visit>
  static void options(Self& self, Visit&& visit) {
    visit("hash", self.hash, Between{1, 56});
    visit("cache", self.cache);
    visit("strategy", self.strategy);
    visit("k", self.k, Between{1, 1'000'000});
    visit("delay", self.delay);
    visit("candidates", self.candidates);
    visit("queue", self.queue);
    visit("group", self.group);
    visit("mode", self.mode);
    visit("seed", self.seed);
  }
};

}  // namespace strategy

/// Counts the reconstruction work of the method.
struct Reconstructions {
  std::uint64_t states = 0;  // that were reconstructed
  std::uint64_t events = 0;  // that were fired for that
  std::uint64_t detections = 0;

  void report_to(Report& report) const {
    report.set("reconstructions.states", states);
    report.set("reconstructions.events", events);
    report.set("reconstructions.detections", detections);
    report.set("events_beside", events);
  }
};

}  // namespace scrimp
