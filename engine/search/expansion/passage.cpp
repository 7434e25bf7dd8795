#include "search/expansion/passage.h"

#include <algorithm>

namespace scrimp {

namespace {

/// Grows by half if the budget allows, so that repeated growth is cheap.
[[gnu::noinline]] bool grow(Region& region, std::size_t bytes) {
  return region.resize(std::max(bytes, region.bytes() / 2 * 3)) || region.resize(bytes);
}

bool ensure(Region& region, std::size_t bytes) { return bytes <= region.bytes() || grow(region, bytes); }

template <std::uint32_t fixed_words>
bool are_equal(const Word* a, const Word* b, std::uint32_t words) {
  if (*a != *b) return false;
  for (std::uint32_t i = 1; i < (fixed_words != 0 ? fixed_words : words); ++i)
    if (a[i] != b[i]) return false;
  return true;
}

/// Whether the claim has moved, and has not reached an ordinary state.
bool is_of_claim(std::uint32_t holder) {
  return holder == the_program || holder == the_claim || holder == the_settling_claim;
}

/// Who has exclusive control after an event, given who had it before.
std::uint32_t after(std::uint32_t before, std::uint32_t holder) {
  const bool settles = before == the_program || before == the_settling_claim;
  return holder == the_claim && settles ? the_settling_claim : holder;
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
      out_steps_(budget),
      out_bits_(budget) {}

std::uint64_t Passage::bytes() const {
  return frames_.bytes() + states_.bytes() + events_.bytes() + table_.bytes() + out_states_.bytes() +
         out_events_.bytes() + out_steps_.bytes() + out_bits_.bytes();
}

bool Passage::follow(const Word* state, const Listed& listed, const PassageOptions& options) {
  count_ = 0;
  flags_ = 0;
  return walk(state, listed, options, nothing_wanted);
}

bool Passage::list(const Word* state, std::uint32_t ordinal, std::vector<EventId>& events) {
  const std::uint32_t most = stepper_.machine().max_successors;
  std::vector<Word> first_states(std::size_t{most} * words_);
  std::vector<EventId> first_events(most);
  const Expansion expansion = stepper_.all(state, first_states.data(), first_events.data());
  if (!walk(state, {first_states.data(), first_events.data(), expansion.count}, {}, ordinal)) return false;
  for (std::uint32_t frame = 0; frame < height_; ++frame) events.push_back(taken(frames()[frame]) & event_mask);
  return true;
}

bool Passage::walk(const Word* state, const Listed& listed, const PassageOptions& options, std::uint32_t wanted) {
  while (height_ != 0) pop();
  end_ = 0;
  state_ = state;
  options_ = options;
  wanted_ = wanted;
  passed_by_ = 0;
  found_ = false;
  if (!push(listed, anybody, 0, 0)) return false;
  switch (words_) {
    case 1: return walk<1>();
    case 2: return walk<2>();
    case 3: return walk<3>();
    case 4: return walk<4>();
    default: return walk<0>();
  }
}

/// Ends with no frame left, or with the frames of the path to the wanted entry.
template <std::uint32_t fixed_words>
bool Passage::walk() {
  while (height_ != 0 && !found_) {
    Frame& frame = top();
    if (frame.next == frame.listed.count) {
      pop();
    } else if (!take<fixed_words>(frame)) {  // L1
      return false;
    }
  }
  return true;
}

template <std::uint32_t fixed_words>
[[gnu::always_inline]] inline bool Passage::take(Frame& frame) {
  const EventId event = frame.listed.events[frame.next++];
  const std::uint32_t steps = frame.steps + stepper_.steps(event);
  const Word bits = with_bits_of(frame, event);
  if (event & misfit_flag) [[unlikely]]
    return misfit(event);
  if (options_.observer != nullptr) options_.observer->fired_inside(event);
  if (event & (fault_flag | failed_flag)) [[unlikely]] {
    if (!take_flawed(event, steps, bits)) return false;
    if (found_ || (event & fault_flag)) return true;
  }
  const Word* const state = state_after(frame);
  if (event & atomic_flag)
    return go_on<fixed_words>(state, after(frame.holder, stepper_.machine().holders[event & event_mask]), steps,
                              bits);                           // L2
  return add<fixed_words>(first_event(), state, steps, bits);  // L6
}

[[gnu::noinline]] bool Passage::take_flawed(EventId event, std::uint32_t steps, Word bits) {
  if ((event & failed_flag) && !add<0>(first_event() | fault_flag | failed_flag, nullptr, steps, bits)) return false;
  return found_ || !(event & fault_flag) || add<0>(first_event() | fault_flag, nullptr, steps, bits);
}

template <std::uint32_t fixed_words>
[[gnu::always_inline]] inline bool Passage::go_on(const Word* state, std::uint32_t holder, std::uint32_t steps,
                                                  Word bits) {
  Observer* const observer = options_.observer;
  if (observer != nullptr && ++states_seen_ % states_per_check == 0 && !observer->may_go_on()) return false;
  if (has_been_in<fixed_words>(state, holder)) [[unlikely]] {  // L4
    if (options_.counts) ++observer->counts.inner_events;
    return add<0>(first_event() | fault_flag | atomic_flag, nullptr, steps, bits);
  }
  if (!make_room()) return false;
  state = state_after(top());
  const Expansion expansion = stepper_.alone(state, holder, free_states(), free_events());
  const Listed listed{free_states(), free_events(), expansion.count};
  if (options_.depth) observer->met(state, holder, *options_.depth + steps);
  if (expansion.count == 0) {  // L5, L6
    return is_of_claim(holder) || (add<fixed_words>(first_event(), state, steps, bits) && arrive());
  }
  if (options_.counts) ++observer->counts.inner_events;
  if (expansion.flags == 0 && wanted_ == nothing_wanted) return add_all<fixed_words>(listed, steps, bits);
  return push(listed, holder, steps, bits);  // L3
}

/// Does the same as taking one event after the other, if all lead to ordinary states.
template <std::uint32_t fixed_words>
[[gnu::always_inline]] inline bool Passage::add_all(const Listed& listed, std::uint32_t steps, Word bits) {
  const EventId first = first_event();
  for (std::uint32_t i = 0; i < listed.count; ++i) {
    if (options_.observer != nullptr) options_.observer->fired_inside(listed.events[i]);
    const Word* const words = listed.successors + std::size_t{i} * words_;
    const Word last = bits_of_event_ == nullptr ? 0 : bits_of_event_[listed.events[i] & event_mask];
    if (!add<fixed_words>(first, words, steps + stepper_.steps(listed.events[i]), bits | last)) return false;
  }
  return true;
}

/// Adds the state in which the event would be fired, in place of a successor, and ends the passage.
[[gnu::noinline]] bool Passage::misfit(EventId event) {
  const bool added = add<0>(event & (event_mask | misfit_flag), state_of(height_ - 1), 0, 0);
  while (!found_ && height_ != 0) pop();
  return added;
}

template <std::uint32_t fixed_words>
[[gnu::always_inline]] inline bool Passage::add(EventId event, const Word* words, std::uint32_t steps, Word bits) {
  if (wanted_ != nothing_wanted) [[unlikely]] {
    found_ = passed_by_++ == wanted_;
    return true;
  }
  if (count_ == entries_ && !grow_entries()) [[unlikely]]
    return false;
  if (words != nullptr) {
    Word* const place = out_states_.as<Word>() + std::size_t{count_} * words_;
    for (std::uint32_t i = 0; i < (fixed_words != 0 ? fixed_words : words_); ++i) place[i] = words[i];
  }
  out_events_.as<EventId>()[count_] = event;
  out_steps_.as<std::uint32_t>()[count_] = steps;
  if (bits_of_event_ != nullptr) out_bits_.as<Word>()[count_] = bits;
  flags_ |= event & ~event_mask;
  ++count_;
  return true;
}

/// The entry that was added last is where a process with exclusive control has stopped.
[[gnu::always_inline]] inline bool Passage::arrive() {
  const Machine& machine = stepper_.machine();
  if (machine.has_arrivals() && wanted_ == nothing_wanted) [[unlikely]]
    machine.arrive(out_states_.as<Word>() + std::size_t{count_ - 1} * words_);
  return true;
}

[[gnu::noinline]] bool Passage::grow_entries() {
  const std::size_t wanted = std::max(std::size_t{64}, std::size_t{entries_} / 2 * 3);
  const auto grow_to = [this](std::size_t entries) {
    if (entries >= nothing_wanted || !out_states_.resize(entries * words_ * sizeof(Word)) ||
        !out_events_.resize(entries * sizeof(EventId)) || !out_steps_.resize(entries * sizeof(std::uint32_t)) ||
        (bits_of_event_ != nullptr && !out_bits_.resize(entries * sizeof(Word))))
      return false;
    entries_ = static_cast<std::uint32_t>(entries);
    return true;
  };
  return grow_to(wanted) || grow_to(std::size_t{entries_} + 1);
}

[[gnu::always_inline]] inline bool Passage::push(const Listed& listed, std::uint32_t holder, std::uint32_t steps,
                                                 Word bits) {
  if (height_ == nothing_wanted || !ensure(frames_, (std::size_t{height_} + 1) * sizeof(Frame))) return false;
  frames()[height_] = {listed, 0, holder, steps, bits};
  if (height_ > compared_frames && !add_to_table()) return false;
  if (++height_ != 1) end_ += listed.count;
  return true;
}

[[gnu::always_inline]] inline void Passage::pop() {
  const std::uint32_t frame = height_ - 1;
  if (frame > compared_frames) table_.remove(frame, hash(frame));
  if (--height_ != 0) end_ -= frames()[frame].listed.count;
}

[[gnu::noinline]] bool Passage::add_to_table() {
  return table_.add(height_, compared_frames + 1, [this](std::uint32_t each) { return hash(each); });
}

/// Makes room for the events of one more state.
[[gnu::always_inline]] inline bool Passage::make_room() {
  return end_ + stepper_.machine().max_successors <= room_ || grow_way();
}

[[gnu::noinline]] bool Passage::grow_way() {
  const std::size_t wanted = end_ + stepper_.machine().max_successors;
  const bool has_room = ensure(states_, wanted * words_ * sizeof(Word)) && ensure(events_, wanted * sizeof(EventId));
  room_ = std::min(states_.bytes() / (words_ * sizeof(Word)), events_.bytes() / sizeof(EventId));
  std::size_t first = 0;
  for (std::uint32_t frame = 1; frame < height_; ++frame) {  // the arrays they point to may have moved
    Listed& listed = frames()[frame].listed;
    listed.successors = states_.as<Word>() + first * words_;
    listed.events = events_.as<EventId>() + first;
    first += listed.count;
  }
  return has_room;
}

template <std::uint32_t fixed_words>
[[gnu::always_inline]] inline bool Passage::has_been_in(const Word* state, std::uint32_t holder) const {
  for (std::uint32_t frame = 1; frame < std::min(height_, compared_frames + 1); ++frame)
    if (frames()[frame].holder == holder && are_equal<fixed_words>(state, state_of(frame), words_)) return true;
  return height_ > compared_frames + 1 && is_in_table(state, holder);
}

[[gnu::noinline]] bool Passage::is_in_table(const Word* state, std::uint32_t holder) const {
  return table_.contains(hash(state, holder), [&](std::uint32_t frame) {
    return frames()[frame].holder == holder && are_equal<0>(state, state_of(frame), words_);
  });
}

std::uint64_t Passage::hash(const Word* state, std::uint32_t holder) const {
  std::uint64_t sum = holder;
  for (std::uint32_t i = 0; i < words_; ++i) sum = (sum ^ state[i]) * 0x9e3779b97f4a7c15u;
  return sum ^ (sum >> 32);
}

}  // namespace scrimp
