#include "search/passage.h"

#include <algorithm>
#include <cstring>

namespace scrimp {

namespace {

/// Grows by half, where the budget allows, so that growing often costs little.
bool ensure(Region& region, std::size_t bytes) {
  if (bytes <= region.bytes()) return true;
  return region.resize(std::max(bytes, region.bytes() / 2 * 3)) || region.resize(bytes);
}

}  // namespace

Passage::Passage(Budget& budget, const Stepper& stepper)
    : stepper_(stepper),
      words_(stepper.machine().words),
      frames_(budget),
      states_(budget),
      events_(budget),
      table_(budget),
      out_states_(budget),
      out_events_(budget),
      out_steps_(budget) {}

std::uint64_t Passage::bytes() const {
  return frames_.bytes() + states_.bytes() + events_.bytes() + table_.bytes() + out_states_.bytes() +
         out_events_.bytes() + out_steps_.bytes();
}

bool Passage::follow(const Word* state, const Listed& listed, const Escort& escort) {
  begin(state, escort, nothing_wanted);
  count_ = 0;
  flags_ = 0;
  if (!make_room(listed.count)) return false;
  std::memcpy(words_at(0), listed.successors, std::size_t{listed.count} * words_ * sizeof(Word));
  std::memcpy(event_at(0), listed.events, listed.count * sizeof(EventId));
  return push(listed.count, anybody, 0) && walk();
}

bool Passage::list(const Word* state, std::uint32_t ordinal, std::vector<EventId>& events) {
  begin(state, {}, ordinal);
  if (!make_room(stepper_.machine().max_successors)) return false;
  if (!push(stepper_.all(state, words_at(0), event_at(0)).count, anybody, 0) || !walk()) return false;
  for (std::uint32_t frame = 0; frame < height_; ++frame) events.push_back(*event_at(taken(frame)) & event_mask);
  return true;
}

void Passage::begin(const Word* state, const Escort& escort, std::uint32_t wanted) {
  while (height_ != 0) pop();
  state_ = state;
  escort_ = escort;
  wanted_ = wanted;
  passed_by_ = 0;
  found_ = false;
}

/// Ends with no frame left, or with those on the way to what was wanted.
bool Passage::walk() {
  while (height_ != 0 && !found_) {
    Frame& frame = frames()[height_ - 1];
    if (frame.next == frame.count) {
      pop();
    } else if (!take(frame.first + frame.next++)) {  // L1
      return false;
    }
  }
  return true;
}

bool Passage::take(std::size_t place) {
  const EventId event = *event_at(place);
  if (event & misfit_flag) return misfit(place);
  if (escort_.observer != nullptr) escort_.observer->fired_inside(event);
  const std::uint32_t steps = frames()[height_ - 1].steps + stepper_.steps(event);
  const EventId first = *event_at(taken(0)) & event_mask;
  if ((event & failed_flag) && !add(first | fault_flag | failed_flag, nullptr, steps)) return false;
  if (found_) return true;
  if (event & fault_flag) return add(first | fault_flag, nullptr, steps);
  if (event & atomic_flag) return go_on(place, stepper_.machine().holders[event & event_mask], steps);  // L2
  return add(first, words_at(place), steps);                                                            // L6
}

bool Passage::go_on(std::size_t place, std::uint32_t holder, std::uint32_t steps) {
  const EventId first = *event_at(taken(0)) & event_mask;
  Observer* const observer = escort_.observer;
  if (observer != nullptr && ++states_seen_ % states_per_check == 0 && !observer->may_go_on()) return false;
  if (has_been_in(words_at(place), holder)) {  // L4
    if (escort_.counts) ++observer->counts.inner_events;
    return add(first | fault_flag | atomic_flag, nullptr, steps);
  }
  if (!make_room(stepper_.machine().max_successors)) return false;
  const Word* const state = words_at(place);
  const Expansion expansion = stepper_.alone(state, holder, words_at(end_), event_at(end_));
  if (escort_.depth) observer->met(state, holder, *escort_.depth + steps);
  if (expansion.count == 0) return add(first, state, steps);  // L5, L6
  if (escort_.counts) ++observer->counts.inner_events;
  return push(expansion.count, holder, steps);  // L3
}

/// The state that the event would be fired in takes the place of a successor, and the passage ends.
bool Passage::misfit(std::size_t place) {
  const Word* const state = state_of(height_ - 1);
  const bool added = add(*event_at(place) & (event_mask | misfit_flag), state, 0);
  while (!found_ && height_ != 0) pop();
  return added;
}

bool Passage::add(EventId event, const Word* words, std::uint32_t steps) {
  if (wanted_ != nothing_wanted) {
    found_ = passed_by_++ == wanted_;
    return true;
  }
  const std::size_t count = std::size_t{count_} + 1;
  if (count == nothing_wanted || !ensure(out_states_, count * words_ * sizeof(Word)) ||
      !ensure(out_events_, count * sizeof(EventId)) || !ensure(out_steps_, count * sizeof(std::uint32_t)))
    return false;
  if (words != nullptr) std::copy_n(words, words_, out_states_.as<Word>() + std::size_t{count_} * words_);
  out_events_.as<EventId>()[count_] = event;
  out_steps_.as<std::uint32_t>()[count_] = steps;
  flags_ |= event & ~event_mask;
  ++count_;
  return true;
}

/// Makes a frame of the last events listed.
bool Passage::push(std::uint32_t count, std::uint32_t holder, std::uint32_t steps) {
  if (height_ == nothing_wanted || !ensure(frames_, (std::size_t{height_} + 1) * sizeof(Frame))) return false;
  frames()[height_] = {end_, count, 0, holder, steps};
  const std::uint32_t frame = height_;
  if (frame > compared_frames &&
      !table_.add(frame, compared_frames + 1, [this](std::uint32_t each) { return hash(each); }))
    return false;
  ++height_;
  end_ += count;
  return true;
}

void Passage::pop() {
  const std::uint32_t frame = height_ - 1;
  if (frame > compared_frames) table_.remove(frame, hash(frame));
  end_ = frames()[frame].first;
  --height_;
}

/// For so many events after those in use.
bool Passage::make_room(std::uint32_t count) {
  const std::size_t events = end_ + count;
  return ensure(states_, events * words_ * sizeof(Word)) && ensure(events_, events * sizeof(EventId));
}

bool Passage::has_been_in(const Word* state, std::uint32_t holder) const {
  const auto is_at = [&](std::uint32_t frame) {
    return frames()[frame].holder == holder && std::equal(state, state + words_, state_of(frame));
  };
  for (std::uint32_t frame = 1; frame < std::min(height_, compared_frames + 1); ++frame)
    if (is_at(frame)) return true;
  return height_ > compared_frames + 1 && table_.contains(hash(state, holder), is_at);
}

std::uint64_t Passage::hash(const Word* state, std::uint32_t holder) const {
  std::uint64_t sum = holder;
  for (std::uint32_t i = 0; i < words_; ++i) sum = (sum ^ state[i]) * 0x9e3779b97f4a7c15u;
  return sum ^ (sum >> 32);
}

}  // namespace scrimp
