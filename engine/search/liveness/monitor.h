// A machine that is watched by a deterministic automaton over finite words, as a machine: whether a run has a prefix
// that violates a property becomes a question about single states, for every order, store, reduction and thread.
//
// The automaton reads every ordinary state when it is reached, the initial one first; transient states are not read.
// Once it is in the state `bad`, the run so far violates the property, however it goes on; in `satisfied`, nothing that
// follows violates it. Watch 0 is hit in `bad`, watch 1 if an atom cannot be evaluated. A state without events is read
// again and again, by an event of its own, `stutter`, if the question says so.
//
// If reading the same letter again changes nothing, as for a formula without X, then an event that changes no atom
// does not change the automaton's state: the automaton is like a variable that only visible events access, and
// reductions apply to the watched machine if these depend on each other.
#pragma once

#include <cstdint>
#include <vector>

#include "core/machine.h"
#include "search/liveness/automaton.h"
#include "search/liveness/automaton_place.h"

namespace scrimp {

struct MonitorQuestion {
  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};

  Automaton automaton;  // each letter has exactly one edge from each state
  std::uint32_t bad = nowhere;
  std::uint32_t satisfied = nowhere;
  /// The watch that is hit if an atom cannot be evaluated; none if there are no watches.
  Word unknown_letter = 0;
  /// Whether states in which the property is decided have no successors. Reductions forbid that: they assume that
  /// events of other processes do not disable each other.
  bool stops_when_decided = true;
  bool repeats_ends = false;
};

class Monitor {
 public:
  Monitor(const Machine& system, const MonitorQuestion& question);
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;

  const Machine& machine() const { return machine_; }
  const AutomatonPlace& place() const { return place_; }
  EventId stutter() const { return system_.transitions; }

 private:
  using SystemState = AutomatonPlace::SystemState;

  static constexpr std::size_t most_tabulated = std::size_t{1} << 16;

  static const Monitor& of(const void* context) { return *static_cast<const Monitor*>(context); }
  static void initial(const void* context, Word* state);
  static std::uint64_t successors(const void* context, const Word* state, Word* successors, EventId* events);
  static std::uint64_t alone(const void* context, const Word* state, std::uint32_t holder, Word* successors,
                             EventId* events);
  static std::uint64_t watch(const void* context, const Word* state);
  static std::uint32_t valid_end(const void*, const Word*) { return 1; }
  static void arrive(const void* context, Word* state);

  void tabulate();
  void make_machine();
  Word letter(const Word* system_state) const { return system_.has_watch() ? system_.watch(system_state) : 0; }
  bool is_decided(std::uint32_t automaton_state) const {
    return automaton_state == bad_ || automaton_state == satisfied_ || automaton_state == unknown_;
  }
  /// The automaton's state after it has read a letter.
  std::uint32_t next(std::uint32_t automaton_state, Word letter) const;
  std::uint32_t follow(std::uint32_t automaton_state, Word letter) const;
  /// Gives the successors of a state in which the automaton is their states of the automaton.
  void read(Word* successors, const EventId* events, std::uint32_t count, std::uint32_t automaton_state) const;

  const Machine system_;
  const std::uint32_t states_;
  const std::uint32_t initial_;
  const std::uint32_t bad_;
  const std::uint32_t satisfied_;
  const std::uint32_t unknown_;  // one more state
  const Word unknown_letter_;
  const bool stops_when_decided_;
  const bool repeats_ends_;
  std::vector<std::vector<Automaton::Edge>> edges_;  // by source
  std::uint32_t letters_ = 0;                        // that are tabulated; 0: none
  std::vector<std::uint32_t> tabulated_;             // targets by state and letter
  const AutomatonPlace place_;
  std::vector<std::uint8_t> steps_;
  Machine machine_;
};

}  // namespace scrimp
