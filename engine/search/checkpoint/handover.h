// What a breadth-first search leaves to another one with wider fields when a value does not fit: everything that it has
// found, in a file without a name.
//
//   1. The state with the event that does not fit counts as not expanded. So the search stands between two states, in
//      the middle of a round.
//   2. Write the numbers, the levels, the findings so far, and apart from them what was observed in this round; then
//   all
//      visited states, from the log if paths are wanted, from the set in any order if not; then those that are still to
//      be expanded, in order.
//   3. To take over: read the visited states into the set, and into the log if there is one, the others into the queue,
//      and complete the round. Any set, any budget and any number of threads will do.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "core/memory.h"
#include "observe/observer.h"
#include "search/breadth_first/levels.h"
#include "search/breadth_first/rounds.h"
#include "search/checkpoint/checkpoint_file.h"
#include "search/checkpoint/options.h"

namespace scrimp {

/// The numbers of a search that are handed over. All are words, so that they can be written as they are.
struct HandedOver {
  Observer::Numbers observed, of_round;
  Word expanded = 0;    // states, in this round as well
  Word level_left = 0;  // states of the current level that are still to be expanded
  Word round_left = 0;  // of these, states of the current round; 0: the search stands between two rounds
  Word states = 0;      // that were visited
  Word frontier = 0;    // that are still to be expanded
  double seconds = 0;
  double effort = 0;
  Word state_words = 0;
  Word events = 0;  // of the machine
};
static_assert(sizeof(HandedOver) % sizeof(Word) == 0);

class Handover {
 public:
  using Write = std::function<void(const Word* states, std::uint64_t count)>;
  /// Writes states; returns false if they cannot be listed.
  using List = std::function<bool(const Write& write)>;

  Handover(const HandoverOptions& options, std::uint32_t threads, Levels& levels, Observer& observer,
           const Machine& machine, Budget& budget)
      : options_(options),
        threads_(threads),
        levels_(levels),
        observer_(observer),
        machine_(machine),
        budget_(budget) {}

  /// Whether to read so many states is quicker than to find them again, and so many bytes may be on disk then.
  bool is_worth_it(std::uint64_t states, std::uint64_t bytes) const {
    return states >= options_.least_states && bytes <= options_.most_bytes &&
           effort() >= options_.seconds_of_state * static_cast<double>(states);
  }
  /// L2. All events that fired are known to the observer. `numbers` lacks what the members of this object know. If that
  /// fails, nothing is left.
  void leave(HandedOver numbers, const RoundPart& round, const List& visited, const List& frontier);

  /// L3, in this order. Returns false if something cannot be read.
  bool takes_over() const { return options_.takes_over; }
  [[nodiscard]] bool restore();
  const HandedOver& numbers() const { return numbers_; }
  void restore(RoundPart& round);
  /// Reads the visited states or the frontier, `count` states at a time or fewer, to `states`; `use` gets their number
  /// and returns false to stop.
  [[nodiscard]] bool read(Section kind, Word* states, std::uint64_t count,
                          const std::function<bool(std::uint64_t)>& use);
  /// The file is not needed any more.
  void complete();

  HandoverEnd end() const { return end_; }
  /// That the searches before this one took.
  double seconds() const { return numbers_.seconds; }

 private:
  bool write(CheckpointWriter& file, const HandedOver& numbers, const RoundPart& round, const List& visited,
             const List& frontier);
  bool write(CheckpointWriter& file, Section kind, std::uint64_t states, const List& list);
  void empty_file() const;
  /// Seconds of processor time, of one of as many threads, that it took to come so far.
  double effort() const;

  const HandoverOptions& options_;
  const std::uint32_t threads_;
  Levels& levels_;
  Observer& observer_;
  const Machine& machine_;
  Budget& budget_;
  std::optional<CheckpointReader> reader_;
  HandedOver numbers_;
  HandoverEnd end_ = options_.takes_over ? HandoverEnd::lost : HandoverEnd::none;
};

}  // namespace scrimp
