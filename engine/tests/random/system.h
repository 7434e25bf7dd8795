// A small concurrent system as data: made at random or by hand, and small enough for a word or two.
//
// Processes have locations and share variables and channels. Every part of a state is a field: the location of a
// process, the value of a variable, the number of messages of a channel, each of its messages. A transition compares
// fields with numbers, operates on at most one channel, assigns to variables and moves one process or two. It reads the
// state in which it is fired, never what it has just written.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/machine.h"

namespace scrimp::testing {

using FieldId = std::uint8_t;
inline constexpr FieldId no_field = 255;
inline constexpr std::uint8_t no_process = 255;
inline constexpr std::uint8_t no_channel = 255;

/// Bit i stands for field i, for transition i, or for process i: systems are small.
using FieldSet = std::uint64_t;
using EventSet = std::uint64_t;
using ProcessSet = std::uint32_t;
inline constexpr std::uint32_t most_transitions = 64;

struct Field {
  enum class Kind : std::uint8_t { location, variable, length, message };

  Kind kind;
  std::uint8_t bits;
  std::uint8_t number;              // of the process, the variable or the channel
  std::uint8_t owner = no_process;  // of a location or a local variable
  std::uint8_t word = 0;
  std::uint8_t shift = 0;

  Word mask() const { return (Word{1} << bits) - 1; }
  Word get(const Word* state) const { return state[word] >> shift & mask(); }
  void set(Word* state, Word value) const {
    state[word] = (state[word] & ~(mask() << shift)) | (value & mask()) << shift;
  }
};

struct Comparison {
  enum class Operator : std::uint8_t { equal, unequal, less };

  FieldId field;
  Operator compare;
  std::uint8_t value;

  bool holds(Word actual) const {
    switch (compare) {
      case Operator::equal: return actual == value;
      case Operator::unequal: return actual != value;
      case Operator::less: return actual < value;
    }
    return false;
  }
};

/// Sets a variable to a number, or to the value of a field plus a number; values that are too large wrap around.
struct Assignment {
  FieldId target;
  FieldId source = no_field;
  std::uint8_t value;
};

struct Operation {
  enum class Kind : std::uint8_t {
    none,
    send,         // waits if the channel is full
    lossy_send,   // loses the message if the channel is full
    sorted_send,  // inserts before the first larger message; waits like `send`
    receive,      // the oldest message, if it is `value` or `any`
    pick,         // the oldest message that is `value`, wherever it is
  };

  Kind kind = Kind::none;
  std::uint8_t channel = no_channel;
  bool any = true;          // any message will do
  std::uint8_t value = 0;   // the message to send, or the one to receive
  FieldId into = no_field;  // the variable that receives the message

  bool operator==(const Operation&) const = default;
};

struct Move {
  std::uint8_t process;
  std::uint8_t source;
  std::uint8_t target;
};

struct Transition {
  std::vector<Move> moves;  // of one process, or of two that meet; the first leads
  std::vector<Comparison> guard;
  Operation operation;
  std::vector<Assignment> assignments;
  std::vector<Comparison> assertion;  // empty: none
  bool is_fatal = false;              // if the assertion fails, the transition has no successor
  bool is_timeout = false;            // enabled only if no other transition is, except timeouts
  std::uint8_t holder = no_process;   // the process with exclusive control after it
};

struct Channel {
  FieldId length;
  std::vector<FieldId> messages;
};

struct System {
  std::uint32_t words = 1;
  std::uint32_t processes = 0;
  std::vector<std::uint8_t> locations;  // how many, one entry per process
  std::vector<Field> fields;            // first the location of each process, then variables, then channels
  std::vector<Channel> channels;
  std::vector<Transition> transitions;           // those of one leader are consecutive, in the order of processes
  std::vector<std::vector<Comparison>> watches;  // each is hit if all its comparisons hold

  EventId events() const { return static_cast<EventId>(transitions.size()); }
};

inline bool all_hold(const System& system, const std::vector<Comparison>& comparisons, const Word* state) {
  for (const Comparison& each : comparisons)
    if (!each.holds(system.fields[each.field].get(state))) return false;
  return true;
}

/// Builds a system by hand: processes first, then variables, then channels, then `lay_out`.
inline void add_process(System& system, std::uint8_t locations) {
  const auto number = static_cast<std::uint8_t>(system.processes++);
  system.locations.push_back(locations);
  const std::uint8_t bits = locations <= 2 ? 1 : locations <= 4 ? 2 : 3;
  system.fields.push_back({Field::Kind::location, bits, number, number});
}

inline FieldId add_variable(System& system, std::uint8_t bits, std::uint8_t owner = no_process) {
  const auto id = static_cast<FieldId>(system.fields.size());
  system.fields.push_back({Field::Kind::variable, bits, static_cast<std::uint8_t>(id - system.processes), owner});
  return id;
}

inline std::uint8_t add_channel(System& system, std::uint8_t capacity, std::uint8_t message_bits) {
  const auto number = static_cast<std::uint8_t>(system.channels.size());
  Channel channel;
  channel.length = static_cast<FieldId>(system.fields.size());
  system.fields.push_back({Field::Kind::length, 2, number});
  for (std::uint8_t i = 0; i < capacity; ++i) {
    channel.messages.push_back(static_cast<FieldId>(system.fields.size()));
    system.fields.push_back({Field::Kind::message, message_bits, number});
  }
  system.channels.push_back(channel);
  return number;
}

/// Gives every field its bits, in each word in turn.
inline void lay_out(System& system) {
  std::vector<std::uint8_t> used(system.words, 0);
  used[0] = 1;
  for (std::size_t i = 0; i < system.fields.size(); ++i) {
    Field& field = system.fields[i];
    field.word = static_cast<std::uint8_t>(i % system.words);
    field.shift = used[field.word];
    used[field.word] = static_cast<std::uint8_t>(used[field.word] + field.bits);
  }
}

}  // namespace scrimp::testing
