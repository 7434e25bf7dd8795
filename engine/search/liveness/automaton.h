// The question of a liveness search: an automaton that accepts the forbidden runs, and the fairness that is assumed.
//
// The automaton reads the states of a run, one after the other: an edge reads the state that the system leaves, the
// initial one first. A run is accepted if it takes edges of each mark infinitely often; without marks, if it is
// infinite. src/scrimp/ltl/automaton.py has the same automata.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/machine.h"

namespace scrimp {

/// Some atoms must be true and others false: bits of the machine's watches.
struct Cube {
  Word true_atoms = 0;
  Word false_atoms = 0;

  bool holds(Word letter) const { return (letter & true_atoms) == true_atoms && (letter & false_atoms) == 0; }
};

struct Automaton {
  struct Edge {
    std::uint32_t source;
    std::uint32_t target;
    std::vector<Cube> cubes;  // one of them must hold
    Word marks;
  };

  std::uint32_t states = 1;
  std::uint32_t initial = 0;
  std::uint32_t marks = 0;
  std::vector<Edge> edges;
};

/// The processes to which a run must be fair, and the events that move them, as bits of as many words as it takes. A
/// weakly fair process moves infinitely often if it can move from some point on, a strongly fair one if it can move
/// infinitely often.
struct Movers {
  std::uint32_t processes = 0;
  std::vector<Word> strong;    // those that are strongly fair; the others are weakly fair
  std::vector<Word> of_event;  // `words()` for each event
  /// One byte per event: whether other processes may move on the way through transient states that begins with it.
  std::vector<std::uint8_t> varies;

  std::size_t words() const { return (std::size_t{processes} + 63) / 64; }
  bool is_strong() const {
    return std::any_of(strong.begin(), strong.end(), [](Word word) { return word != 0; });
  }
};

struct LivenessQuestion {
  Automaton automaton;
  /// The watch that is hit if an atom cannot be evaluated; none if there are no watches.
  Word unknown_letter = 0;
  bool repeats_ends = true;  // a state without events is repeated forever; otherwise a run ends there
  Movers movers;
};

}  // namespace scrimp
