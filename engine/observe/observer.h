// Observes a search: counts, judges states and events, and decides when to end. A search order calls it once per
// expansion and once per block; frequent operations are inline, rare ones are not.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "core/machine.h"
#include "observe/finding.h"
#include "observe/question.h"
#include "observe/reason.h"
#include "observe/report.h"
#include "observe/signals.h"

namespace scrimp {

class Transcript;

struct Counts {
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint64_t inner_events = 0;  // events that led to a transient state
  std::uint64_t matched = 0;
  std::uint64_t left_out = 0;  // entries, by a reduction
  std::uint64_t depth = 0;
  std::uint64_t deadlocks = 0;
  std::uint64_t faults = 0;
  std::uint64_t violations = 0;
  std::array<std::uint64_t, 64> watch_hits{};
};

/// A search in rounds has observers of its parts, which may belong to different threads. A part never ends because of
/// violations: how many there are in a round is known when all its parts are absorbed, in the order of their states.
class Observer {
 public:
  using Clock = std::chrono::steady_clock;
  struct PartOf {
    const Observer& whole;
  };
  /// Everything that is known about the states so far, but for which events fired. All are words: a checkpoint has them
  /// as they are.
  struct Numbers {
    Counts counts;
    std::uint64_t was_cut = 0;
    std::uint64_t missing_goals = 0;
    std::uint64_t traced = 0;
  };

  Observer(const Machine& machine, const Question& question, const Limits& limits, Signals& signals);
  explicit Observer(PartOf part);

  bool running() const { return reason_ == Reason::none; }
  /// The first reason stays.
  void end(Reason reason) {
    if (running()) reason_ = reason;
  }

  /// There was no room to continue, and now there is: the search restarts, in another way.
  void begin_anew() { reason_ = Reason::none; }

  /// A state at the depth limit has events that will not be fired.
  void cut() { was_cut_ = true; }

  bool at_depth_limit(std::uint64_t depth) const { return limits_.depth != 0 && depth >= limits_.depth; }

  void fired(EventId event) {
    fired_[event & event_mask] = 1;
    ++counts.transitions;
  }

  /// For one of several events that together are one transition.
  void fired_inside(EventId event) { fired_[event & event_mask] = 1; }

  void fired(const EventId* events, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) fired_[events[i] & event_mask] = 1;
    counts.transitions += count;
  }

  /// `state` has just been added to the store.
  void entered(const Word* state) {
    if (machine_.has_watch()) judge_watches(state, machine_.watch(state));
    if (transcript_ != nullptr) [[unlikely]]
      note(state);
  }
  /// Whether there is anything to do with the states that enter the store.
  bool watching() const { return machine_.has_watch() || transcript_ != nullptr; }

  /// Write the states that enter the store to a transcript; null: no longer.
  void note_states(Transcript* transcript) { transcript_ = transcript; }

  void dead_end(const Word* state);
  /// `event` has `fault_flag`; see `kind_of`. `list` appends the events that lead from `state` to it, or returns false
  /// if the budget is exhausted; it is called only if a path is wanted.
  using List = std::function<bool(std::vector<EventId>& events)>;
  void fault(const Word* state, EventId event, const List& list);
  void misfit(const Word* state, EventId event);
  /// Goes on after a value that did not fit, if that is what has ended the search.
  std::optional<Misfit> take_misfit() {
    if (reason_ == Reason::misfit) reason_ = Reason::none;
    return std::exchange(misfit_, std::nullopt);
  }
  void deeper(std::uint64_t depth) {
    if (depth > counts.depth) counts.depth = depth;
  }
  /// A state was met at this depth; `holder` has exclusive control in it, or `anybody` may move. SPIN goes one step
  /// further if a handshake is offered, to see whether any process accepts it.
  void met(const Word* state, std::uint32_t holder, std::uint64_t depth) {
    deeper(depth);
    if (machine_.has_offers() && depth == counts.depth && machine_.offers(state, holder) != 0) deeper(depth + 1);
  }

  /// Adds the counts of a part, which starts over. If the part has ended, so does this.
  void absorb(Observer& part);
  /// Takes a finding of a part, unless there are enough.
  void take(Finding finding, const Word* state);
  /// Everything that parts observed in a round was absorbed and taken: ends the search if that is enough.
  void complete_round();
  /// Adds the events that a part saw fire.
  void absorb_fired(const Observer& part);

  Numbers numbers() const { return {counts, was_cut_, missing_goals_, traced_}; }
  /// Goes on where another observer, with the same question, was.
  void restore(const Numbers& numbers, const std::vector<std::uint8_t>& fired);

  /// Publishes the progress and checks the clock and the stop flag; called about every thousand transitions. If another
  /// thread has asked for it, also publishes a description of the search.
  void pulse(std::uint64_t depth, std::uint64_t frontier, std::uint64_t bytes);
  /// Only checks the clock and the stop flag.
  bool may_go_on();

  /// No state is left to expand.
  void exhausted() { end(was_cut_ ? Reason::depth : Reason::closed); }

  void attach(Witness& witness) { witness_ = &witness; }

  /// Sets what is known of the search besides its progress, under the names of its report at the end; for memory that
  /// is what is held now.
  using Describe = std::function<void(Report& report)>;

  Reason reason() const { return reason_; }
  bool stop_requested() const { return signals_.stopped(); }
  bool is_late() const { return limits_.seconds > 0 && seconds() >= limits_.seconds; }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  const std::vector<std::uint8_t>& fired_events() const { return fired_; }
  const std::optional<Misfit>& first_misfit() const { return misfit_; }

  Counts counts;

 private:
  friend class Describing;

  void judge_watches(const Word* state, std::uint64_t hits) {
    if (hits != 0) [[unlikely]]
      watches_hit(state, hits);
  }
  void note(const Word* state);
  void watches_hit(const Word* state, std::uint64_t hits);
  void goal_reached(const Word* state, int watch);
  void violation(Finding finding, const Word* state, const List* list = nullptr);
  void record(Finding finding, const Word* state);

  const Machine& machine_;
  const Question question_;
  const Limits limits_;
  Signals& signals_;
  Witness* witness_ = nullptr;
  Transcript* transcript_ = nullptr;
  const Describe* describe_ = nullptr;
  const Clock::time_point start_;
  Reason reason_ = Reason::none;
  bool was_cut_ = false;
  std::uint64_t missing_goals_;
  std::uint64_t traced_ = 0;
  std::vector<std::uint8_t> fired_;  // one byte per event id
  std::optional<Misfit> misfit_;
};

/// While this exists, a search can be described.
class Describing {
 public:
  Describing(Observer& observer, Observer::Describe describe) : observer_(observer), describe_(std::move(describe)) {
    observer_.describe_ = &describe_;
  }
  ~Describing() { observer_.describe_ = nullptr; }
  Describing(const Describing&) = delete;
  Describing& operator=(const Describing&) = delete;

 private:
  Observer& observer_;
  const Observer::Describe describe_;
};

}  // namespace scrimp
