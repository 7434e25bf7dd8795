// The shortest accepted run near the initial state, fair if that is asked: its path and its cycle together have the
// fewest steps. A search for infinite runs has found some run before, so there is one, but perhaps none near.
//
//   1. List the states that are nearest to the initial one: a few at first, and a multiple of that each time.
//   2. Find the parts of that graph in which accepted runs turn (accepting_parts.h).
//   3. For the nodes of such parts, the nearest first, find the shortest cycle in the part that gathers all marks: a
//        breadth-first search of pairs of a node and what was gathered on the way to it.
//   4. If a run of n steps is known, no shorter one has its cycle begin n - 1 steps away, or further.
//   5. A shorter run passes no state that is further away either. So if all states nearer than that are expanded, there
//        is none. Otherwise go on as in line 1, unless there are enough states.
//
// Line 3 takes a limited number of steps. If they do not suffice for a single cycle, the nearest part is known.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/budget.h"
#include "core/machine.h"
#include "observe/observer.h"
#include "search/expansion/expander.h"
#include "search/liveness/acceptance.h"
#include "search/liveness/accepting_parts.h"
#include "search/liveness/edges.h"
#include "search/liveness/effort.h"
#include "search/liveness/lasso.h"
#include "search/liveness/listed_graph.h"

namespace scrimp {

class ShortestLasso {
 public:
  ShortestLasso(Expander& expander, Acceptance& acceptance, Observer& observer, Budget& budget,
                const LivenessEffort& effort);

  /// Returns whether there is an accepted run near the initial state. Throws std::bad_alloc if the budget is exhausted.
  bool look();

  // After a successful look:

  /// The steps to the state in which the cycle begins.
  Steps stem();
  const Word* start() const { return graph_.state(start_); }
  /// Empty if it would take too many steps to find it.
  Steps cycle() { return steps_along(cycle_, start_); }
  /// Whether a state belongs to the same part as the start.
  bool is_near(const Word* state);

 private:
  using Number = ListedGraph::Number;
  using Arcs = std::vector<std::uint64_t>;
  class Pairs;

  void shorten();
  void find_cycle(Pairs& pairs, Number start, std::uint64_t most_steps);
  bool is_shortest() const;
  std::uint64_t length() const { return graph_.distance(start_) + cycle_.size(); }
  Steps steps_along(const Arcs& arcs, Number from);

  const Acceptance& acceptance_;
  Observer& observer_;
  Budget& budget_;
  const LivenessEffort& effort_;
  Edges edges_;
  ListedGraph graph_;
  std::optional<AcceptingParts> parts_;
  std::uint64_t steps_left_ = 0;
  Number start_ = 0;
  Arcs cycle_;
};

}  // namespace scrimp
