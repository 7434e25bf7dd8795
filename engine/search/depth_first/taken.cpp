#include "search/depth_first/taken.h"

#include <new>

namespace scrimp {

std::vector<std::byte> forwards(const std::vector<Taken>& numbers) {
  std::vector<std::byte> bytes;
  bytes.reserve(numbers.size());
  for (const Taken taken : numbers) {
    if (taken < long_mark || taken == all_taken) {
      bytes.push_back(static_cast<std::byte>(taken));
      continue;
    }
    bytes.push_back(static_cast<std::byte>(long_mark));
    const auto* const first = reinterpret_cast<const std::byte*>(&taken);
    bytes.insert(bytes.end(), first, first + sizeof taken);
  }
  return bytes;
}

std::vector<Taken> read_forwards(const std::byte* begin, const std::byte* end) {
  std::vector<Taken> numbers;
  numbers.reserve(static_cast<std::size_t>(end - begin));
  while (begin != end) {
    Taken taken = std::to_integer<Taken>(*begin++);
    if (taken == all_taken_mark) {
      taken = all_taken;
    } else if (taken == long_mark) {
      std::memcpy(&taken, begin, sizeof taken);
      begin += sizeof taken;
    }
    numbers.push_back(taken);
  }
  return numbers;
}

Replay::Replay(Expander& expander)
    : expander_(expander),
      successors_(std::size_t{expander.machine().max_successors} * expander.machine().words),
      events_(expander.machine().max_successors) {}

const Word* Replay::step(const Word* state, Taken taken) {
  const Expansion expansion = expander_.expand(state, successors_.data(), events_.data());
  const Passage& passage = expander_.passage();
  passed_ = leads_on(expansion);
  if (passed_ && !expander_.pass(state, expansion, successors_.data(), events_.data(), {})) throw std::bad_alloc();
  ordinal_ = (taken != all_taken ? taken : passed_ ? passage.count() : expansion.count) - 1;
  return (passed_ ? passage.states() : successors_.data()) + std::size_t{ordinal_} * expander_.machine().words;
}

void Replay::append_events(const Word* state, std::vector<EventId>& events) {
  if (!passed_) return events.push_back(events_[ordinal_] & event_mask);
  if (!expander_.list(state, ordinal_, events)) throw std::bad_alloc();
}

}  // namespace scrimp
