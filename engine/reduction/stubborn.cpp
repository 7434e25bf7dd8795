#include "reduction/stubborn.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

#include "reduction/bits.h"

namespace scrimp {

Stubborn::Stubborn(bool proviso, const Relations& relations)
    : relations_(relations),
      proviso_(proviso, relations),
      flow_(relations),
      classes_(relations.classes),
      dependents_(relations.classes),
      making_true_(relations.tests.size()),
      tests_made_true_(relations.events()),
      enabling_(relations.events()),
      steps_(relations.place_count),
      marks_(relations.events()),
      place_of_(relations.locations.size()),
      moving_(relations.locations.size()),
      led_in_(relations.locations.size()),
      enabled_making_true_(relations.tests.size()),
      is_settled_(relations.events()),
      sought_in_(relations.place_count),
      departed_in_(relations.locations.size()),
      left_enabled_(relations.events()),
      left_disabled_(relations.events()) {
  seeds_.reserve(relations.locations.size());
  enabled_.reserve(relations.events());
  for (std::uint32_t test = 0; test < relations.tests.size(); ++test)
    for (const EventId event : relations.condition_enabling[test]) tests_made_true_[event].push_back(test);
  visible_.is_made = true;
  for (EventId event = 0; event < relations.events(); ++event) {
    classes_[relations.dependence_class[event]].push_back(event);
    if (proviso_.sees(event)) add_to(visible_, event);
  }
}

bool Stubborn::choose(const Word* state, const Entries& entries, Surroundings& around, std::uint8_t* chosen) {
  look_at(state, entries);
  const auto is_chosen = [&](std::uint32_t entry) { return is_member(entries.events[entry] & event_mask); };
  const auto all = static_cast<std::uint32_t>(enabled_.size());
  std::uint32_t fewest = all;
  for (const Seed& seed : seeds_) {  // L1
    if (seed.at_least >= fewest) break;
    const bool is_smaller = close_over(seed.index, fewest);
    if (is_smaller && !proviso_.is_met(state, entries, around, is_chosen)) continue;  // with more events it may be met
    is_settled_[seed.index] = 1;
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
  for (std::uint32_t entry = 0; entry < entries.count; ++entry) {
    const EventId event = entries.events[entry] & event_mask;
    if (is_enabled(event)) continue;
    const auto index = static_cast<std::uint32_t>(enabled_.size());
    marks_[event].enabled_in = state_;
    marks_[event].index = index;
    is_settled_[index] = 0;
    enabled_.push_back(event);
    const std::uint32_t process = relations_.process[event];
    if (led_in_[process] != state_) seeds_.push_back({index, 1});
    led_in_[process] = state_;
  }
  relate_enabled();
  if (seeds_.front().at_least >= enabled_.size()) return;
  for (std::uint32_t process = 0; process < place_of_.size(); ++process) {
    place_of_[process] = relations_.place(state, process);
    moving_[process] = 0;
  }
  if (!are_related_) return;
  for (std::size_t i = 0; i < enabled_.size(); ++i)
    for (const std::uint32_t place : relations_.moved_places[enabled_[i]])
      moving_[flow_.process_of(place)] |= Word{1} << i;
}

/// L2 and L4, for enabled events alone; sorts the seeds.
void Stubborn::relate_enabled() {
  const std::size_t count = enabled_.size();
  looked_at_ += count;
  are_related_ = count <= needed_.size();
  if (!are_related_) return;
  Word visible = 0;
  for (std::size_t i = 0; i < count; ++i) {
    needed_[i] = Word{1} << i;
    if (proviso_.sees(enabled_[i])) visible |= Word{1} << i;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = relations_.dependence_class[enabled_[i]];
    for (std::size_t j = i + 1; j < count; ++j) {
      const Word are_dependent = relations_.are_classes_dependent(row, relations_.dependence_class[enabled_[j]]);
      needed_[i] |= are_dependent << j;
      needed_[j] |= are_dependent << i;
    }
    if (visible >> i & 1) needed_[i] |= visible;
  }
  // The relation is symmetric, so it suffices to spread from each event that is not reached yet.
  for (Word left = count == 64 ? ~Word{0} : (Word{1} << count) - 1; left != 0;) {
    Word reached = left & -left;
    for (Word fresh = reached; fresh != 0;) {
      const auto next = static_cast<std::size_t>(std::countr_zero(fresh));
      fresh = (fresh & (fresh - 1)) | (needed_[next] & ~reached);
      reached |= needed_[next];
    }
    for_each_bit(&reached, 1, [&](std::uint32_t member) { needed_[member] = reached; });
    left &= ~reached;
  }
  for (Seed& seed : seeds_) seed.at_least = static_cast<std::uint32_t>(std::popcount(needed_[seed.index]));
  std::stable_sort(seeds_.begin(), seeds_.end(), [](const Seed& a, const Seed& b) { return a.at_least < b.at_least; });
}

/// Returns false as soon as the set is too large.
bool Stubborn::close_over(std::uint32_t seed, std::uint32_t fewer_than) {
  ++set_;
  left_enabled_.clear();
  left_disabled_.clear();
  enabled_members_ = 0;
  members_ = 0;
  has_settled_seed_ = false;
  bool has_visible = false;
  cause_ = enabled_[seed];
  marks_[cause_].cause = cause_;
  bring_in_enabled(seed);
  while (!is_too_large(fewer_than)) {  // L5
    if (!left_enabled_.empty()) {
      const EventId event = cause_ = left_enabled_.pop();
      bring_in(dependents_of(relations_.dependence_class[event]));                        // L2
      if (proviso_.sees(event) && !std::exchange(has_visible, true)) bring_in(visible_);  // L4
    } else if (!left_disabled_.empty()) {
      cause_ = left_disabled_.pop();
      bring_in_what_enables(cause_);  // L3
    } else {
      return true;
    }
  }
  return false;
}

/// With an enabled event, all enabled ones that it needs.
void Stubborn::bring_in_enabled(std::uint32_t index) {
  if (!are_related_) return add_enabled(index);
  for_each_bit(&needed_[index], 1, [&](std::uint32_t each) { add_enabled(each); });
}

void Stubborn::add_enabled(std::uint32_t index) {
  const EventId event = enabled_[index];
  marks_[event].member_of = set_;
  marks_[event].cause = cause_;
  if (is_settled_[index]) abandon();
  ++enabled_members_;
  members_ |= Word{1} << index % 64;
  left_enabled_.push(event);
}

/// No other set with one of the members that have led here can be better, either.
void Stubborn::abandon() {
  has_settled_seed_ = true;
  for (EventId member = cause_;; member = marks_[member].cause) {
    Mark& mark = marks_[member];
    if (mark.enabled_in == state_) is_settled_[mark.index] = 1;
    mark.hopeless_in = state_;
    if (mark.cause == member) return;
  }
}

void Stubborn::bring_in(Source& source) {
  if (source.added_to == set_) return;
  source.added_to = set_;
  for (const Source::Share& share : source.shares)
    if (share.departs) departed_in_[share.process] = set_;
  for (Source::Share& share : source.shares) {
    const std::uint32_t place = place_of_[share.process];
    Source::Resolved& resolved = share.at[flow_.index_of(place)];
    if (!resolved.is_known) resolve(share, place);
    const bool has_departed = departed_in_[share.process] == set_;
    const std::size_t count = has_departed ? resolved.leaving : resolved.events.size();
    looked_at_ += count + 1;
    for (std::size_t i = 0; i < count; ++i) bring_in(resolved.events[i]);
    if (has_departed) continue;
    if (resolved.has_all_steps) {
      departed_in_[share.process] = set_;
    } else {
      looked_at_ += share.meetings.size();
      for (const EventId event : share.meetings) bring_in(event);
    }
  }
  looked_at_ += source.others.size();
  for (const EventId event : source.others) bring_in(event);
}

std::uint32_t Stubborn::place_left_by(EventId event, std::uint32_t process) const {
  const Lists::List moved = relations_.moved_places[event];
  const auto of_process = [&](std::uint32_t place) { return flow_.process_of(place) == process; };
  return *std::find_if(moved.begin(), moved.end(), of_process);
}

void Stubborn::resolve(Source::Share& share, std::uint32_t place) {
  Source::Resolved& resolved = share.at[flow_.index_of(place)];
  const auto leaves_it = [&](EventId event) { return place_left_by(event, share.process) == place; };
  for (const auto* const events : {&share.alone, &share.meetings})
    std::copy_if(events->begin(), events->end(), std::back_inserter(resolved.events), leaves_it);
  resolved.leaving = static_cast<std::uint32_t>(resolved.events.size());
  resolved.is_known = true;
  if (share.departs) return;
  for (const EventId event : share.alone) {
    const std::uint32_t left = place_left_by(event, share.process);
    if (left == place) continue;
    const Steps& towards = steps(place, left);
    for (const EventId step : towards.events)
      if (std::find(resolved.events.begin(), resolved.events.end(), step) == resolved.events.end())
        resolved.events.push_back(step);
    resolved.has_all_steps |= towards.are_all;
  }
}

/// A process that all events of a class move departs with them, if every event that can move it from the same place
/// depends on the class.
bool Stubborn::departs_with(std::uint32_t its_class, std::uint32_t process) const {
  const auto depends = [&](const ControlFlow::Exit& exit) {
    return relations_.are_classes_dependent(its_class, relations_.dependence_class[exit.event]);
  };
  const auto& events = classes_[its_class];
  return std::all_of(events.begin(), events.end(), [&](EventId event) {
    const Lists::List moved = relations_.moved_places[event];
    const auto left = std::find_if(moved.begin(), moved.end(),
                                   [&](std::uint32_t place) { return flow_.process_of(place) == process; });
    if (left == moved.end()) return false;
    const auto exits = flow_.exits(*left);
    return std::all_of(exits.begin(), exits.end(), depends);
  });
}

Stubborn::Source& Stubborn::dependents_of(std::uint32_t its_class) {
  Source& source = dependents_[its_class];
  if (std::exchange(source.is_made, true)) return source;
  for (const std::uint32_t place : relations_.moved_places[classes_[its_class].front()]) {
    const std::uint32_t process = flow_.process_of(place);
    if (departs_with(its_class, process)) add_share(source, process).departs = true;
  }
  for (std::uint32_t other = 0; other < relations_.classes; ++other)
    if (relations_.are_classes_dependent(its_class, other))
      for (const EventId event : classes_[other]) add_to(source, event);
  return source;
}

Stubborn::Source& Stubborn::source_of(Source& source, Lists::List events) const {
  if (std::exchange(source.is_made, true)) return source;
  for (const EventId event : events) add_to(source, event);
  return source;
}

Stubborn::Source::Share& Stubborn::add_share(Source& source, std::uint32_t process) const {
  Source::Share& share = source.shares.emplace_back();
  share.process = process;
  share.at.resize(flow_.places_of(process).size());
  return share;
}

/// To the share of a process that departs, if there is one: then the fewest events are added.
void Stubborn::add_to(Source& source, EventId event) const {
  const Lists::List moved = relations_.moved_places[event];
  if (moved.begin() == moved.end()) return source.others.push_back(event);
  const auto moves = [&](std::uint32_t process) {
    return std::any_of(moved.begin(), moved.end(),
                       [&](std::uint32_t place) { return flow_.process_of(place) == process; });
  };
  const std::uint32_t leader = flow_.process_of(*moved.begin());
  auto& shares = source.shares;
  auto share = std::find_if(shares.begin(), shares.end(),
                            [&](const Source::Share& each) { return each.departs && moves(each.process); });
  if (share == shares.end())
    share =
        std::find_if(shares.begin(), shares.end(), [&](const Source::Share& each) { return each.process == leader; });
  Source::Share& found = share == shares.end() ? add_share(source, leader) : *share;
  (moved.end() - moved.begin() == 1 ? found.alone : found.meetings).push_back(event);
}

/// The steps towards one place that is not taken suffice, and they may have been added already.
void Stubborn::bring_in_what_enables(EventId event) {
  ++looked_at_;
  for (const std::uint32_t place : relations_.moved_places[event])
    if (sought_in_[place] == set_ || has_all_steps_towards(place)) return;
  if (marks_[event].hopeless_in == state_) return abandon();
  constexpr std::uint64_t none = ~std::uint64_t{0};
  std::uint64_t fewest = none;
  std::uint32_t nearest = 0;
  for (const std::uint32_t place : relations_.moved_places[event]) {
    if (is_taken(place)) continue;
    const std::uint64_t cost = cost_of_steps_towards(place, fewest);
    if (cost < fewest) nearest = place;
    fewest = std::min(fewest, cost);
  }
  if (fewest != none) return bring_in_steps_towards(nearest);  // L3a
  bring_in(what_makes_true(event));                            // L3b
}

/// For an event whose processes are at their places. If all that makes one of its tests true was added already, that
/// suffices.
Stubborn::Source& Stubborn::what_makes_true(EventId event) {
  constexpr std::uint64_t none = ~std::uint64_t{0};
  std::uint64_t fewest = none;
  std::uint32_t cheapest = 0;
  bool are_true = true;  // the tests so far
  for (const std::uint32_t number : relations_.conditions[event]) {
    const Relations::Test& test = relations_.tests[number];
    if (test.relies && !are_true) continue;
    if (test.is_true(words_)) continue;
    are_true = false;
    if (making_true_[number].added_to == set_) return making_true_[number];
    const std::uint64_t cost = cost_of_making_true(number, fewest);
    if (cost >= fewest) continue;
    fewest = cost;
    cheapest = number;
  }
  if (fewest == none) return source_of(enabling_[event], relations_.enabling[event]);
  return source_of(making_true_[cheapest], relations_.condition_enabling[cheapest]);
}

/// How much adding the events costs, or more than `limit`. An enabled event costs more than any number of disabled
/// ones.
template <class Events>
std::uint64_t Stubborn::cost_of(const Events& events, std::uint64_t limit) const {
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
  const Steps& towards = steps(place_of_[process], place);
  for (const EventId event : towards.events) bring_in(event);
  if (towards.are_all) departed_in_[process] = set_;
}

std::uint64_t Stubborn::cost_of_steps_towards(std::uint32_t place, std::uint64_t limit) {
  const std::uint32_t process = flow_.process_of(place);
  const Steps& towards = steps(place_of_[process], place);
  const bool are_enabled_known = are_related_ && !flow_.is_intruded(process);
  if (are_enabled_known && (towards.are_all || (moving_[process] & ~members_) == 0))
    return rough_cost_of(moving_[process], towards.events.size());
  return cost_of(towards.events, limit);
}

std::uint64_t Stubborn::cost_of_making_true(std::uint32_t test, std::uint64_t limit) {
  const Lists::List events = relations_.condition_enabling[test];
  if (!are_related_) return cost_of(events, limit);
  if (std::exchange(tests_related_in_, state_) != state_) relate_tests();
  const Among& among = enabled_making_true_[test];
  const Word enabled = among.state == state_ ? among.enabled : 0;
  return rough_cost_of(enabled, static_cast<std::size_t>(events.end() - events.begin()));
}

/// Finds the enabled events that may make each test true.
void Stubborn::relate_tests() {
  for (std::size_t i = 0; i < enabled_.size(); ++i) {
    const std::vector<std::uint32_t>& tests = tests_made_true_[enabled_[i]];
    looked_at_ += tests.size();
    for (const std::uint32_t test : tests) {
      Among& among = enabled_making_true_[test];
      if (std::exchange(among.state, state_) != state_) among.enabled = 0;
      among.enabled |= Word{1} << i;
    }
  }
}

/// Disabled events count even if they are members: finding out takes about as long as adding them.
std::uint64_t Stubborn::rough_cost_of(Word enabled, std::size_t count) const {
  return static_cast<std::uint64_t>(std::popcount(enabled & ~members_)) * relations_.events() + count;
}

const Stubborn::Steps& Stubborn::steps(std::uint32_t from, std::uint32_t towards) {
  const std::uint32_t process = flow_.process_of(from);
  if (steps_[from].empty()) steps_[from].resize(flow_.places_of(process).size());
  Steps& found = steps_[from][flow_.index_of(towards)];
  if (std::exchange(found.is_known, true)) return found;
  for (const ControlFlow::Exit& exit : flow_.exits(from))
    if (flow_.leads(exit.target, towards)) found.events.push_back(exit.event);
  found.are_all = found.events.size() == flow_.exits(from).size();
  return found;
}

}  // namespace scrimp
