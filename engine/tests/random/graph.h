// All reachable states of a small system, found by a simple breadth-first search with which every other search is
// compared. It has its own code for transient states.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "tests/random/machine.h"
#include "tests/random/system.h"

namespace scrimp::testing {

struct SmallState {
  std::array<Word, 2> words{};
  bool operator==(const SmallState&) const = default;
};

inline SmallState small_state(const Word* words, std::uint32_t count) {
  SmallState state;
  std::copy_n(words, count, state.words.begin());
  return state;
}

using StateNumber = std::uint32_t;
inline constexpr StateNumber no_state = ~StateNumber{0};

/// Reused for all systems, so that its memory is too.
class Graph {
 public:
  struct Edge {
    EventId event;  // the first of its sequence
    StateNumber target;
  };

  /// Returns false, with an empty graph, if there are more states than the limit.
  bool explore(const System& system, std::uint32_t limit) {
    clear(system);
    const SystemMachine current(system);
    SmallState initial;
    current.machine().initial(initial.words.data());
    number(initial);
    for (StateNumber state = 0; state < states.size(); ++state) {
      if (states.size() > limit) return false;
      expand(state);
    }
    return true;
  }

  StateNumber find(const SmallState& state) const { return slots_[slot(state)]; }

  const Edge* begin(StateNumber state) const { return edges.data() + begins[state]; }
  const Edge* end(StateNumber state) const { return edges.data() + begins[state + 1]; }

  std::vector<SmallState> states;
  std::vector<Edge> edges;            // of a state, in the order of events
  std::vector<std::uint32_t> begins;  // of a state's edges
  std::vector<EventSet> enabled;      // in each state
  std::vector<EventSet> flawed;       // faults, fails or never ends, in each state
  std::vector<StateNumber> dead;
  EventSet fired = 0;      // in any state, as the first of a sequence
  EventSet flaws = 0;      // in any state, likewise
  EventSet broken = 0;     // in any state, as the last of a sequence: it faults, fails or closes an infinite loop
  std::uint64_t hits = 0;  // watches hit in any state

 private:
  void clear(const System& system) {
    system_ = &system;
    states.clear(), edges.clear(), enabled.clear(), flawed.clear(), dead.clear();
    begins.assign(1, 0);
    slots_.assign(1024, no_state);
    fired = flaws = broken = hits = 0;
    room_states_.resize(std::size_t{most_transitions} * 2);
  }

  std::size_t slot(const SmallState& state) const {
    const std::uint64_t mixed = (state.words[0] ^ std::rotl(state.words[1], 29)) * 0x9e3779b97f4a7c15u;
    std::size_t at = mixed >> 32 & (slots_.size() - 1);
    while (slots_[at] != no_state && !(states[slots_[at]] == state)) at = (at + 1) & (slots_.size() - 1);
    return at;
  }

  StateNumber number(const SmallState& state) {
    const std::size_t at = slot(state);
    if (slots_[at] != no_state) return slots_[at];
    const auto fresh = static_cast<StateNumber>(states.size());
    slots_[at] = fresh;
    states.push_back(state);
    hits |= watches_hit(*system_, state.words.data());
    if (states.size() * 2 > slots_.size()) grow();
    return fresh;
  }

  void grow() {
    slots_.assign(slots_.size() * 4, no_state);
    for (StateNumber i = 0; i < states.size(); ++i) slots_[slot(states[i])] = i;
  }

  void expand(StateNumber state) {
    EventSet bad = 0, all = 0;
    const SmallState from = states[state];
    Listed listed;
    list(from, anybody, listed);
    for (std::uint32_t i = 0; i < listed.count; ++i) {
      const EventId event = listed.events[i] & event_mask;
      all |= EventSet{1} << event;
      way_.clear();
      if (follow(event, listed.events[i], listed.states[i])) bad |= EventSet{1} << event;
    }
    if (all == 0) dead.push_back(state);
    enabled.push_back(all);
    flawed.push_back(bad);
    fired |= all;
    flaws |= bad;
    begins.push_back(static_cast<std::uint32_t>(edges.size()));
  }

  struct Listed {
    std::array<EventId, most_transitions> events;
    std::array<SmallState, most_transitions> states;
    std::uint32_t count;
  };

  void list(const SmallState& state, std::uint32_t leader, Listed& listed) {
    const std::uint32_t words = system_->words;
    const std::uint64_t answer =
        list_events(*system_, state.words.data(), leader, room_states_.data(), listed.events.data());
    listed.count = static_cast<std::uint32_t>(answer);
    for (std::uint32_t i = 0; i < listed.count; ++i)
      listed.states[i] = small_state(room_states_.data() + std::size_t{i} * words, words);
  }

  /// Continues after the event `last` of a sequence that began with `first`. Returns whether anything goes wrong.
  bool follow(EventId first, EventId last, const SmallState& after) {
    if (last & fault_flag) return breaks(last);
    bool flaw = (last & failed_flag) && breaks(last);
    if (!(last & atomic_flag)) {
      add(first, after);
      return flaw;
    }
    const std::uint32_t holder = system_->transitions[last & event_mask].holder;
    const std::pair<SmallState, std::uint32_t> here{after, holder};
    if (std::find(way_.begin(), way_.end(), here) != way_.end()) return breaks(last);
    Listed listed;
    list(after, holder, listed);
    if (listed.count == 0) add(first, after);
    way_.push_back(here);
    for (std::uint32_t i = 0; i < listed.count; ++i) flaw = follow(first, listed.events[i], listed.states[i]) || flaw;
    way_.pop_back();
    return flaw;
  }

  bool breaks(EventId event) {
    broken |= EventSet{1} << (event & event_mask);
    return true;
  }

  void add(EventId event, const SmallState& state) { edges.push_back({event, number(state)}); }

  const System* system_ = nullptr;
  std::vector<StateNumber> slots_;
  std::vector<Word> room_states_;
  std::vector<std::pair<SmallState, std::uint32_t>> way_;
};

}  // namespace scrimp::testing
