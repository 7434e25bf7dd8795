// One search from question to outcome: chooses the loop for an order and a store, and gathers what it found.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/machine.h"
#include "observe/finding.h"
#include "observe/observer.h"
#include "observe/question.h"
#include "observe/reason.h"
#include "observe/signals.h"
#include "search/levels.h"

namespace scrimp {

enum class Order : std::uint8_t { breadth_first, depth_first };
enum class Compress : std::uint8_t { none, tree, cleary };

struct Options {
  Order order = Order::breadth_first;
  Compress compress = Compress::none;
  std::uint64_t budget = 0;  // bytes the engine may hold
  Question question;
  Limits limits;
  std::optional<std::uint64_t> shuffle_seed;
};

struct Outcome {
  Reason reason = Reason::none;
  Counts counts;
  std::uint32_t watches = 0;  // how many of the watch hits mean something
  std::vector<Level> levels;  // of a breadth-first search
  std::vector<std::uint8_t> fired;
  std::map<std::string, std::uint64_t> bytes_peak;  // by part
  std::uint64_t state_bytes = 0;                    // what the states take in the table, without empty slots
  std::vector<Finding> findings;
  std::optional<Misfit> misfit;
  double seconds = 0;  // of the search itself, without the time to find paths
};

/// Runs once. `signals` may be used by other threads meanwhile; everything the search holds is freed before it returns.
/// Never throws: where the system has no memory, the reason is `memory`.
Outcome run(const Machine& machine, const Options& options, Signals& signals) noexcept;

}  // namespace scrimp
