// A small system as a machine.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "core/machine.h"
#include "tests/random/system.h"

namespace scrimp::testing {

inline bool is_possible(const System& system, const Operation& operation, const Word* state) {
  using enum Operation::Kind;
  if (operation.kind == none || operation.kind == lossy_send) return true;
  const Channel& channel = system.channels[operation.channel];
  const Word length = system.fields[channel.length].get(state);
  const auto message = [&](Word position) { return system.fields[channel.messages[position]].get(state); };
  switch (operation.kind) {
    case receive: return length > 0 && (operation.any || message(0) == operation.value);
    case pick:
      for (Word i = 0; i < length; ++i)
        if (message(i) == operation.value) return true;
      return false;
    default: return length < channel.messages.size();
  }
}

/// Ignores timeouts.
inline bool is_enabled(const System& system, const Transition& transition, const Word* state) {
  for (const Move& move : transition.moves)
    if (system.fields[move.process].get(state) != move.source) return false;
  return all_hold(system, transition.guard, state) && is_possible(system, transition.operation, state);
}

/// The cells after the last message are zero, so that equal contents are equal states.
inline void operate(const System& system, const Operation& operation, const Word* state, Word* next) {
  using enum Operation::Kind;
  if (operation.kind == none) return;
  const Channel& channel = system.channels[operation.channel];
  const Field& length_field = system.fields[channel.length];
  std::array<Word, 4> messages{};
  auto end = messages.begin();
  for (Word i = 0; i < length_field.get(state); ++i) *end++ = system.fields[channel.messages[i]].get(state);
  auto position = messages.begin();
  switch (operation.kind) {
    case none: break;
    case lossy_send:
    case send:
      if (end != messages.begin() + channel.messages.size()) *end++ = operation.value;
      break;
    case sorted_send:
      position = std::upper_bound(messages.begin(), end, Word{operation.value});
      std::copy_backward(position, end, end + 1);
      *position = operation.value;
      ++end;
      break;
    case pick: position = std::find(messages.begin(), end, Word{operation.value}); [[fallthrough]];
    case receive:
      if (operation.into != no_field) system.fields[operation.into].set(next, *position);
      std::copy(position + 1, end, position);
      *--end = 0;
      break;
  }
  length_field.set(next, static_cast<Word>(end - messages.begin()));
  for (std::size_t i = 0; i < channel.messages.size(); ++i) system.fields[channel.messages[i]].set(next, messages[i]);
}

/// Writes the next state and returns the event's flags.
inline EventId fire(const System& system, const Transition& transition, const Word* state, Word* next) {
  for (std::uint32_t i = 0; i < system.words; ++i) next[i] = state[i];
  operate(system, transition.operation, state, next);
  for (const Assignment& each : transition.assignments) {
    const Word base = each.source == no_field ? 0 : system.fields[each.source].get(state);
    system.fields[each.target].set(next, base + each.value);
  }
  for (const Move& move : transition.moves) system.fields[move.process].set(next, move.target);
  const EventId flags = transition.holder == no_process ? 0 : atomic_flag;
  if (all_hold(system, transition.assertion, state)) return flags;
  return transition.is_fatal ? fault_flag : flags | failed_flag;
}

/// Is notified of what a search does with a system.
class MachineObserver {
 public:
  virtual ~MachineObserver() = default;
  virtual void expanded() = 0;
  virtual void entered(const Word* state) = 0;
  virtual void found_dead(const Word* state) = 0;
};

struct EventList {
  Word* states;
  EventId* events;
  std::uint32_t count = 0;
  EventId flags = 0;

  void add(const System& system, EventId event, const Word* state) {
    const EventId with = fire(system, system.transitions[event], state, states + count * system.words);
    flags |= with;
    events[count++] = event | with;
  }
  std::uint64_t answer() const { return std::uint64_t{flags} << 32 | count; }
};

inline void list(const System& system, const Word* state, std::uint32_t leader, bool timeouts, EventList& listing) {
  for (EventId event = 0; event < system.events(); ++event) {
    const Transition& transition = system.transitions[event];
    if (leader != anybody && transition.moves[0].process != leader) continue;
    if (transition.is_timeout == timeouts && is_enabled(system, transition, state)) listing.add(system, event, state);
  }
}

/// The result of a machine's functions `alone` and, for `anybody`, `successors`. If a process has exclusive control,
/// timeouts are not enabled.
inline std::uint64_t list_events(const System& system, const Word* state, std::uint32_t leader, Word* successors,
                                 EventId* events) {
  EventList listing{successors, events};
  list(system, state, leader, false, listing);
  if (listing.count == 0 && leader == anybody) list(system, state, leader, true, listing);
  return listing.answer();
}

inline std::uint64_t watches_hit(const System& system, const Word* state) {
  std::uint64_t hits = 0;
  for (std::size_t i = 0; i < system.watches.size(); ++i)
    hits |= std::uint64_t{all_hold(system, system.watches[i], state)} << i;
  return hits;
}

/// The machine of a system, which must outlive it.
class SystemMachine {
 public:
  explicit SystemMachine(const System& system, MachineObserver* observer = nullptr)
      : system_(system), observer_(observer) {
    word_bits_.assign(system.words, 1);
    for (const Field& field : system.fields)
      word_bits_[field.word] =
          static_cast<std::uint8_t>(std::max<int>(word_bits_[field.word], field.shift + field.bits));
    bool holds = false;
    for (const Transition& each : system.transitions) {
      holders_.push_back(each.holder == no_process ? anybody : each.holder);
      holds = holds || each.holder != no_process;
    }
    machine_ = {.words = system.words,
                .max_successors = std::max(system.events(), 1u),
                .transitions = system.events(),
                .watches = static_cast<std::uint32_t>(system.watches.size()),
                .word_bits = word_bits_.data(),
                .holders = holds ? holders_.data() : nullptr,
                .context = this,
                .functions = {.initial = initial,
                              .successors = successors,
                              .watch = watch,
                              .valid_end = valid_end,
                              .alone = holds ? alone : nullptr}};
  }
  SystemMachine(const SystemMachine&) = delete;
  SystemMachine& operator=(const SystemMachine&) = delete;

  const Machine& machine() const { return machine_; }

 private:
  static const SystemMachine& of(const void* context) { return *static_cast<const SystemMachine*>(context); }

  static void initial(const void* context, Word* state) {
    for (std::uint32_t i = 0; i < of(context).system_.words; ++i) state[i] = i == 0;
  }
  static std::uint64_t successors(const void* context, const Word* state, Word* successors, EventId* events) {
    if (of(context).observer_ != nullptr) of(context).observer_->expanded();
    return alone(context, state, anybody, successors, events);
  }
  static std::uint64_t alone(const void* context, const Word* state, std::uint32_t leader, Word* successors,
                             EventId* events) {
    return list_events(of(context).system_, state, leader, successors, events);
  }
  static std::uint64_t watch(const void* context, const Word* state) {
    if (of(context).observer_ != nullptr) of(context).observer_->entered(state);
    return watches_hit(of(context).system_, state);
  }
  static std::uint32_t valid_end(const void* context, const Word* state) {
    if (of(context).observer_ != nullptr) of(context).observer_->found_dead(state);
    return 0;
  }

  const System& system_;
  MachineObserver* const observer_;
  std::vector<std::uint8_t> word_bits_;
  std::vector<std::uint32_t> holders_;
  Machine machine_;
};

}  // namespace scrimp::testing
