// When a strongly connected set of states and edges contains an accepted and fair run: some run takes all its edges
// infinitely often, so it is enough to look at what its edges and states have together.
//
//     marks      of edges     | marks of the automaton | one per process: on weakly fair edges, or those that move it |
//     enabled    of states    | 0                      | one per strongly fair process: it can move                   |
//
// An edge is weakly fair to a process if it moves the process or begins in a state in which the process cannot move. A
// strongly fair process that can move in some state must be moved by some edge.
//
// A search for components has one word for marks, with as many processes as fit. If there are more, that word only
// says which components cannot accept, and the others are judged by *sets* of several words when they are complete:
//
//     set        | word: marks of the automaton | words: one bit per process |      or the one word, if all fit
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

/// The same, as sets.
struct GatheredSets {
  explicit GatheredSets(std::size_t words) : marks(words), enabled(words) {}

  void add(const Word* more_marks, const Word* more_enabled) {
    for (std::size_t i = 0; i < marks.size(); ++i) {
      marks[i] |= more_marks[i];
      enabled[i] |= more_enabled[i];
    }
  }

  std::vector<Word> marks, enabled;
};

class Acceptance {
 public:
  Acceptance(const LivenessQuestion& question, const Product& product, Expander& expander)
      : movers_(question.movers),
        product_(product),
        expander_(expander),
        first_process_(question.automaton.marks),
        fitting_(std::min(movers_.processes, most_marks - question.automaton.marks)),
        edge_(movers_.is_strong() || is_wide() ? Word{1} << most_marks : 0),
        strong_(movers_.strong.empty() ? 0 : movers_.strong.front() & bits(fitting_)),
        weak_(bits(fitting_) & ~strong_),
        wanted_(bits(question.automaton.marks) | weak_ << first_process_ | edge_),
        wanted_set_(set_words()) {
    wanted_set_[0] = is_wide() ? bits(question.automaton.marks) | edge_ : wanted_;
    for (std::size_t i = 1; i < set_words(); ++i) wanted_set_[i] = weak_word(i - 1);
    if (!is_fair()) return;
    for (std::size_t event = 0; event < product.stutter(); ++event)
      moved_by_.push_back(movers_.of_event[event * movers_.words()] & bits(fitting_));
    moved_by_.push_back(0);
    const std::vector<std::uint8_t>& varies = movers_.varies;
    if (std::find(varies.begin(), varies.end(), 1) != varies.end()) expander.gather(moved_by_.data());
  }
  ~Acceptance() { expander_.gather(nullptr); }
  Acceptance(const Acceptance&) = delete;
  Acceptance& operator=(const Acceptance&) = delete;

  bool is_fair() const { return movers_.processes != 0; }
  /// Whether a complete component that accepts as far as its word says must be looked at again.
  bool is_refined() const { return edge_ != 0; }

  bool accepts(const Gathered& gathered) const {
    return ((wanted_ | gathered.enabled) & ~gathered.marks) == 0 && !is_wide();
  }
  /// Whether only processes that can move and do not stand in the way, or those that do not fit into the word.
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
    return is_fair() ? marks | edge_ | (moved | (~able & weak_)) << first_process_ : marks;
  }

  /// Whether there are more processes than fit into a word.
  bool is_wide() const { return fitting_ != movers_.processes; }
  std::size_t set_words() const { return is_wide() ? 1 + movers_.words() : 1; }

  /// Writes the marks that are missing for a fair, accepted run, and the processes that must not be able to move or
  /// must move; returns whether there are any.
  bool list_missing(const GatheredSets& gathered, Word* missing) const {
    Word any = 0;
    for (std::size_t i = 0; i < set_words(); ++i)
      any |= missing[i] = (wanted_set_[i] | gathered.enabled[i]) & ~gathered.marks[i];
    return any != 0;
  }
  bool accepts_without_some(const GatheredSets& gathered) const {
    Word lacking = 0;
    for (std::size_t i = 0; i < set_words(); ++i) lacking |= wanted_set_[i] & ~gathered.marks[i];
    return lacking == 0;
  }

  /// For sets of several words: adds the processes that an event moves to the words from `processes` on.
  void add_movers(EventId event, Word* processes) const {
    if ((event & event_mask) == product_.stutter()) return;
    const Word* const moved = &movers_.of_event[(event & event_mask) * movers_.words()];
    for (std::size_t i = 0; i < movers_.words(); ++i) processes[i] |= moved[i];
  }
  /// Writes the marks of an edge as a set, if the words from `marks + 1` on have the processes that it moves.
  void complete_marks(const Word* source, const Word* target, const Word* able, Word* marks) const {
    marks[0] = product_.marks(source, target) | edge_;
    for (std::size_t i = 0; i < movers_.words(); ++i) marks[1 + i] |= ~able[i] & weak_word(i);
  }
  /// Of those that are able to move, the processes that count as enabled.
  void list_enabled(const Word* able, Word* enabled) const {
    enabled[0] = 0;
    for (std::size_t i = 0; i < movers_.words(); ++i) enabled[1 + i] = able[i] & movers_.strong[i];
  }

 private:
  static constexpr std::uint32_t most_marks = 63;  // in a word, beside the mark of all edges

  static Word bits(std::uint32_t count) { return count >= 64 ? ~Word{0} : (Word{1} << count) - 1; }
  Word weak_word(std::size_t place) const {
    return bits(movers_.processes - static_cast<std::uint32_t>(64 * place)) & ~movers_.strong[place];
  }

  const Movers& movers_;
  const Product& product_;
  Expander& expander_;
  const unsigned first_process_;
  const std::uint32_t fitting_;  // processes that have a bit in the word
  const Word edge_;  // a mark that every edge has, if components without edges must be distinguished from others
  const Word strong_;
  const Word weak_;
  const Word wanted_;
  std::vector<Word> wanted_set_;
  std::vector<Word> moved_by_;  // the processes that each event moves, as far as they fit; empty without fairness
};

}  // namespace scrimp
