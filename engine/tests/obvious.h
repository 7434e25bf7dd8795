// Reference searches, written only for clarity, with which the engine's searches are compared.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/machine.h"
#include "observe/finding.h"

namespace scrimp::testing {

using State = std::vector<Word>;

struct Fired {
  EventId event;  // with flags
  State state;
};

/// The events of an ordinary state, or of one in which `holder` has exclusive control.
inline std::vector<Fired> events_of(const Machine& machine, const State& state, std::uint32_t holder = anybody) {
  std::vector<Word> words(std::size_t{machine.words} * machine.max_successors);
  std::vector<EventId> events(machine.max_successors);
  const std::uint64_t answer = holder == anybody ? machine.successors(state.data(), words.data(), events.data())
                                                 : machine.alone(state.data(), holder, words.data(), events.data());
  std::vector<Fired> fired;
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(answer); ++i)
    fired.push_back({events[i], State(&words[i * machine.words], &words[(i + 1) * machine.words])});
  return fired;
}

/// The end of a sequence of events from an ordinary state.
struct Arrival {
  enum class Kind { state, fault, failed, endless } kind;
  State state;
  std::vector<EventId> way;
  std::uint64_t steps;
};

/// A search, and everything that it sees.
class Obvious {
 public:
  explicit Obvious(const Machine& machine) : machine_(machine) {
    initial_.resize(machine.words);
    machine.initial(initial_.data());
  }

  void depth_first() {
    enter(initial_, {}, 0);
    while (!path_.empty()) {
      if (path_.back().left.empty()) {
        path_.pop_back();
        continue;
      }
      const Arrival arrival = std::move(path_.back().left.front());
      path_.back().left.pop_front();
      std::vector<EventId> events = path_.back().events;
      events.insert(events.end(), arrival.way.begin(), arrival.way.end());
      const std::uint64_t at = path_.back().depth + arrival.steps;
      if (arrival.steps != 0) depth = std::max(depth, at - 1);
      if (!is_violation(arrival, events) && !meets_known(arrival)) enter(arrival.state, events, at);
    }
  }

  void breadth_first() {
    std::deque<State> queue{initial_};
    seen_.insert(initial_);
    for (; !queue.empty(); queue.pop_front()) {
      for (const Arrival& arrival : arrivals(queue.front(), 0))
        if (!is_violation(arrival, {}) && !meets_known(arrival)) queue.push_back(arrival.state);
    }
  }

  /// The event sequences from an ordinary state to others.
  std::map<std::vector<EventId>, State> ways_from(const State& state) {
    std::map<std::vector<EventId>, State> ways;
    for (const Arrival& arrival : arrivals(state, 0))
      if (arrival.kind == Arrival::Kind::state) ways[arrival.way] = arrival.state;
    return ways;
  }

  std::uint64_t states() const { return seen_.size(); }
  std::uint64_t transitions = 0, inner_events = 0, matched = 0, faults = 0, deadlocks = 0, depth = 0;
  std::vector<Finding> findings;  // the paths of depth-first only
  std::set<EventId> fired;

 private:
  struct OnPath {
    std::deque<Arrival> left;
    std::vector<EventId> events;  // the events that led there
    std::uint64_t depth;
  };

  void enter(const State& state, const std::vector<EventId>& events, std::uint64_t at) {
    seen_.insert(state);
    meet(state, anybody, at);
    const std::vector<Arrival> found = arrivals(state, at);
    path_.push_back({{found.begin(), found.end()}, events, at});
  }

  void meet(const State& state, std::uint32_t holder, std::uint64_t at) {
    depth = std::max(depth, at);
    if (machine_.has_offers() && machine_.offers(state.data(), holder)) depth = std::max(depth, at + 1);
  }

  bool is_violation(const Arrival& arrival, const std::vector<EventId>& events) {
    switch (arrival.kind) {
      case Arrival::Kind::state: return false;
      case Arrival::Kind::fault:
        ++transitions, ++faults;
        findings.push_back({Finding::Kind::fault, -1, events});
        break;
      case Arrival::Kind::failed: findings.push_back({Finding::Kind::failed, -1, events}); break;
      case Arrival::Kind::endless: findings.push_back({Finding::Kind::endless, -1, events}); break;
    }
    return true;
  }

  bool meets_known(const Arrival& arrival) {
    ++transitions;
    const bool known = !seen_.insert(arrival.state).second;
    matched += known;
    return known;
  }

  std::vector<Arrival> arrivals(const State& state, std::uint64_t at) {
    std::vector<Arrival> found;
    const std::vector<Fired> events = events_of(machine_, state);
    deadlocks += events.empty();
    chain_.clear();
    follow(events, {}, 0, at, found);
    return found;
  }

  void follow(const std::vector<Fired>& events, const std::vector<EventId>& way, std::uint64_t steps, std::uint64_t at,
              std::vector<Arrival>& found) {
    using enum Arrival::Kind;
    for (const auto& [flagged, after] : events) {
      const EventId event = flagged & event_mask;
      fired.insert(event);
      std::vector<EventId> longer = way;
      longer.push_back(event);
      const std::uint64_t now = steps + (machine_.steps == nullptr ? 1 : machine_.steps[event]);
      if (flagged & failed_flag) found.push_back({failed, after, longer, now});
      if (flagged & fault_flag) {
        found.push_back({fault, after, longer, now});
      } else if (flagged & atomic_flag) {
        go_on(after, machine_.holders[event], longer, now, at, found);
      } else {
        found.push_back({state, after, longer, now});
      }
    }
  }

  void go_on(const State& after, std::uint32_t holder, const std::vector<EventId>& way, std::uint64_t steps,
             std::uint64_t at, std::vector<Arrival>& found) {
    const std::pair<State, std::uint32_t> link{after, holder};
    if (std::find(chain_.begin(), chain_.end(), link) != chain_.end()) {
      ++inner_events;
      found.push_back({Arrival::Kind::endless, after, way, steps});
      return;
    }
    meet(after, holder, at + steps);
    const std::vector<Fired> events = events_of(machine_, after, holder);
    if (events.empty()) {
      found.push_back({Arrival::Kind::state, after, way, steps});
      return;
    }
    ++inner_events;
    chain_.push_back(link);
    follow(events, way, steps, at, found);
    chain_.pop_back();
  }

  const Machine& machine_;
  State initial_;
  std::set<State> seen_;
  std::vector<OnPath> path_;
  std::vector<std::pair<State, std::uint32_t>> chain_;
};

/// Whether each event of a path was enabled in its turn, and where the path ends: the state, its holder (or anybody)
/// and the flags of the last event.
struct Walk {
  bool possible = true;
  State state;
  std::uint32_t holder = anybody;
  EventId flags = 0;
};

inline Walk walk(const Machine& machine, const std::vector<EventId>& path) {
  Walk walk;
  walk.state.resize(machine.words);
  machine.initial(walk.state.data());
  for (const EventId wanted : path) {
    const std::vector<Fired> events = events_of(machine, walk.state, walk.holder);
    const auto chosen = std::find_if(events.begin(), events.end(),
                                     [&](const Fired& each) { return (each.event & event_mask) == wanted; });
    if (chosen == events.end() || (walk.flags & fault_flag)) return {false, {}, anybody, 0};
    walk.flags = chosen->event & ~event_mask;
    walk.state = chosen->state;
    walk.holder = walk.flags & atomic_flag ? machine.holders[wanted] : anybody;
    if (walk.holder != anybody && events_of(machine, walk.state, walk.holder).empty()) walk.holder = anybody;
  }
  return walk;
}

}  // namespace scrimp::testing
