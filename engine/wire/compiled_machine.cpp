#include "wire/compiled_machine.h"

#include <stdexcept>
#include <utility>

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

CompiledMachine::CompiledMachine(std::string_view code, const Shape& shape, const EntryPoints& entries,
                                 std::vector<const std::uint32_t*> tables, std::any owner)
    : code_(code.data(), code.size()),
      word_bits_(shape.word_bits.begin(), shape.word_bits.end()),
      context_(std::move(tables)),
      owner_(std::move(owner)) {
  validate(shape, entries);
  machine_.words = shape.words;
  machine_.max_successors = shape.max_successors;
  machine_.transitions = shape.transitions;
  machine_.watches = shape.watches;
  machine_.word_bits = word_bits_.data();
  if (shape.holders) {
    holders_ = *shape.holders;
    machine_.holders = holders_.data();
  }
  if (shape.steps) {
    steps_.assign(shape.steps->begin(), shape.steps->end());
    machine_.steps = steps_.data();
  }
  if (!context_.empty()) machine_.context = context_.data();
  const auto find = [this]<class Function>(std::optional<std::uint64_t> offset, Function*& function) {
    if (offset) function = code_.entry<Function>(*offset);
  };
  find(entries.initial, machine_.functions.initial);
  find(entries.successors, machine_.functions.successors);
  find(entries.watch, machine_.functions.watch);
  find(entries.valid_end, machine_.functions.valid_end);
  find(entries.alone, machine_.functions.alone);
  find(entries.offers, machine_.functions.offers);
  find(entries.in_degree, machine_.functions.in_degree);
  find(entries.arrive, machine_.functions.arrive);
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
  if (machine_.holders == nullptr) return {};
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
  return machine_.has_watch() ? machine_.watch(words_of(state)) : 0;
}

bool CompiledMachine::valid_end(const State& state) const { return machine_.valid_end(words_of(state)); }

bool CompiledMachine::offers(const State& state, std::uint32_t holder) const {
  return machine_.has_offers() && machine_.offers(words_of(state), holder) != 0;
}

std::optional<std::uint32_t> CompiledMachine::in_degree(const State& state) const {
  if (!machine_.has_in_degree()) return std::nullopt;
  return machine_.in_degree(words_of(state));
}

const Word* CompiledMachine::words_of(const State& state) const {
  if (state.size() != machine_.words) throw std::invalid_argument("the state has another number of words");
  return state.data();
}

}  // namespace scrimp
