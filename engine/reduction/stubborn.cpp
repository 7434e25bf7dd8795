#include "reduction/stubborn.h"

#include <algorithm>
#include <utility>

#include "reduction/bits.h"

namespace scrimp {

Stubborn::Stubborn(bool proviso, const Relations& relations)
    : relations_(relations),
      proviso_(proviso, relations),
      flow_(relations),
      classes_(relations.classes),
      marks_(relations.events()),
      place_of_(relations.locations.size()),
      led_in_(relations.locations.size()),
      sought_in_(relations.place_count),
      departed_in_(relations.locations.size()),
      brought_in_(relations.row_words()),
      spread_in_(relations.classes),
      left_enabled_(relations.events()),
      left_classes_(relations.classes),
      left_disabled_(relations.events()) {
  seeds_.reserve(relations.locations.size());
  enabled_.reserve(relations.events());
  enabled_classes_.reserve(relations.events());
  for (EventId event = 0; event < relations.events(); ++event) {
    add_to(classes_[relations.dependence_class[event]], event);
    if (proviso_.sees(event)) add_to(visible_, event);
  }
}

void Stubborn::add_to(Group& group, EventId event) const {
  const Lists::List moved = relations_.moved_places[event];
  if (moved.end() - moved.begin() != 1) return group.meetings.push_back(event);
  const std::uint32_t place = *moved.begin();
  auto departure = std::find_if(group.departures.begin(), group.departures.end(),
                                [&](const Group::Departure& each) { return each.place == place; });
  if (departure == group.departures.end()) departure = group.departures.insert(departure, {place, {}});
  departure->events.push_back(event);
}

bool Stubborn::choose(const Word* state, const Entries& entries, Surroundings& around, std::uint8_t* chosen) {
  look_at(state, entries);
  const auto is_chosen = [&](std::uint32_t entry) { return is_member(entries.events[entry] & event_mask); };
  const auto all = static_cast<std::uint32_t>(enabled_.size());
  std::uint32_t fewest = all;
  for (std::uint32_t i = 0; i < seeds_.size() && fewest > 1; ++i) {  // L1
    const bool is_smaller = close_over(seeds_[i], fewest);
    if (is_smaller && !proviso_.is_met(entries, around, is_chosen)) continue;  // with more events it may be met
    marks_[seeds_[i]].settled_in = state_;
    if (!is_smaller) continue;
    fewest = enabled_members_;
    for (std::uint32_t entry = 0; entry < entries.count; ++entry) chosen[entry] = is_chosen(entry);  // L6
  }
  return fewest != all;
}

void Stubborn::look_at(const Word* state, const Entries& entries) {
  ++state_;
  words_ = state;
  seeds_.clear();
  enabled_.clear();
  enabled_classes_.clear();
  for (std::uint32_t process = 0; process < place_of_.size(); ++process)
    place_of_[process] = relations_.place(state, process);
  for (std::uint32_t entry = 0; entry < entries.count; ++entry) {
    const EventId event = entries.events[entry] & event_mask;
    if (is_enabled(event)) continue;
    marks_[event].enabled_in = state_;
    enabled_.push_back(event);
    enabled_classes_.push_back(relations_.dependence_class[event]);
    const std::uint32_t process = relations_.process[event];
    if (led_in_[process] != state_) seeds_.push_back(event);
    led_in_[process] = state_;
  }
}

/// Returns false as soon as the set is too large.
bool Stubborn::close_over(EventId seed, std::uint32_t fewer_than) {
  ++set_;
  left_enabled_.clear();
  left_classes_.clear();
  left_disabled_.clear();
  std::fill(brought_in_.begin(), brought_in_.end(), 0);
  enabled_members_ = 0;
  has_settled_seed_ = false;
  bool has_visible = false;
  bring_in(seed);
  while (!is_too_large(fewer_than)) {  // L5
    if (!left_enabled_.empty()) {
      const EventId event = left_enabled_.pop();
      bring_in_dependents(event);                                                         // L2
      if (proviso_.sees(event) && !std::exchange(has_visible, true)) bring_in(visible_);  // L4
    } else if (!left_classes_.empty()) {
      bring_in(classes_[left_classes_.pop()]);  // L2
    } else if (!left_disabled_.empty()) {
      bring_in_what_enables(left_disabled_.pop());  // L3
    } else {
      return true;
    }
  }
  return false;
}

void Stubborn::bring_in(const Group& group) {
  for (const Group::Departure& departure : group.departures) {
    if (!is_taken(departure.place)) {
      bring_in_steps_towards(departure.place);
    } else {
      for (const EventId event : departure.events) bring_in(event);
    }
  }
  for (const EventId event : group.meetings) bring_in(event);
}

/// Adds enabled events at once and the others later: the set may be too large without them.
void Stubborn::bring_in_dependents(EventId event) {
  const std::uint32_t its_class = relations_.dependence_class[event];
  if (spread_in_[its_class] == set_) return;
  spread_in_[its_class] = set_;
  const Word* const row = relations_.dependence.data() + its_class * relations_.row_words();
  for (std::size_t i = 0; i < enabled_.size(); ++i)
    if (has_bit(row, enabled_classes_[i])) bring_in(enabled_[i]);
  for (std::size_t word = 0; word < brought_in_.size(); ++word) {
    const Word fresh = row[word] & ~brought_in_[word];
    brought_in_[word] |= fresh;
    const auto first = static_cast<std::uint32_t>(word * 64);
    for_each_bit(&fresh, 1, [&](std::uint32_t bit) { left_classes_.push(first + bit); });
  }
}

/// The steps towards one place that is not taken suffice, and they may have been added already.
void Stubborn::bring_in_what_enables(EventId event) {
  for (const std::uint32_t place : relations_.moved_places[event])
    if (sought_in_[place] == set_ || has_all_steps_towards(place)) return;
  constexpr std::uint64_t none = ~std::uint64_t{0};
  std::uint64_t fewest = none;
  std::uint32_t nearest = 0;
  for (const std::uint32_t place : relations_.moved_places[event]) {
    if (is_taken(place)) continue;
    const std::uint64_t cost = cost_of_steps_towards(place);
    if (cost < fewest) nearest = place;
    fewest = std::min(fewest, cost);
  }
  if (fewest != none) return bring_in_steps_towards(nearest);                // L3a
  for (const EventId enabling : what_makes_true(event)) bring_in(enabling);  // L3b
}

/// For an event whose processes are at their places.
Lists::List Stubborn::what_makes_true(EventId event) const {
  constexpr std::uint64_t none = ~std::uint64_t{0};
  std::uint64_t fewest = none;
  Lists::List cheapest = relations_.enabling[event];
  bool are_true = true;  // the tests so far
  for (const std::uint32_t number : relations_.conditions[event]) {
    const Relations::Test& test = relations_.tests[number];
    if (test.relies && !are_true) continue;
    if (test.is_true(words_)) continue;
    are_true = false;
    const Lists::List events = relations_.condition_enabling[number];
    const std::uint64_t cost = cost_of(events, fewest);
    if (cost >= fewest) continue;
    fewest = cost;
    cheapest = events;
  }
  return cheapest;
}

/// How much adding the events costs, or more than `limit`. An enabled event costs more than any number of disabled
/// ones.
std::uint64_t Stubborn::cost_of(Lists::List events, std::uint64_t limit) const {
  std::uint64_t cost = 0;
  for (const EventId event : events) {
    if (!is_member(event)) cost += is_enabled(event) ? relations_.events() : 1;
    if (cost >= limit) break;
  }
  return cost;
}

/// From most places of a process, all exits lead to most others: then nothing is left to add for any of them.
void Stubborn::bring_in_steps_towards(std::uint32_t place) {
  const std::uint32_t process = flow_.process_of(place);
  if (departed_in_[process] == set_ || sought_in_[place] == set_) return;
  sought_in_[place] = set_;
  std::size_t steps = 0;
  for_each_step_towards(place, [&](EventId event) { bring_in(event), ++steps; });
  if (steps == flow_.exits(place_of_[process]).size() + flow_.intrusions(process).size()) departed_in_[process] = set_;
}

/// An enabled event costs more than any number of disabled ones.
std::uint64_t Stubborn::cost_of_steps_towards(std::uint32_t place) {
  std::uint64_t cost = 0;
  for_each_step_towards(place, [&](EventId event) {
    if (!is_member(event)) cost += is_enabled(event) ? relations_.events() : 1;
  });
  return cost;
}

template <class Visit>
void Stubborn::for_each_step_towards(std::uint32_t place, Visit visit) {
  const std::uint32_t process = flow_.process_of(place);
  for (const ControlFlow::Exit& exit : flow_.exits(place_of_[process]))
    if (flow_.leads(exit.target, place)) visit(exit.event);
  for (const EventId intrusion : flow_.intrusions(process)) visit(intrusion);
}

}  // namespace scrimp
