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
        events_(expander.machine().max_successors),
        able_(acceptance.set_words()),
        enabled_(acceptance.set_words()),
        marks_(acceptance.set_words()) {}

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
    passed_ = passed;
    list_able();
  }

  std::uint32_t count() const { return count_; }
  /// Not to a fault, nor to a state that has no room for a value: a state near a path may have values that none of the
  /// visited states has.
  bool leads_somewhere(std::uint32_t ordinal) const { return !(listed_events_[ordinal] & (fault_flag | misfit_flag)); }
  const Word* target(std::uint32_t ordinal) const { return listed_states_ + std::size_t{ordinal} * words(); }
  /// The marks of an edge, as a set (acceptance.h) that is valid until the next call.
  const Word* marks(std::uint32_t ordinal) {
    if (acceptance_.is_wide())
      list_marks(ordinal);
    else
      marks_[0] = acceptance_.marks(source_, target(ordinal), moved(ordinal), able_[0]);
    return marks_.data();
  }
  /// What the state contributes to acceptance.
  const Word* enabled() const { return enabled_.data(); }
  std::uint32_t words() const { return expander_.machine().words; }

 private:
  void list_able() {
    if (!acceptance_.is_fair()) return;
    if (!acceptance_.is_wide()) {
      able_[0] = acceptance_.able(listed_events_, count_);
      enabled_[0] = acceptance_.enabled(able_[0]);
      return;
    }
    std::fill(able_.begin(), able_.end(), 0);
    for (std::uint32_t i = 0; i < count_; ++i) acceptance_.add_movers(listed_events_[i], able_.data());
    acceptance_.list_enabled(able_.data(), enabled_.data());
  }

  /// Of an edge with more processes than fit into a word: all events on the way are looked at.
  void list_marks(std::uint32_t ordinal) {
    std::fill(marks_.begin(), marks_.end(), 0);
    std::vector<EventId> way{listed_events_[ordinal]};
    if (passed_) {
      way.clear();
      if (!expander_.list(source_, ordinal, way)) throw std::bad_alloc();
    }
    for (const EventId event : way) acceptance_.add_movers(event, marks_.data() + 1);
    acceptance_.complete_marks(source_, target(ordinal), able_.data(), marks_.data());
  }

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
  bool passed_ = false;
  std::vector<Word> able_, enabled_, marks_;
};

}  // namespace scrimp
