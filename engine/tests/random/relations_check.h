// Checks that relations are true in every state of a graph.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "reduction/relations.h"
#include "tests/random/graph.h"

namespace scrimp::testing {

class RelationsCheck {
 public:
  RelationsCheck(const Graph& graph, const Relations& relations) : graph_(graph), relations_(relations) {}

  /// The first violation; empty if there is none.
  std::string complaint() {
    for (StateNumber state = 0; state < graph_.states.size() && complaint_.empty(); ++state) {
      for (const EventId a : events_in(graph_.enabled[state]))
        for (const EventId b : events_in(graph_.enabled[state]))
          if (a < b && !relations_.dependent(a, b)) check_commutation(state, a, b);
      for (const Graph::Edge* edge = graph_.begin(state); edge != graph_.end(state); ++edge)
        check_enabling(state, *edge);
    }
    return complaint_;
  }

 private:
  static std::vector<EventId> events_in(EventSet set) {
    std::vector<EventId> events;
    for (; set != 0; set &= set - 1) events.push_back(static_cast<EventId>(std::countr_zero(set)));
    return events;
  }

  void complain(const std::string& what, StateNumber state, EventId a, EventId b) {
    if (complaint_.empty())
      complaint_ =
          "in state " + std::to_string(state) + " t" + std::to_string(a) + " and t" + std::to_string(b) + ": " + what;
  }

  std::vector<StateNumber> after(StateNumber state, EventId event) const {
    std::vector<StateNumber> states;
    for (const Graph::Edge* edge = graph_.begin(state); edge != graph_.end(state); ++edge)
      if (edge->event == event) states.push_back(edge->target);
    return states;
  }

  /// Each stays enabled after the other and goes wrong as before; both orders lead to the same states.
  void check_commutation(StateNumber state, EventId a, EventId b) {
    const std::vector<StateNumber> one = after_both(state, a, b);
    if (one != after_both(state, b, a) && !goes_wrong(state, a) && !goes_wrong(state, b))
      complain("they do not commute", state, a, b);
  }

  bool goes_wrong(StateNumber state, EventId event) const { return graph_.flawed[state] >> event & 1; }

  std::vector<StateNumber> after_both(StateNumber state, EventId a, EventId b) {
    std::vector<StateNumber> states;
    for (const StateNumber middle : after(state, a)) {
      if (!(graph_.enabled[middle] >> b & 1)) complain("the first disables the second", state, a, b);
      if (goes_wrong(middle, b) != goes_wrong(state, b))
        complain("the first changes a flaw of the second", state, a, b);
      for (const StateNumber end : after(middle, b)) states.push_back(end);
    }
    std::sort(states.begin(), states.end());
    states.erase(std::unique(states.begin(), states.end()), states.end());
    return states;
  }

  void check_enabling(StateNumber state, const Graph::Edge& edge) {
    for (const EventId each : events_in(graph_.enabled[edge.target] & ~graph_.enabled[state])) {
      bool all_taken = true;
      for (const std::uint32_t place : relations_.moved_places[each]) {
        if (is_taken(state, place)) continue;
        all_taken = false;
        if (!contains(relations_.entering[place], edge.event))
          complain("the first enters a place", state, edge.event, each);
      }
      if (all_taken && !contains(relations_.enabling[each], edge.event))
        complain("the first enables the second", state, edge.event, each);
      if (all_taken) check_conditions(state, edge, each);
    }
  }

  void check_conditions(StateNumber state, const Graph::Edge& edge, EventId enabled) {
    bool are_true = true;
    for (const std::uint32_t number : relations_.conditions[enabled]) {
      const Relations::Test& test = relations_.tests[number];
      if (test.is_true(graph_.states[state].words.data()) || (test.relies && !are_true)) continue;
      are_true = false;
      if (!contains(relations_.condition_enabling[number], edge.event))
        complain("the first makes a test of the second true", state, edge.event, enabled);
    }
  }

  bool is_taken(StateNumber state, std::uint32_t place) const {
    for (std::uint32_t process = 0; process < relations_.locations.size(); ++process)
      if (relations_.place(graph_.states[state].words.data(), process) == place) return true;
    return false;
  }

  static bool contains(const Lists::List& list, EventId event) {
    return std::find(list.begin(), list.end(), event) != list.end();
  }

  const Graph& graph_;
  const Relations& relations_;
  std::string complaint_;
};

}  // namespace scrimp::testing
