#include "search/liveness/product.h"

#include <algorithm>
#include <bit>

#include "search/liveness/automaton_components.h"

namespace scrimp {

Product::Product(const Machine& system, const LivenessQuestion& question, SteadySelection* selection,
                 bool tells_passing)
    : system_(system),
      selection_(selection),
      unknown_letter_(question.unknown_letter),
      repeats_ends_(question.repeats_ends),
      tells_passing_(tells_passing),
      states_(question.automaton.states),
      initial_(question.automaton.initial),
      edges_(question.automaton.edges),
      begins_(states_ + 1),
      is_passing_(tells_passing ? passing_states(question.automaton) : std::vector<std::uint8_t>(states_)),
      uniform_(std::size_t{states_} * states_),
      place_(system, states_) {
  std::stable_sort(edges_.begin(), edges_.end(), [](const auto& a, const auto& b) { return a.source < b.source; });
  for (const Automaton::Edge& edge : edges_) ++begins_[edge.source + 1];
  for (std::uint32_t state = 0; state < states_; ++state) begins_[state + 1] += begins_[state];
  tabulate();
  find_uniform_marks();
  make_machine();
}

void Product::make_machine() {
  if (system_.steps != nullptr) {
    steps_.assign(system_.steps, system_.steps + system_.transitions);
    steps_.push_back(1);
  }
  machine_.words = place_.words();
  machine_.word_bits = place_.word_bits();
  machine_.max_successors = static_cast<std::uint32_t>(std::max(1u, system_.max_successors) * count_most_choices());
  machine_.transitions = system_.transitions + 1;
  machine_.holders = system_.holders;
  machine_.steps = steps_.empty() ? nullptr : steps_.data();
  machine_.context = this;
  machine_.functions = {.initial = initial, .valid_end = valid_end};
  if (machine_.words == 1) {
    set_functions<1>();
  } else {
    set_functions<0>();
  }
}

template <std::uint32_t fixed_words>
void Product::set_functions() {
  machine_.functions.successors = successors<fixed_words>;
  if (system_.functions.alone != nullptr) machine_.functions.alone = alone<fixed_words>;
}

std::uint64_t Product::count_most_choices() const {
  std::uint64_t most = 1;
  for (std::uint32_t state = 0; state < states_; ++state) {
    std::vector<std::uint32_t> targets;
    for (std::uint32_t i = begins_[state]; i < begins_[state + 1]; ++i) targets.push_back(edges_[i].target);
    std::sort(targets.begin(), targets.end());
    const auto end = std::unique(targets.begin(), targets.end());
    most = std::max(most, static_cast<std::uint64_t>(end - targets.begin()));
  }
  return most;
}

void Product::list_choices(std::uint32_t state, Word letter, std::vector<Choice>& choices) const {
  choices.clear();
  for (std::uint32_t i = begins_[state]; i < begins_[state + 1]; ++i) {
    const Automaton::Edge& edge = edges_[i];
    if (std::none_of(edge.cubes.begin(), edge.cubes.end(), [&](const Cube& cube) { return cube.holds(letter); }))
      continue;
    const auto same = std::find_if(choices.begin(), choices.end(),
                                   [&](const Choice& choice) { return choice.target == edge.target; });
    if (same != choices.end()) {
      same->marks |= edge.marks;
    } else {
      choices.push_back({edge.target, edge.marks});
    }
  }
}

void Product::tabulate() {
  Word atoms = 0;
  for (const Automaton::Edge& edge : edges_)
    for (const Cube& cube : edge.cubes) atoms |= cube.true_atoms | cube.false_atoms;
  const auto bits = static_cast<unsigned>(std::bit_width(atoms));
  if (bits >= 16 || (std::size_t{states_} << bits) > most_tabulated) return;
  letters_ = std::uint32_t{1} << bits;
  std::vector<Choice> choices;
  for (std::uint32_t state = 0; state < states_; ++state) {
    for (Word letter = 0; letter < letters_; ++letter) {
      list_choices(state, letter, choices);
      tabulated_begins_.push_back(static_cast<std::uint32_t>(tabulated_.size()));
      tabulated_.insert(tabulated_.end(), choices.begin(), choices.end());
    }
  }
  tabulated_begins_.push_back(static_cast<std::uint32_t>(tabulated_.size()));
}

void Product::find_uniform_marks() {
  std::vector<bool> is_known(uniform_.size());
  for (const Automaton::Edge& edge : edges_) {
    const std::size_t place = std::size_t{edge.source} * states_ + edge.target;
    if (is_known[place] && uniform_[place] != edge.marks) {
      uniform_[place] = varying;
    } else {
      uniform_[place] = edge.marks;
    }
    is_known[place] = true;
  }
}

Word Product::varying_marks(const Word* source, const Word* target) const {
  const SystemState<> system_state(place_, source);
  std::vector<Choice> choices;
  list_choices(place_.state_of(source), letter(system_state.words()), choices);
  for (const Choice& choice : choices)
    if (choice.target == place_.state_of(target)) return choice.marks;
  return 0;
}

void Product::initial(const void* context, Word* state) {
  const Product& self = of(context);
  self.system_.initial(state);
  self.place_.spread(state, 1);
  self.place_.attach(state, 1, self.initial_);
}

template <std::uint32_t fixed_words>
std::uint64_t Product::successors(const void* context, const Word* state, Word* successors, EventId* events) {
  const Product& self = of(context);
  const SystemState<fixed_words> system_state(self.place_, state);
  const Word* const words = system_state.words();
  const Word letter = self.letter(words);
  if (letter & self.unknown_letter_) [[unlikely]] {
    *events = self.stutter() | fault_flag;
    return std::uint64_t{fault_flag} << 32 | 1;
  }
  if (self.letters_ != 0) [[likely]]
    return self.list<fixed_words>(words, self.tabulated(self.place_.state_of<fixed_words>(state), letter), successors,
                                  events);
  std::vector<Choice> room;
  self.list_choices(self.place_.state_of<fixed_words>(state), letter, room);
  return self.list<fixed_words>(words, {room.data(), room.data() + room.size()}, successors, events);
}

template <std::uint32_t fixed_words>
[[gnu::always_inline]] inline std::uint64_t Product::list(const Word* system_state, Choices choices, Word* successors,
                                                          EventId* events) const {
  if (choices.count() == 0) return 0;
  std::uint64_t answer = list_of_system(system_state, successors, events);
  auto count = static_cast<std::uint32_t>(answer);
  if (count == 0) {
    if (!repeats_ends_) return 0;
    std::copy_n(system_state, system_.words, successors);
    *events = stutter();
    answer = count = 1;
  }
  place_.spread(successors, count);
  const std::size_t size = std::size_t{count} * place_.words<fixed_words>();
  for (std::uint32_t i = 1; i < choices.count(); ++i) {
    Word* const copies = successors + i * size;
    for (std::size_t word = 0; word < size; ++word) copies[word] = successors[word];
    for (std::uint32_t event = 0; event < count; ++event) events[std::size_t{i} * count + event] = events[event];
    place_.attach<fixed_words>(copies, count, choices.first[i].target);
  }
  place_.attach<fixed_words>(successors, count, choices.first->target);
  return (answer & ~std::uint64_t{0xffffffff}) | std::uint64_t{count} * choices.count();
}

template <std::uint32_t fixed_words>
std::uint64_t Product::alone(const void* context, const Word* state, std::uint32_t holder, Word* successors,
                             EventId* events) {
  const Product& self = of(context);
  const SystemState<fixed_words> system_state(self.place_, state);
  const std::uint64_t answer = self.system_.alone(system_state.words(), holder, successors, events);
  const auto count = static_cast<std::uint32_t>(answer);
  self.place_.spread(successors, count);
  self.place_.attach<fixed_words>(successors, count, self.place_.state_of<fixed_words>(state));
  return answer;
}

}  // namespace scrimp
