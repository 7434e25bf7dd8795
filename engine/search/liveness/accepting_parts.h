// The parts of a listed graph in which an accepted run turns, fair if that is asked. Strong fairness is a Streett
// condition, decided by removing states.
//
//   1. Divide the nodes that are left, all at first, into strongly connected components. For each of them:
//   2.   if it accepts, it is an accepting part;
//   3.   if it lacks a mark of the automaton, no part of it accepts;
//   4.   else remove the nodes in which a process can move that no edge of it moves: no fair run stays in such a node's
//        component and visits it again and again; go on with the others as in line 1.
//
// E. A. Emerson, C.-L. Lei, Modalities for model checking, Science of Computer Programming 8 (1987).
#pragma once

#include <cstdint>

#include "core/budget.h"
#include "core/machine.h"
#include "core/region_vector.h"
#include "search/liveness/acceptance.h"
#include "search/liveness/listed_graph.h"

namespace scrimp {

class AcceptingParts {
 public:
  using Number = ListedGraph::Number;

  AcceptingParts(const ListedGraph& graph, const Acceptance& acceptance, Budget& budget)
      : graph_(graph),
        acceptance_(acceptance),
        places_(budget),
        waiting_(budget),
        part_(budget),
        live_(budget),
        path_(budget) {}

  /// Looks until one is found, or for all of them. Returns whether there is one. Throws std::bad_alloc if the budget is
  /// exhausted.
  bool find_one() { return find(true); }
  bool find_all() { return find(false); }

  /// Whether a node belongs to a part that was found.
  bool is_accepted(Number node) const { return (places_[node].part & accepted) != 0; }
  /// Whether two nodes belong to the same part.
  bool are_together(Number node, Number other) const { return places_[node].part == places_[other].part; }

 private:
  static constexpr Number accepted = Number{1} << 31;

  struct Place {
    Number part;  // nodes of parts that are done are never looked at
    Number index, low;
  };
  struct Frame {
    Number node;
    std::uint64_t next_arc;
  };

  bool find(bool one_is_enough);
  void wait(const Number* first, const Number* last, Number part);
  Number take_part();
  void divide(Number part);
  void enter(Number node);
  void leave();
  void judge(const Number* first, const Number* last);
  void call(const Number* first, const Number* last, Number part);
  bool belongs(Number node, Number part) const { return node < graph_.size() && places_[node].part == part; }
  GatheredSets gathered_by(const Number* first, const Number* last, Number part) const;
  /// Whether an edge leads from a node to itself.
  bool turns(Number node) const;
  bool is_done() const { return one_is_enough_ && found_; }

  const ListedGraph& graph_;
  const Acceptance& acceptance_;
  RegionVector<Place> places_;    // of each node
  RegionVector<Number> waiting_;  // parts to be divided: their nodes, how many they are, and the number of the part
  RegionVector<Number> part_;     // the nodes of the part that is being divided
  RegionVector<Number> live_;     // those whose component is not complete
  RegionVector<Frame> path_;
  Number last_index_ = 0;
  Number next_part_ = 1;
  bool one_is_enough_ = false;
  bool found_ = false;
};

}  // namespace scrimp
