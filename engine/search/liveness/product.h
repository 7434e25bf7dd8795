// The product of a machine and an automaton, as a machine: searches, paths and sets need not know what it is. Its
// states are those of the machine with one of the automaton (automaton_place.h).
//
// An event of an ordinary state leads to as many successors as the automaton has targets for that state. Transient
// states are not read: the automaton keeps its state on the way through them. A state without events is repeated
// forever, by an event of its own, `stutter`, unless the question says otherwise. A state from which the automaton
// cannot continue has no successors.
//
// Parallel edges of the automaton count as one with the marks of all: a run that repeats can take them in turn.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/machine.h"
#include "search/liveness/automaton.h"
#include "search/liveness/automaton_place.h"
#include "search/liveness/steady_selection.h"

namespace scrimp {

class Product {
 public:
  /// With a `selection`, only the events that it chooses are fired. `tells_passing`: otherwise all states are
  /// recurring.
  Product(const Machine& system, const LivenessQuestion& question, SteadySelection* selection = nullptr,
          bool tells_passing = true);
  Product(const Product&) = delete;
  Product& operator=(const Product&) = delete;

  const Machine& machine() const { return machine_; }
  const AutomatonPlace& place() const { return place_; }

  /// The event of a state that is repeated. With `fault_flag`: an atom cannot be evaluated in the state.
  EventId stutter() const { return system_.transitions; }

  bool tells_passing() const { return tells_passing_; }
  /// Whether a state lies on no accepted cycle, because its automaton is in no component that has all marks.
  bool is_passing(const Word* state) const { return is_passing_[place_.state_of(state)] != 0; }

  /// Whether an atom cannot be evaluated in a state.
  bool is_unknown(const Word* state) const {
    return (letter(SystemState<>(place_, state).words()) & unknown_letter_) != 0;
  }

  /// The marks of the automaton on the edge between two states of the product.
  Word marks(const Word* source, const Word* target) const {
    const Word marks = uniform_[std::size_t{place_.state_of(source)} * states_ + place_.state_of(target)];
    return marks != varying ? marks : varying_marks(source, target);
  }

 private:
  /// A target and the marks of the edges to it.
  struct Choice {
    std::uint32_t target;
    Word marks;
  };
  template <std::uint32_t fixed_words = 0>
  using SystemState = std::conditional_t<fixed_words == 1, AutomatonPlace::SystemWord, AutomatonPlace::SystemState>;

  static constexpr Word varying = ~Word{0};
  static constexpr std::size_t most_tabulated = std::size_t{1} << 16;

  static const Product& of(const void* context) { return *static_cast<const Product*>(context); }
  static void initial(const void* context, Word* state);
  /// `fixed_words` is the product's number of words if the code is compiled for that number, else 0.
  template <std::uint32_t fixed_words>
  static std::uint64_t successors(const void* context, const Word* state, Word* successors, EventId* events);
  template <std::uint32_t fixed_words>
  static std::uint64_t alone(const void* context, const Word* state, std::uint32_t holder, Word* successors,
                             EventId* events);
  static std::uint32_t valid_end(const void*, const Word*) { return 1; }

  Word letter(const Word* system_state) const { return system_.has_watch() ? system_.watch(system_state) : 0; }
  std::uint64_t list_of_system(const Word* system_state, Word* successors, EventId* events) const {
    return selection_ == nullptr ? system_.successors(system_state, successors, events)
                                 : selection_->successors(system_state, successors, events);
  }
  Word varying_marks(const Word* source, const Word* target) const;

  struct Choices {
    const Choice* first;
    const Choice* last;
    std::uint32_t count() const { return static_cast<std::uint32_t>(last - first); }
  };
  /// Only if letters are tabulated.
  Choices tabulated(std::uint32_t state, Word letter) const {
    const std::uint32_t* const place = &tabulated_begins_[std::size_t{state} * letters_ + (letter & (letters_ - 1))];
    return {tabulated_.data() + place[0], tabulated_.data() + place[1]};
  }
  template <std::uint32_t fixed_words>
  std::uint64_t list(const Word* system_state, Choices choices, Word* successors, EventId* events) const;
  void list_choices(std::uint32_t state, Word letter, std::vector<Choice>& choices) const;
  void tabulate();
  void find_uniform_marks();
  void make_machine();
  template <std::uint32_t fixed_words>
  void set_functions();
  std::uint64_t count_most_choices() const;

  const Machine system_;
  SteadySelection* const selection_;  // or null
  const Word unknown_letter_;
  const bool repeats_ends_;
  const bool tells_passing_;
  std::uint32_t states_;
  std::uint32_t initial_;
  std::vector<Automaton::Edge> edges_;    // by source
  std::vector<std::uint32_t> begins_;     // of the edges of each source
  std::vector<std::uint8_t> is_passing_;  // by state of the automaton
  std::vector<Word> uniform_;             // marks by source and target, or `varying`
  std::uint32_t letters_ = 0;             // that are tabulated; 0: none
  std::vector<Choice> tabulated_;
  std::vector<std::uint32_t> tabulated_begins_;  // by state and letter
  const AutomatonPlace place_;
  std::vector<std::uint8_t> steps_;
  Machine machine_;
};

}  // namespace scrimp
