#include "search/liveness/monitor.h"

#include <algorithm>
#include <bit>

namespace scrimp {

Monitor::Monitor(const Machine& system, const MonitorQuestion& question)
    : system_(system),
      states_(question.automaton.states),
      initial_(question.automaton.initial),
      bad_(question.bad),
      satisfied_(question.satisfied),
      unknown_(states_),
      unknown_letter_(question.unknown_letter),
      stops_when_decided_(question.stops_when_decided),
      repeats_ends_(question.repeats_ends),
      edges_(states_),
      place_(system, states_ + 1) {
  for (const Automaton::Edge& edge : question.automaton.edges) edges_[edge.source].push_back(edge);
  tabulate();
  make_machine();
}

void Monitor::make_machine() {
  machine_ = system_;
  if (system_.steps != nullptr) {
    steps_.assign(system_.steps, system_.steps + system_.transitions);
    steps_.push_back(1);
    machine_.steps = steps_.data();
  }
  machine_.transitions = system_.transitions + 1;
  machine_.max_successors = std::max(1u, system_.max_successors);
  machine_.words = place_.words();
  machine_.word_bits = place_.word_bits();
  machine_.watches = 2;
  machine_.context = this;
  machine_.functions = {.initial = initial,
                        .successors = successors,
                        .watch = watch,
                        .valid_end = valid_end,
                        .alone = system_.functions.alone != nullptr ? alone : nullptr,
                        .arrive = arrive};
}

void Monitor::tabulate() {
  Word atoms = 0;
  for (const auto& edges : edges_)
    for (const Automaton::Edge& edge : edges)
      for (const Cube& cube : edge.cubes) atoms |= cube.true_atoms | cube.false_atoms;
  const auto bits = static_cast<unsigned>(std::bit_width(atoms));
  if (bits >= 16 || (std::size_t{states_} << bits) > most_tabulated) return;
  for (std::uint32_t state = 0; state < states_; ++state)
    for (Word letter = 0; letter < Word{1} << bits; ++letter) tabulated_.push_back(follow(state, letter));
  letters_ = std::uint32_t{1} << bits;
}

std::uint32_t Monitor::follow(std::uint32_t automaton_state, Word letter) const {
  for (const Automaton::Edge& edge : edges_[automaton_state])
    for (const Cube& cube : edge.cubes)
      if (cube.holds(letter)) return edge.target;
  return automaton_state;
}

std::uint32_t Monitor::next(std::uint32_t automaton_state, Word letter) const {
  if (is_decided(automaton_state)) return automaton_state;
  if (letter & unknown_letter_) [[unlikely]]
    return unknown_;
  if (letters_ == 0) return follow(automaton_state, letter);
  return tabulated_[std::size_t{automaton_state} * letters_ + (letter & (letters_ - 1))];
}

void Monitor::initial(const void* context, Word* state) {
  const Monitor& self = of(context);
  self.system_.initial(state);
  const std::uint32_t automaton_state = self.next(self.initial_, self.letter(state));
  self.place_.spread(state, 1);
  self.place_.attach(state, 1, automaton_state);
}

std::uint64_t Monitor::successors(const void* context, const Word* state, Word* successors, EventId* events) {
  const Monitor& self = of(context);
  const std::uint32_t automaton_state = self.place_.state_of(state);
  if (self.stops_when_decided_ && self.is_decided(automaton_state)) return 0;
  const SystemState system_state(self.place_, state);
  std::uint64_t answer = self.system_.successors(system_state.words(), successors, events);
  if (answer == 0 && self.repeats_ends_) {
    std::copy_n(system_state.words(), self.system_.words, successors);
    *events = self.stutter();
    answer = 1;
  }
  self.read(successors, events, static_cast<std::uint32_t>(answer), automaton_state);
  return answer;
}

std::uint64_t Monitor::alone(const void* context, const Word* state, std::uint32_t holder, Word* successors,
                             EventId* events) {
  const Monitor& self = of(context);
  const SystemState system_state(self.place_, state);
  const std::uint64_t answer = self.system_.alone(system_state.words(), holder, successors, events);
  self.read(successors, events, static_cast<std::uint32_t>(answer), self.place_.state_of(state));
  return answer;
}

void Monitor::read(Word* successors, const EventId* events, std::uint32_t count, std::uint32_t automaton_state) const {
  place_.spread(successors, count);
  Word* state = successors;
  for (std::uint32_t i = 0; i < count; ++i, state += machine_.words) {
    const bool is_ordinary = (events[i] & (fault_flag | misfit_flag | atomic_flag)) == 0;
    place_.attach(state, 1, is_ordinary ? next(automaton_state, letter(state)) : automaton_state);
  }
}

std::uint64_t Monitor::watch(const void* context, const Word* state) {
  const Monitor& self = of(context);
  const std::uint32_t automaton_state = self.place_.state_of(state);
  return (automaton_state == self.bad_ ? 1 : 0) | (automaton_state == self.unknown_ ? 2 : 0);
}

void Monitor::arrive(const void* context, Word* state) {
  const Monitor& self = of(context);
  const std::uint32_t automaton_state = self.place_.state_of(state);
  self.place_.clear(state);
  self.place_.attach(state, 1, self.next(automaton_state, self.letter(state)));
}

}  // namespace scrimp
