// When a strongly connected set of states and edges contains an accepted and fair run: some run takes all its edges
// infinitely often, so it is enough to look at what its edges and states have together.
//
//     marks      of edges     | marks of the automaton | one per process: on weakly fair edges, or those that move it |
//     enabled    of states    | 0                      | one per strongly fair process: it can move                   |
//
// An edge is weakly fair to a process if it moves the process or begins in a state in which the process cannot move. A
// strongly fair process that can move in some state must be moved by some edge.
#pragma once

#include <algorithm>
#include <cstdint>
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
        wanted_(bits(question.automaton.marks) | weak_ << first_process_),
        moved_by_(question.movers.of_event) {
    if (!is_fair()) return;
    moved_by_.resize(product.stutter());
    moved_by_.push_back(0);
    const std::vector<std::uint8_t>& varies = question.movers.varies;
    if (std::find(varies.begin(), varies.end(), 1) != varies.end()) expander.gather(moved_by_.data());
  }
  ~Acceptance() { expander_.gather(nullptr); }
  Acceptance(const Acceptance&) = delete;
  Acceptance& operator=(const Acceptance&) = delete;

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
    for (std::uint32_t i = 0; i < count; ++i) processes |= moved_by(events[i]);
    return processes;
  }

  /// What a state contributes, given the processes that can move in it.
  Word enabled(Word able) const { return (able & strong_) << first_process_; }

  /// The processes that an event moves, without those that move on a way through transient states after it: if the
  /// expander gathers, it has them all.
  Word moved_by(EventId event) const { return moved_by_[event & event_mask]; }

  /// The marks of an edge that moves processes, from a state in which others are able to move, too. Both are of no
  /// account without fairness.
  [[gnu::always_inline]] Word marks(const Word* source, const Word* target, Word moved, Word able) const {
    const Word marks = product_.marks(source, target);
    return is_fair() ? marks | (moved | (~able & weak_)) << first_process_ : marks;
  }

 private:
  static Word bits(std::uint32_t count) { return count == 64 ? ~Word{0} : (Word{1} << count) - 1; }

  const LivenessQuestion& question_;
  const Product& product_;
  Expander& expander_;
  const unsigned first_process_;
  const Word strong_;
  const Word weak_;
  const Word wanted_;
  std::vector<Word> moved_by_;  // the processes that each event moves; empty without fairness
};

}  // namespace scrimp
