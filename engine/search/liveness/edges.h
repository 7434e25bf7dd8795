// The edges that leave a state of the product, with their marks; for work that is done once, outside the search.
#pragma once

#include <algorithm>
#include <cstdint>
#include <new>
#include <vector>

#include "core/machine.h"
#include "search/expansion/expander.h"
#include "search/liveness/acceptance.h"

namespace scrimp {

class Edges {
 public:
  Edges(Expander& expander, Acceptance& acceptance)
      : expander_(expander),
        acceptance_(acceptance),
        successors_(std::size_t{expander.machine().max_successors} * words()),
        events_(expander.machine().max_successors) {}

  /// Lists the edges of a state; they are valid until the next call. Throws std::bad_alloc if the budget is exhausted.
  void list(const Word* state) {
    source_ = state;
    const Expansion expansion = expander_.expand(state, successors_.data(), events_.data());
    const bool passed = leads_on(expansion);
    if (passed && !expander_.pass(state, expansion, successors_.data(), events_.data(), {})) throw std::bad_alloc();
    const Passage& passage = expander_.passage();
    count_ = passed ? passage.count() : expansion.count;
    listed_events_ = passed ? passage.events() : events_.data();
    listed_states_ = passed ? passage.states() : successors_.data();
    listed_bits_ = passed && expander_.gathers() ? passage.bits() : nullptr;
    able_ = acceptance_.is_fair() ? acceptance_.able(listed_events_, count_) : 0;
  }

  std::uint32_t count() const { return count_; }
  bool leads_somewhere(std::uint32_t ordinal) const { return !(listed_events_[ordinal] & fault_flag); }
  const Word* target(std::uint32_t ordinal) const { return listed_states_ + std::size_t{ordinal} * words(); }
  Word marks(std::uint32_t ordinal) const { return acceptance_.marks(source_, target(ordinal), moved(ordinal), able_); }
  /// What the state contributes to acceptance.
  Word enabled() const { return acceptance_.enabled(able_); }
  std::uint32_t words() const { return expander_.machine().words; }

 private:
  Word moved(std::uint32_t ordinal) const {
    if (!acceptance_.is_fair()) return 0;
    return listed_bits_ != nullptr ? listed_bits_[ordinal] : acceptance_.moved_by(listed_events_[ordinal]);
  }

  Expander& expander_;
  Acceptance& acceptance_;
  std::vector<Word> successors_;
  std::vector<EventId> events_;
  const Word* source_ = nullptr;
  std::uint32_t count_ = 0;
  const EventId* listed_events_ = nullptr;
  const Word* listed_states_ = nullptr;
  const Word* listed_bits_ = nullptr;  // only of ways through transient states, if they are gathered
  Word able_ = 0;
};

}  // namespace scrimp
