#include "reduction/overman.h"

#include <algorithm>

namespace scrimp {

namespace {

void fill(BitRows& rows, const Lists& lists, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    for (const std::uint32_t item : lists[i]) rows.set(i, item);
}

}  // namespace

Overman::Overman(const strategy::Overman& options, const Relations& relations)
    : options_(options),
      relations_(relations),
      processes_(static_cast<std::uint32_t>(relations.locations.size())),
      proviso_(options.proviso, relations),
      next_(relations.place_count, relations.cell_count),
      access_(options.refined ? relations.place_count : processes_, relations.cell_count),
      partners_(relations.place_count, processes_),
      place_of_(processes_),
      enabled_(processes_),
      is_seen_(processes_),
      attracted_(processes_, processes_),
      is_known_(processes_),
      is_in_(1, processes_) {
  leaders_.reserve(processes_);
  members_.reserve(processes_);
  fill_tables();
}

void Overman::fill_tables() {
  fill(next_, relations_.place_cells, relations_.place_count);
  if (options_.refined) {
    fill(access_, relations_.future_cells, relations_.place_count);  // L4
  } else {
    fill(access_, relations_.support, processes_);
  }
  const ControlFlow flow(relations_);
  for (std::uint32_t place = 0; place < relations_.place_count; ++place) find_partners(place, flow);
}

/// The processes that an event at the place moves, and those that may enable it without accessing a cell accessed here.
void Overman::find_partners(std::uint32_t place, const ControlFlow& flow) {
  const auto access_private_parts = [&](EventId event) {
    for (const std::uint32_t moved : relations_.moved_places[event]) partners_.set(place, flow.process_of(moved));
  };
  for (const EventId event : relations_.leaving[place]) {
    access_private_parts(event);
    for (const EventId enabling : relations_.enabling[event])
      if (!next_.intersect(place, next_, *relations_.moved_places[enabling].begin())) access_private_parts(enabling);
  }
}

bool Overman::choose(const Word* state, const Entries& entries, Surroundings& around, std::uint8_t* chosen) {
  look_at(state, entries);
  const auto is_chosen = [&](std::uint32_t entry) { return is_in(leader(entries.events[entry])); };
  std::uint32_t smallest = too_large;
  for (std::uint32_t i = 0; i < leaders_.size() && smallest > 1; ++i) {  // L1
    close_over(leaders_[i]);
    const std::uint32_t size = size_of_set();
    if (size >= smallest || !proviso_.is_met(state, entries, around, is_chosen)) continue;
    smallest = size;
    for (std::uint32_t entry = 0; entry < entries.count; ++entry) chosen[entry] = is_chosen(entry);  // L3
  }
  return smallest != too_large;
}

void Overman::look_at(const Word* state, const Entries& entries) {
  leaders_.clear();
  enabled_events_ = 0;
  for (std::uint32_t process = 0; process < processes_; ++process) {
    place_of_[process] = relations_.place(state, process);
    enabled_[process] = 0;
    is_seen_[process] = 0;
    is_known_[process] = 0;
  }
  for (std::uint32_t entry = 0; entry < entries.count; ++entry) {
    const EventId event = entries.events[entry] & event_mask;
    if (entry != 0 && event == (entries.events[entry - 1] & event_mask)) continue;
    const std::uint32_t process = leader(event);
    if (enabled_[process]++ == 0) leaders_.push_back(process);
    is_seen_[process] |= proviso_.sees(event);
    ++enabled_events_;
  }
}

void Overman::close_over(std::uint32_t process) {
  std::fill_n(is_in_[0], is_in_.words(), Word{0});
  members_.clear();
  bring_in(process);
  for (std::uint32_t i = 0; i < members_.size(); ++i)  // L2
    for_each_bit(attracted_by(members_[i]), attracted_.words(), [&](std::uint32_t other) { bring_in(other); });
}

void Overman::bring_in(std::uint32_t process) {
  if (is_in(process)) return;
  is_in_.set(0, process);
  members_.push_back(process);
}

const Word* Overman::attracted_by(std::uint32_t process) {
  Word* const row = attracted_[process];
  if (is_known_[process]) return row;
  is_known_[process] = 1;
  const std::uint32_t place = place_of_[process];
  std::copy_n(partners_[place], partners_.words(), row);
  for (std::uint32_t other = 0; other < processes_; ++other)
    if (next_.intersect(place, access_, access_row(other))) attracted_.set(process, other);
  return row;
}

/// The size that L3 compares; the set is too large if it has all enabled events, and not a valid choice if it has a
/// visible one.
std::uint32_t Overman::size_of_set() const {
  std::uint32_t events = 0;
  for (const std::uint32_t process : members_) {
    if (is_seen_[process]) return too_large;
    events += enabled_[process];
  }
  if (events == enabled_events_) return too_large;
  return options_.original ? static_cast<std::uint32_t>(members_.size()) : events;
}

}  // namespace scrimp
