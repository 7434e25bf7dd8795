#include "reduction/audit.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>

namespace scrimp {

namespace {

constexpr EventId leads_nowhere = fault_flag | misfit_flag;

std::string named(EventId event) { return "event " + std::to_string(event); }

std::string named(EventId first, EventId second) {
  return "events " + std::to_string(first) + " and " + std::to_string(second);
}

template <class Item>
bool contains(const std::vector<Item>& items, const Item& item) {
  return std::find(items.begin(), items.end(), item) != items.end();
}

template <class Item>
void add(std::vector<Item>& items, const Item& item) {
  if (!contains(items, item)) items.push_back(item);
}

template <class Item>
bool overlap(const std::vector<Item>& some, const std::vector<Item>& others) {
  return std::any_of(some.begin(), some.end(), [&](const Item& item) { return contains(others, item); });
}

/// The states to inspect, each with how it was reached.
template <class State>
class Reached {
 public:
  explicit Reached(State first) : known_{first}, found_{{std::move(first), 0, 0}} {}

  std::size_t size() const { return found_.size(); }
  const State& operator[](std::size_t i) const { return found_[i].state; }
  void add(const State& state, std::size_t from, EventId event) {
    if (known_.insert(state).second) found_.push_back({state, from, event});
  }

  std::string way_to(std::size_t i) const {
    if (i == 0) return "";
    std::string events;
    for (; i != 0; i = found_[i].from) events = " " + std::to_string(found_[i].event) + events;
    return ", after" + events;
  }

