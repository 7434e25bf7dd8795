// One search from question to outcome: chooses the loop for an order and a store, and collects its results.
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
#include "search/breadth_first/rounds.h"
#include "search/checkpoint/options.h"
#include "search/liveness/automaton.h"
#include "search/liveness/effort.h"
#include "search/liveness/monitor.h"
#include "store/byte_fields.h"

namespace scrimp {

struct Options {
  Method method;
  bool audit = false;                    // check every choice against its definition
  const Relations* relations = nullptr;  // of the machine's events, for methods that need them
  const ByteFields* fields = nullptr;    // of the machine's states, for stores that code them byte by byte
  std::uint64_t budget = 0;              // bytes that the engine may hold
  Question question;
  const LivenessQuestion* liveness = nullptr;  // if given, this is asked instead; the store keeps every state
  LivenessEffort effort;
  const MonitorQuestion* monitor = nullptr;  // if given, the question is about the machine that it watches
  Limits limits;
  std::uint32_t threads = 1;  // that may work on the search; its results do not depend on it
  std::uint64_t worth_sharing = Sharing{}.worth;
  std::optional<std::uint64_t> shuffle_seed;
  std::uint64_t disk = 0;          // bytes that states may take on disk, for stores that use it
  std::string spill_folder;        // for the files with them; empty: the usual one for temporary files
  std::uint64_t change_after = 0;  // for tests: see AutoPlan
  Scribe scribe;                   // if set, receives every transition; not with stores that rely on hashes
  bool wants_states = false;       // the scribe receives the states as well
  std::optional<CheckpointOptions> checkpoint;  // only for stores that keep every state, without a reduction
  std::optional<HandoverOptions> handover;      // the same, and only breadth-first
};

struct Outcome {
  Reason reason = Reason::none;
  Counts counts;
  std::uint32_t watches = 0;  // how many of the watch hits are meaningful
  std::vector<Level> levels;  // of a breadth-first search
  Report report;
  std::vector<std::uint8_t> fired;
  std::uint64_t held_peak = 0;  // peak number of bytes that the engine held
  std::string complaint;        // of an audit; empty if there is none
  std::vector<Finding> findings;
  std::optional<Misfit> misfit;
  double seconds = 0;  // of the search itself, without the time to find paths
  std::optional<CheckpointReport> checkpoint;
  HandoverEnd handover = HandoverEnd::none;
};

/// Runs once. Other threads may use `signals` meanwhile; everything that the search holds is freed before it returns.
/// Never throws: if the system has no memory, the reason is `memory`.
Outcome run(const Machine& machine, const Options& options, Signals& signals) noexcept;

}  // namespace scrimp
