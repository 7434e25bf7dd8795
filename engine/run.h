// One search from question to outcome: chooses the loop for an order and a store, and gathers what it found.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/machine.h"
#include "observe/finding.h"
#include "observe/observer.h"
#include "observe/question.h"
#include "observe/reason.h"
#include "observe/report.h"
#include "observe/signals.h"
#include "observe/transcript.h"
#include "reduction/relations.h"
#include "reduction/selection.h"
#include "search/levels.h"
#include "store/byte_fields.h"
#include "store/comback/options.h"
#include "store/inexact.h"
#include "store/pseudoroot/options.h"
#include "store/replacement.h"
#include "store/snapshots/options.h"

namespace scrimp {

enum class Order : std::uint8_t { breadth_first, depth_first };
enum class Compress : std::uint8_t { none, tree, cleary, huffman, rle };

/// How much of what is asleep in a state is remembered.
enum class Sleeping : std::uint8_t {
  none,           // there are no sleep sets
  stored,         // each state's set is stored with it; what wakes up is fired
  on_path,        // GHP92, figure 3, as printed: sets are those of the path, what leads back to the path is not asleep
  unconditional,  // HGP92, Algorithm 3, as printed: like that, without the rule on what leads back to the path
};

struct Reduction {
  Selecting selecting = Selecting::all;
  bool proviso = true;
  Sleeping sleeping = Sleeping::none;
  bool audit = false;  // every choice is checked against its definition

  bool is_none() const { return !audit && selecting == Selecting::all && sleeping == Sleeping::none; }
};

struct Options {
  Order order = Order::breadth_first;
  Compress compress = Compress::none;
  std::optional<Replacement> cache;      // what is forgotten where not all states are kept
  std::optional<ComBack> comback;        // states are kept as backedges
  std::optional<Snapshots> snapshots;    // levels are kept, some of them
  std::optional<PseudoRoot> pseudoroot;  // what nothing leads to any more is forgotten
  std::optional<Compaction> compaction;
  std::optional<Bitstate> bitstate;
  Reduction reduction;
  const Relations* relations = nullptr;  // of the machine's events, for those who need them
  const ByteFields* fields = nullptr;    // of the machine's states, for those who code them byte by byte
  std::uint64_t budget = 0;              // bytes the engine may hold
  Question question;
  Limits limits;
  std::optional<std::uint64_t> shuffle_seed;
  Scribe scribe;  // is handed every transition, where there is one; not with `compaction` and `bitstate`
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
