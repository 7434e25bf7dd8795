// One search from question to outcome: chooses the loop for an order and a store, and gathers what it found.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/machine.h"
#include "method.h"
#include "observe/finding.h"
#include "observe/observer.h"
#include "observe/question.h"
#include "observe/reason.h"
#include "observe/report.h"
#include "observe/signals.h"
#include "observe/transcript.h"
#include "reduction/relations.h"
#include "search/breadth_first/levels.h"
#include "store/byte_fields.h"

namespace scrimp {

struct Options {
  Method method;
  bool audit = false;                    // every choice is checked against its definition
  const Relations* relations = nullptr;  // of the machine's events, for those who need them
  const ByteFields* fields = nullptr;    // of the machine's states, for those who code them byte by byte
  std::uint64_t budget = 0;              // bytes the engine may hold
  Question question;
  Limits limits;
  std::optional<std::uint64_t> shuffle_seed;
  Scribe scribe;              // is handed every transition, where there is one; not with stores that trust a hash
  bool wants_states = false;  // the scribe is handed the states as well
};

struct Outcome {
  Reason reason = Reason::none;
  Counts counts;
  std::uint32_t watches = 0;  // how many of the watch hits mean something
  std::vector<Level> levels;  // of a breadth-first search
  Report report;
  std::vector<std::uint8_t> fired;
  std::uint64_t held_peak = 0;  // bytes that the engine held at once
  std::string complaint;        // of an audit; empty where there is none
  std::vector<Finding> findings;
  std::optional<Misfit> misfit;
  double seconds = 0;  // of the search itself, without the time to find paths
};

/// Runs once. `signals` may be used by other threads meanwhile; everything the search holds is freed before it returns.
/// Never throws: where the system has no memory, the reason is `memory`.
Outcome run(const Machine& machine, const Options& options, Signals& signals) noexcept;

}  // namespace scrimp
