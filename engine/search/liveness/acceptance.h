// When a strongly connected set of states and edges contains an accepted and fair run: some run takes all its edges
// infinitely often, so it is enough to look at what its edges and states have together.
//
//     marks      of edges     | marks of the automaton | one per process: on weakly fair edges, or those that move it |
//     enabled    of states    | 0                      | one per strongly fair process: it can move                   |
//
// An edge is weakly fair to a process if it moves the process or begins in a state in which the process cannot move. A
// strongly fair process that can move in some state must be moved by some edge.
#pragma once

#include <cstdint>
#include <new>
#include <vector>

#include "core/machine.h"
#include "search/expansion/expander.h"
#include "search/liveness/automaton.h"
#include "search/liveness/product.h"

namespace scrimp {

/// What a set of edges and states has together.
struct Gathered {
  Word marks = 0;
  Word enabled = 0;

  Gathered& operator|=(const Gathered& other) {
    marks |= other.marks;
    enabled |= other.enabled;
    return *this;
  }
};

class Acceptance {
 public:
  Acceptance(const LivenessQuestion& question, const Product& product, Expander& expander)
      : question_(question),
        product_(product),
        expander_(expander),
        first_process_(question.automaton.marks),
        strong_(question.movers.strong),
        weak_(bits(question.movers.processes) & ~strong_),
        wanted_(bits(question.automaton.marks) | weak_ << first_process_) {}

  bool is_fair() const { return question_.movers.processes != 0; }
  bool is_strong() const { return strong_ != 0; }

  /// The marks that are missing for a fair, accepted run, and the processes that must not be able to move or must move.
  Word missing(const Gathered& gathered) const { return (wanted_ | gathered.enabled) & ~gathered.marks; }
  bool accepts(const Gathered& gathered) const { return missing(gathered) == 0; }
  /// Whether only processes that can move and do not stand in the way.
  bool accepts_without_some(const Gathered& gathered) const { return (wanted_ & ~gathered.marks) == 0; }

  /// The processes that can move in a state, given its entries; zero without fairness.
  Word able(const EventId* events, std::uint32_t count) const {
    Word processes = 0;
    for (std::uint32_t i = 0; i < count; ++i)
      if (const EventId event = events[i] & event_mask; event != product_.stutter())
        processes |= question_.movers.of_event[event];
    return processes;
  }

  /// What a state contributes, given the processes that can move in it.
  Word enabled(Word able) const { return (able & strong_) << first_process_; }

  /// The marks of the edge to the entry number `ordinal` of a state. Throws std::bad_alloc if the budget is exhausted.
  [[gnu::always_inline]] Word marks(const Word* source, EventId event, std::uint32_t ordinal, const Word* target,
                                    Word able) {
    const Word marks = product_.marks(source, target);
    return is_fair() ? marks | fair_marks(source, event & event_mask, ordinal, able) << first_process_ : marks;
  }

 private:
  static Word bits(std::uint32_t count) { return count == 64 ? ~Word{0} : (Word{1} << count) - 1; }

  Word fair_marks(const Word* source, EventId event, std::uint32_t ordinal, Word able) {
    const Word moved = event == product_.stutter() ? 0 : movers(source, event, ordinal);
    return moved | (~able & weak_);
  }

  Word movers(const Word* source, EventId event, std::uint32_t ordinal) {
    if (!question_.movers.varies[event]) return question_.movers.of_event[event];
    way_.clear();
    if (!expander_.list(source, ordinal, way_)) throw std::bad_alloc();
    Word processes = 0;
    for (const EventId each : way_) processes |= question_.movers.of_event[each];
    return processes;
  }

  const LivenessQuestion& question_;
  const Product& product_;
  Expander& expander_;
  const unsigned first_process_;
  const Word strong_;
  const Word weak_;
  const Word wanted_;
  std::vector<EventId> way_;
};

}  // namespace scrimp
