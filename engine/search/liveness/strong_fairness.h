// Looks for a strongly fair, accepted run inside a strongly connected component whose edges have all marks of the
// automaton, but in which some process can move and never does: a Streett condition, by removing states.
//
// The same for components with more processes than fit into a word: whether their edges have all marks is found here.
//
//   1. List the component's states and edges.
//   2. Divide the states that are left into strongly connected components. For each of them:
//   3.   if it accepts, it is the answer;
//   4.   if it lacks a mark of the automaton, no part of it accepts;
//   5.   else remove the states in which a process can move that no edge of it moves: no fair run stays in such a
//        state's component and visits it again and again; go on with the others as in line 2.
//
// E. A. Emerson, C.-L. Lei, Modalities for model checking, Science of Computer Programming 8 (1987).
#pragma once

#include <cstdint>
#include <optional>

#include "core/budget.h"
#include "core/machine.h"
#include "core/region_vector.h"
#include "search/liveness/acceptance.h"
#include "search/liveness/edges.h"
#include "search/liveness/lasso.h"
#include "store/plain_set.h"

namespace scrimp {

class StrongFairness {
 public:
  StrongFairness(Expander& expander, Acceptance& acceptance, Budget& budget)
      : acceptance_(acceptance),
        edges_(expander, acceptance),
        numbers_(budget, expander.machine().words),
        states_(budget),
        nodes_(budget),
        arcs_(budget),
        enabled_(budget),
        marks_(budget),
        waiting_(budget),
        part_(budget),
        live_(budget),
        path_(budget) {}

  /// Whether a part of the component of `state` accepts. Throws std::bad_alloc if the budget is exhausted.
  bool look(const Word* state, const Inside& inside);

  /// After a successful look: whether a state belongs to the accepting part.
  bool is_accepted(const Word* state);

 private:
  using Number = std::uint32_t;

  struct Node {
    std::uint64_t first_arc;
    Number part;  // the part of the component that it belongs to; states of parts that are done are never looked at
    Number index, low;
  };
  struct Frame {
    Number node;
    std::uint64_t next_arc;
  };

  void list(const Word* state, const Inside& inside);
  std::optional<Number> number(const Word* state, bool add);
  void wait(const Number* first, const Number* last, Number part);
  Number take_part();
  bool divide(Number part);
  void enter(Number node);
  bool leave();
  bool judge(const Number* first, const Number* last);
  void append(const Word* set, RegionVector<Word>& sets);
  GatheredSets gathered_by(const Number* first, const Number* last, Number part, bool& has_edges) const;
  const Word* enabled(Number node) const { return enabled_.data() + node * set_words(); }
  std::size_t set_words() const { return acceptance_.set_words(); }

  Acceptance& acceptance_;
  Edges edges_;
  PlainSet<0, Word> numbers_;  // the annotation is the number of a state, plus one
  RegionVector<Word> states_;
  RegionVector<Node> nodes_;      // and one beyond the last
  RegionVector<Number> arcs_;     // their targets
  RegionVector<Word> enabled_;    // a set for each node
  RegionVector<Word> marks_;      // and for each arc
  RegionVector<Number> waiting_;  // parts to be divided: their nodes, how many they are, and the number of the part
  RegionVector<Number> part_;     // the nodes of the part that is being divided
  RegionVector<Number> live_;     // those whose component is not complete
  RegionVector<Frame> path_;
  Number last_index_ = 0;
  Number next_part_ = 0;
  Number accepted_ = 0;
};

}  // namespace scrimp
