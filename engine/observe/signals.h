// Communication of another thread with a running search: a stop request, the progress, and a description on request.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <utility>

#include "observe/report.h"

namespace scrimp {

struct Progress {
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint64_t matched = 0;
  std::uint64_t depth = 0;     // bfs: the level being expanded; dfs: the length of the path
  std::uint64_t frontier = 0;  // bfs: states waiting to be expanded; dfs: the length of the path
  std::uint64_t bytes = 0;     // taken from the budget
};

class Signals {
 public:
  void stop() { stop_.store(true, std::memory_order_relaxed); }
  bool stopped() const { return stop_.load(std::memory_order_relaxed); }

  /// The figures are independent of each other: a reader may see some that are slightly older than others.
  void publish(const Progress& now) {
    states_.store(now.states, std::memory_order_relaxed);
    transitions_.store(now.transitions, std::memory_order_relaxed);
    matched_.store(now.matched, std::memory_order_relaxed);
    depth_.store(now.depth, std::memory_order_relaxed);
    frontier_.store(now.frontier, std::memory_order_relaxed);
    bytes_.store(now.bytes, std::memory_order_relaxed);
  }

  Progress progress() const {
    constexpr auto relaxed = std::memory_order_relaxed;
    return {states_.load(relaxed), transitions_.load(relaxed), matched_.load(relaxed),
            depth_.load(relaxed),  frontier_.load(relaxed),    bytes_.load(relaxed)};
  }

  /// The last description of the search, which may be empty; asks for another one. A search that nobody watches makes
  /// none.
  Report description() {
    is_description_wanted_.store(true, std::memory_order_relaxed);
    const std::lock_guard lock(description_mutex_);
    return description_;
  }
  bool is_description_wanted() const { return is_description_wanted_.load(std::memory_order_relaxed); }
  void describe(Report description) {
    is_description_wanted_.store(false, std::memory_order_relaxed);
    const std::lock_guard lock(description_mutex_);
    description_ = std::move(description);
  }

 private:
  std::atomic<bool> stop_{false};
  std::atomic<std::uint64_t> states_{0}, transitions_{0}, matched_{0}, depth_{0}, frontier_{0}, bytes_{0};
  std::atomic<bool> is_description_wanted_{false};
  std::mutex description_mutex_;
  Report description_;
};

}  // namespace scrimp
