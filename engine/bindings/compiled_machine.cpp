#include "bindings/compiled_machine.h"

#include <stdexcept>

namespace scrimp {

namespace {

void validate(const Shape& shape, const EntryPoints& entries) {
  if (shape.words == 0) throw std::invalid_argument("a state has at least one word");
  if (shape.word_bits.size() != shape.words) throw std::invalid_argument("word_bits must give one number per word");
  for (const char bits : shape.word_bits)
    if (bits < 1 || bits > 64) throw std::invalid_argument("a word uses 1 to 64 bits");
  if (shape.watches > 64) throw std::invalid_argument("no more than 64 watches are possible");
  if (shape.transitions > event_mask) throw std::invalid_argument("too many transitions");
  if (shape.holders.has_value() != entries.alone.has_value())
    throw std::invalid_argument("holders and alone come together");
  if (shape.holders && shape.holders->size() != shape.transitions)
    throw std::invalid_argument("holders must give one number per transition");
  if (shape.steps && shape.steps->size() != shape.transitions)
    throw std::invalid_argument("steps must give one number per transition");
}

}  // namespace

CompiledMachine::CompiledMachine(const void* code, std::size_t bytes, const Shape& shape, const EntryPoints& entries)
    : code_(code, bytes), word_bits_(shape.word_bits.begin(), shape.word_bits.end()) {
  validate(shape, entries);
  machine_.words = shape.words;
  machine_.max_successors = shape.max_successors;
  machine_.transitions = shape.transitions;
  machine_.watches = shape.watches;
  machine_.word_bits = word_bits_.data();
  machine_.initial = code_.entry<void(Word*)>(entries.initial);
  machine_.successors = code_.entry<std::uint64_t(const Word*, Word*, EventId*)>(entries.successors);
  if (entries.watch) machine_.watch = code_.entry<std::uint64_t(const Word*)>(*entries.watch);
  if (entries.valid_end) machine_.valid_end = code_.entry<std::uint32_t(const Word*)>(*entries.valid_end);
  if (shape.holders) {
    holders_ = *shape.holders;
    machine_.holders = holders_.data();
    machine_.alone = code_.entry<std::uint64_t(const Word*, std::uint32_t, Word*, EventId*)>(*entries.alone);
  }
  if (shape.steps) {
    steps_.assign(shape.steps->begin(), shape.steps->end());
    machine_.steps = steps_.data();
  }
  if (entries.offers) machine_.offers = code_.entry<std::uint32_t(const Word*, std::uint32_t)>(*entries.offers);
  if (entries.in_degree) machine_.in_degree = code_.entry<std::uint32_t(const Word*)>(*entries.in_degree);
}

CompiledMachine::State CompiledMachine::initial() const {
  State state(machine_.words);
  machine_.initial(state.data());
  return state;
}

std::vector<CompiledMachine::Successor> CompiledMachine::successors(const State& state) const {
  return list(
      [&, from = words_of(state)](Word* words, EventId* events) { return machine_.successors(from, words, events); });
}

std::vector<CompiledMachine::Successor> CompiledMachine::alone(const State& state, std::uint32_t holder) const {
  if (machine_.alone == nullptr) return {};
  return list([&, from = words_of(state)](Word* words, EventId* events) {
    return machine_.alone(from, holder, words, events);
  });
}

template <class Call>
std::vector<CompiledMachine::Successor> CompiledMachine::list(Call call) const {
  std::vector<Word> words(std::size_t{machine_.max_successors} * machine_.words);
  std::vector<EventId> events(machine_.max_successors);
  const auto count = static_cast<std::uint32_t>(call(words.data(), events.data()));
  std::vector<Successor> successors;
  successors.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const Word* const first = words.data() + std::size_t{i} * machine_.words;
    successors.push_back({events[i], State(first, first + machine_.words)});
  }
  return successors;
}

std::uint64_t CompiledMachine::watch(const State& state) const {
  return machine_.watch == nullptr ? 0 : machine_.watch(words_of(state));
}

bool CompiledMachine::valid_end(const State& state) const {
  return machine_.valid_end != nullptr && machine_.valid_end(words_of(state)) != 0;
}

bool CompiledMachine::offers(const State& state, std::uint32_t holder) const {
  return machine_.offers != nullptr && machine_.offers(words_of(state), holder) != 0;
}

std::optional<std::uint32_t> CompiledMachine::in_degree(const State& state) const {
  if (machine_.in_degree == nullptr) return std::nullopt;
  return machine_.in_degree(words_of(state));
}

const Word* CompiledMachine::words_of(const State& state) const {
  if (state.size() != machine_.words) throw std::invalid_argument("the state has another number of words");
  return state.data();
}

}  // namespace scrimp