 private:
  struct Found {
    State state;
    std::size_t from;
    EventId event;
  };
  std::set<State> known_;
  std::vector<Found> found_;
};

}  // namespace

Audit::Audit(const Machine& machine, const Relations& relations, bool proviso, Budget& budget,
             std::uint32_t most_states)
    : relations_(relations),
      proviso_(proviso, relations),
      most_states_(most_states),
      expander_(machine, std::nullopt, budget),
      states_(std::size_t{machine.max_successors} * machine.words),
      events_(machine.max_successors) {}

Complaint Audit::of_choice(const Word* state, const Entries& entries, const std::uint8_t* chosen) {
  std::vector<EventId> choice;
  for (std::uint32_t entry = 0; entry < entries.count; ++entry)
    if (chosen[entry]) add(choice, entries.events[entry] & event_mask);
  if (choice.empty()) return "no event is chosen";
  Reached<State> reached(copy(state));
  for (std::size_t i = 0; i < reached.size(); ++i) {  // L1
    const State at = reached[i];
    const Listing listing = list(at);
    if (const Complaint complaint = of_listing(listing, choice)) return *complaint + reached.way_to(i);
    for (const Fired& fired : listing)
      if (!(fired.flags & leads_nowhere) && !contains(choice, fired.event) && reached.size() < most_states_)
        reached.add(fired.state, i, fired.event);
  }
  return {};
}

Complaint Audit::of_listing(const Listing& listing, const std::vector<EventId>& chosen) {
  for (const EventId event : chosen)
    if (!outcome_of(listing, event).is_enabled()) return named(event) + " is chosen but can be disabled";  // L2
  std::vector<EventId> others;
  for (const Fired& fired : listing)
    if (!contains(chosen, fired.event)) add(others, fired.event);
  for (const EventId other : others) {
    if (const Complaint complaint = of_sight(other, chosen)) return complaint;  // L4
    for (const EventId event : chosen)
      if (const Complaint complaint = of_commuting(listing, other, event)) return complaint;  // L3
  }
  return {};
}

/// For an event that can be fired before every chosen event.
Complaint Audit::of_sight(EventId event, const std::vector<EventId>& chosen) const {
  if (!proviso_.sees(event)) return {};
  for (const EventId other : chosen)
    if (proviso_.sees(other))
      return named(event, other) + " are both visible: the second is chosen, but the first can be fired before it";
  return {};
}

Complaint Audit::of_proviso(const Word* state, const Entries& entries, const std::uint8_t* chosen,
                            Surroundings& around) const {
  if (proviso_.is_met(state, entries, around, [&](std::uint32_t entry) { return chosen[entry] != 0; })) return {};
  return "every chosen event is asleep, is a fault or leads back";
}

Complaint Audit::of_independence(const Word* state, const Entries& entries) {
  const Listing listing = list(copy(state));
  std::vector<EventId> events;
  for (std::uint32_t entry = 0; entry < entries.count; ++entry) add(events, entries.events[entry] & event_mask);
  for (std::size_t i = 0; i < events.size(); ++i)
    for (std::size_t j = i + 1; j < events.size(); ++j)
      if (!relations_.dependent(events[i], events[j]))
        if (const Complaint complaint = of_commuting(listing, events[i], events[j])) return complaint;
  return {};
}

Complaint Audit::of_commuting(const Word* state, EventId first, EventId second) {
  return of_commuting(list(copy(state)), first, second);
}

Complaint Audit::of_commuting(const Listing& listing, EventId first, EventId second) {
  const auto disagree = [&](const char* how) { return named(first, second) + how; };
  const Outcome of_first = outcome_of(listing, first);
  const Outcome of_second = outcome_of(listing, second);
  const std::vector<Outcome> first_then_second = outcomes_after(of_first, second);
  const std::vector<Outcome> second_then_first = outcomes_after(of_second, first);
  if (const Complaint complaint = of_staying(of_first, second_then_first, first, second)) return complaint;
  if (const Complaint complaint = of_staying(of_second, first_then_second, second, first)) return complaint;
  if (all_states(first_then_second) != all_states(second_then_first))
    return disagree(" do not commute: the two orders lead to different states");
  for (const Outcome& one : first_then_second)
    for (const Outcome& other : second_then_first)
      if (!one.states.empty() && !other.states.empty() && !overlap(one.states, other.states))
        return disagree(" do not commute: some outcomes of the two orders have no state in common");
  return {};
}

/// Compares an event's outcome before another was fired with those after it.
Complaint Audit::of_staying(const Outcome& before, const std::vector<Outcome>& after, EventId event, EventId other) {
  for (const Outcome& each : after) {
    if (!each.is_enabled()) return named(other) + " disables " + named(event);
    if (each.flaws != before.flaws) return named(event) + " fails differently after " + named(other);
  }
  return {};
}

/// The outcomes of an event in each of the states that another leads to.
std::vector<Audit::Outcome> Audit::outcomes_after(const Outcome& other, EventId event) {
  std::vector<Outcome> outcomes;
  for (const State& state : other.states) outcomes.push_back(outcome_of(list(state), event));
  return outcomes;
}

Audit::Outcome Audit::outcome_of(const Listing& listing, EventId event) {
  std::set<EventId> flaws;
  std::set<State> states;
  for (const Fired& fired : listing) {
    if (fired.event != event) continue;
    if (fired.flags & leads_nowhere) {
      flaws.insert(fired.flags);
    } else {
      states.insert(fired.state);
    }
  }
  return {{flaws.begin(), flaws.end()}, {states.begin(), states.end()}};
}

std::set<Audit::State> Audit::all_states(const std::vector<Outcome>& outcomes) {
  std::set<State> states;
  for (const Outcome& outcome : outcomes) states.insert(outcome.states.begin(), outcome.states.end());
  return states;
}

/// The entries of a state; none if the budget has no room to follow its events through transient states.
Audit::Listing Audit::list(const State& state) {
  const Expansion expansion = expander_.expand(state.data(), states_.data(), events_.data());
  Entries entries{states_.data(), events_.data(), expansion.count};
  if (leads_on(expansion)) {
    if (!expander_.pass(state.data(), expansion, states_.data(), events_.data(), {})) return {};
    const Passage& passage = expander_.passage();
    entries = {passage.states(), passage.events(), passage.count()};
  }
  Listing listing;
  for (std::uint32_t i = 0; i < entries.count; ++i)
    listing.push_back({entries.events[i] & event_mask, entries.events[i] & ~event_mask,
                       copy(entries.states + std::size_t{i} * state.size())});
  return listing;
}

}  // namespace scrimp
