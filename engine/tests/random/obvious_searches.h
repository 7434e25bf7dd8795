// The depth-first searches of the papers over a graph that is already known: as printed, and as corrected.
//
// Written for clarity, as a second implementation beside the engine's. A sleep set is a set of events; an event sleeps
// with everything that it may lead to.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "reduction/relations.h"
#include "tests/random/graph.h"

namespace scrimp::testing {

/// The results of a search.
struct Seen {
  std::vector<std::uint8_t> states;  // one entry per state of the graph, 1 if it was entered
  std::uint32_t count = 0;
  std::uint64_t transitions = 0;
  EventSet flaws = 0;

  bool everything(const Graph& graph) const { return count == graph.states.size() && flaws == graph.flaws; }
  bool all_dead(const Graph& graph) const {
    for (const StateNumber each : graph.dead)
      if (!states[each]) return false;
    return true;
  }
};

/// The common part; the searches differ in which events are asleep, and which process may run alone.
class ObviousSearch {
 public:
  ObviousSearch(const Graph& graph, const Relations& relations) : graph_(graph) {
    seen_.states.assign(graph.states.size(), 0);
    on_path_.assign(graph.states.size(), 0);
    for (EventId a = 0; a < relations.events(); ++a) {
      EventSet row = 0;
      for (EventId b = 0; b < relations.events(); ++b) row |= EventSet{relations.dependent(a, b)} << b;
      dependent_.push_back(row);
    }
  }

 protected:
  template <class Enter>
  void fire(StateNumber state, EventId event, Enter enter) {
    seen_.flaws |= graph_.flawed[state] & EventSet{1} << event;
    for (const Graph::Edge* edge = graph_.begin(state); edge != graph_.end(state); ++edge) {
      if (edge->event != event) continue;
      ++seen_.transitions;
      enter(edge->target);
    }
  }

  bool enter(StateNumber state) {
    if (seen_.states[state]) return false;
    seen_.states[state] = 1;
    ++seen_.count;
    return true;
  }

  static EventId first(EventSet events) { return static_cast<EventId>(std::countr_zero(events)); }

  const Graph& graph_;
  Seen seen_;
  std::vector<std::uint32_t> on_path_;  // how often each state is on the path
  std::vector<EventSet> dependent_;
};

/// GHP92, figure 3, with or without the rule *if s' is not in Stack*. Without it, HGP92's Algorithm 3: there,
/// statements of one process depend on each other, so it makes no difference that their tags are entered together.
class PrintedSleep : public ObviousSearch {
 public:
  PrintedSleep(const Graph& graph, const Relations& relations, bool stack_rule)
      : ObviousSearch(graph, relations), stack_rule_(stack_rule) {}

  Seen run() {
    enter(0);
    visit(0, 0);
    return seen_;
  }

 private:
  void visit(StateNumber state, EventSet asleep) {
    ++on_path_[state];
    for (EventSet left = graph_.enabled[state] & ~asleep; left != 0; left &= left - 1) {
      const EventId event = first(left);
      bool leads_back = false;
      fire(state, event, [&](StateNumber next) {
        if (enter(next)) visit(next, asleep & ~dependent_[event]);
        leads_back = leads_back || on_path_[next] != 0;
      });
      if (!stack_rule_ || !leads_back) asleep |= EventSet{1} << event;
    }
    --on_path_[state];
  }

  const bool stack_rule_;
};

/// The sets are stored with the states (Godefroid, LNCS 1032): events that were asleep when a state was entered, and
/// are not when it is met again, are fired then.
class StoredSleep : public ObviousSearch {
 public:
  StoredSleep(const Graph& graph, const Relations& relations)
      : ObviousSearch(graph, relations), stored_(graph.states.size(), 0) {}

  Seen run() {
    meet(0, 0);
    return seen_;
  }

 private:
  void meet(StateNumber state, EventSet asleep) {
    EventSet left = graph_.enabled[state] & ~asleep;
    if (!enter(state)) {
      left = stored_[state] & ~asleep;
      asleep &= stored_[state];
    }
    stored_[state] = asleep & graph_.enabled[state];
    for (; left != 0; left &= left - 1) {
      const EventId event = first(left);
      fire(state, event, [&](StateNumber next) { meet(next, asleep & ~dependent_[event]); });
      asleep |= EventSet{1} << event;
    }
  }

  std::vector<EventSet> stored_;
};

/// HGP92, Algorithm 2: a process whose options are all local is explored alone.
class ReducedSearch : public ObviousSearch {
 public:
  enum class Options { enabled, all };  // the options that must be local; the paper looks at the enabled ones

  ReducedSearch(const Graph& graph, const Relations& relations, EventSet local, Options options, bool proviso)
      : ObviousSearch(graph, relations), relations_(relations), local_(local), options_(options), proviso_(proviso) {}

  Seen run() {
    enter(0);
    visit(0);
    return seen_;
  }

 private:
  void visit(StateNumber state) {
    ++on_path_[state];
    for (EventSet left = chosen(state); left != 0; left &= left - 1)
      fire(state, first(left), [&](StateNumber next) {
        if (enter(next)) visit(next);
      });
    --on_path_[state];
  }

  EventSet chosen(StateNumber state) {
    const EventSet enabled = graph_.enabled[state];
    EventSet tried = 0;
    for (std::uint32_t process = 0; process < relations_.locations.size(); ++process) {
      EventSet own = 0;
      bool suitable = true;
      for (EventSet left = enabled; left != 0; left &= left - 1) {
        const EventId event = first(left);
        if (relations_.process[event] != process) continue;
        own |= EventSet{1} << event;
        suitable = suitable && is_suitable(event);
      }
      if (own == 0 || !suitable) continue;
      tried |= own;
      if (!proviso_ || leads_away(state, own)) return tried;
    }
    return enabled;
  }

  bool is_suitable(EventId event) const {
    return !relations_.visible[event] &&
           (options_ == Options::enabled ? (local_ >> event & 1) != 0 : relations_.safe[event] != 0);
  }

  bool leads_away(StateNumber state, EventSet events) const {
    for (const Graph::Edge* edge = graph_.begin(state); edge != graph_.end(state); ++edge)
      if ((events >> edge->event & 1) && on_path_[edge->target] == 0) return true;
    return false;
  }

  const Relations& relations_;
  const EventSet local_;
  const Options options_;
  const bool proviso_;
};

}  // namespace scrimp::testing
