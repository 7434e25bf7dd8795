// Random systems: the same seed and profile give the same system.
#pragma once

#include <cstdint>
#include <string_view>

#include "tests/random/system.h"

namespace scrimp::testing {

/// Sebastiano Vigna's splitmix64.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 0x1234567) {}

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
  }
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>((next() >> 32) * bound >> 32); }
  std::uint8_t between(std::uint32_t low, std::uint32_t high) {
    return static_cast<std::uint8_t>(low + below(high - low + 1));
  }
  bool chance(std::uint32_t percent) { return below(100) < percent; }

 private:
  std::uint64_t state_;
};

struct Span {
  std::uint32_t low;
  std::uint32_t high;
};

/// The sizes of systems, and the probabilities (in percent) of features of a transition.
struct Profile {
  const char* name;
  Span processes = {2, 3};
  Span locations = {2, 4};
  Span shared = {2, 3};  // variables
  Span locals = {0, 1};  // of each process
  Span transitions = {3, 6};
  std::uint32_t guards = 40;
  std::uint32_t assignments = 60;
  std::uint32_t on_locals = 20;  // of comparisons and assignments
  std::uint32_t wide = 0;        // percentage of variables with two bits
  Span channels = {0, 0};
  std::uint32_t operations = 0;
  std::uint32_t odd_operations = 0;  // of those, other than plain sending and receiving
  std::uint32_t looks = 0;  // of comparisons, those that look at a channel or at the location of another process
  std::uint32_t meetings = 0;
  std::uint32_t assertions = 0;
  std::uint32_t fatal = 50;  // of those
  std::uint32_t timeouts = 0;
  std::uint32_t holders = 0;
  std::uint32_t idle_holders = 0;  // of those, a process that has not moved
  Span watches = {0, 0};
};

inline constexpr Profile profiles[] = {
    {.name = "small"},
    {.name = "busy", .processes = {3, 4}, .locations = {2, 3}, .shared = {2, 4}, .transitions = {3, 8}, .guards = 30},
    {.name = "loose",
     .processes = {3, 4},
     .locations = {2, 4},
     .shared = {1, 2},
     .locals = {0, 1},
     .transitions = {3, 5},
     .guards = 15,
     .assignments = 25,
     .on_locals = 60},
    {.name = "apart",
     .processes = {3, 4},
     .locations = {2, 3},
     .shared = {1, 1},
     .locals = {0, 1},
     .transitions = {2, 4},
     .guards = 5,
     .assignments = 25,
     .on_locals = 90},
    {.name = "private",
     .processes = {2, 4},
     .locations = {2, 4},
     .shared = {1, 2},
     .locals = {1, 1},
     .transitions = {3, 5},
     .on_locals = 75,
     .assertions = 6,
     .watches = {0, 1}},
    {.name = "flaws",
     .locations = {2, 5},
     .locals = {0, 1},
     .transitions = {3, 7},
     .looks = 10,
     .assertions = 8,
     .watches = {0, 2}},
    {.name = "channels",
     .locations = {2, 4},
     .shared = {1, 2},
     .transitions = {3, 6},
     .guards = 30,
     .assignments = 30,
     .channels = {1, 2},
     .operations = 50,
     .odd_operations = 15,
     .looks = 20,
     .assertions = 3},
    {.name = "meetings", .locations = {2, 4}, .transitions = {3, 5}, .on_locals = 30, .looks = 10, .meetings = 30},
    {.name = "atomic",
     .locations = {2, 4},
     .transitions = {3, 5},
     .channels = {0, 1},
     .operations = 20,
     .odd_operations = 20,
     .meetings = 10,
     .assertions = 3,
     .holders = 30,
     .idle_holders = 10},
    {.name = "mixed",
     .processes = {2, 4},
     .locations = {2, 4},
     .shared = {1, 3},
     .transitions = {3, 5},
     .guards = 35,
     .assignments = 40,
     .on_locals = 40,
     .wide = 20,
     .channels = {0, 1},
     .operations = 20,
     .odd_operations = 25,
     .looks = 10,
     .meetings = 10,
     .assertions = 4,
     .timeouts = 4,
     .holders = 8,
     .idle_holders = 10,
     .watches = {0, 2}},
};

inline const Profile* profile_named(std::string_view name) {
  for (const Profile& each : profiles)
    if (name == each.name) return &each;
  return nullptr;
}

class Generator {
 public:
  Generator(std::uint64_t seed, const Profile& profile) : random_(seed), profile_(profile) {}

  System make() {
    system_.words = random_.chance(20) ? 2 : 1;
    const std::uint8_t processes = some(profile_.processes);
    for (std::uint8_t i = 0; i < processes; ++i) add_process(system_, some(profile_.locations));
    for (std::uint8_t left = some(profile_.shared); left > 0; --left) shared_.push_back(add_variable(system_, bits()));
    locals_.resize(processes);
    for (std::uint8_t i = 0; i < processes; ++i)
      for (std::uint8_t left = some(profile_.locals); left > 0; --left)
        locals_[i].push_back(add_variable(system_, bits(), i));
    for (std::uint8_t left = some(profile_.channels); left > 0; --left)
      add_channel(system_, random_.between(1, 2), random_.between(1, 2));
    lay_out(system_);
    for (std::uint8_t i = 0; i < processes; ++i) add_transitions(i);
    for (std::uint8_t left = some(profile_.watches); left > 0; --left)
      system_.watches.push_back({comparison(any_process()), comparison(any_process())});
    return std::move(system_);
  }

 private:
  std::uint8_t some(const Span& span) { return random_.between(span.low, span.high); }
  std::uint8_t bits() { return random_.chance(profile_.wide) ? 2 : 1; }
  std::uint8_t any_process() { return random_.between(0, system_.processes - 1); }

  /// Most processes start with a transition from their first location, and continue from a location that one leads to.
  void add_transitions(std::uint8_t process) {
    std::uint8_t source = 0;
    for (std::uint8_t left = some(profile_.transitions); left > 0; --left) {
      if (system_.events() == most_transitions) return;
      system_.transitions.push_back(transition(process, source));
      source = random_.chance(50) ? system_.transitions.back().moves[0].target
                                  : random_.between(0, system_.locations[process] - 1);
    }
  }

  Transition transition(std::uint8_t process, std::uint8_t source) {
    Transition made;
    made.moves.push_back({process, source, random_.between(0, system_.locations[process] - 1)});
    if (random_.chance(profile_.meetings)) add_partner(made);
    for (int tries = 0; tries < 2; ++tries)
      if (random_.chance(profile_.guards)) made.guard.push_back(comparison(process));
    if (random_.chance(profile_.operations) && !system_.channels.empty()) made.operation = operation(process);
    for (int tries = 0; tries < 2; ++tries)
      if (random_.chance(profile_.assignments / (tries + 1))) made.assignments.push_back(assignment(process));
    if (random_.chance(profile_.assertions)) made.assertion.push_back(comparison(process));
    made.is_fatal = random_.chance(profile_.fatal);
    made.is_timeout = random_.chance(profile_.timeouts);
    if (random_.chance(profile_.holders)) made.holder = holder(made);
    return made;
  }

  void add_partner(Transition& made) {
    const std::uint8_t partner = any_process();
    if (partner == made.moves[0].process) return;
    const std::uint8_t last = static_cast<std::uint8_t>(system_.locations[partner] - 1);
    made.moves.push_back({partner, random_.between(0, last), random_.between(0, last)});
  }

  std::uint8_t holder(const Transition& made) {
    if (random_.chance(profile_.idle_holders)) return any_process();
    return made.moves[random_.below(static_cast<std::uint32_t>(made.moves.size()))].process;
  }

  FieldId variable(std::uint8_t process) {
    const std::vector<FieldId>& own = locals_[process];
    const std::vector<FieldId>& from = !own.empty() && random_.chance(profile_.on_locals) ? own : shared_;
    return from[random_.below(static_cast<std::uint32_t>(from.size()))];
  }

  /// Compares a variable, the location of another process, or a channel.
  Comparison comparison(std::uint8_t process) {
    FieldId field = variable(process);
    if (random_.chance(profile_.looks)) {
      const std::uint32_t channel = random_.below(static_cast<std::uint32_t>(system_.channels.size()) + 1);
      if (channel == system_.channels.size()) {
        field = any_process();
      } else {
        field = static_cast<FieldId>(system_.channels[channel].length + random_.below(2));
      }
    }
    const auto compare = static_cast<Comparison::Operator>(random_.below(3));
    const std::uint8_t most = static_cast<std::uint8_t>(system_.fields[field].mask());
    const bool less = compare == Comparison::Operator::less;
    return {field, compare, random_.between(less ? 1 : 0, most)};
  }

  Assignment assignment(std::uint8_t process) {
    const FieldId target = variable(process);
    const std::uint8_t most = static_cast<std::uint8_t>(system_.fields[target].mask());
    switch (random_.below(4)) {
      case 0: return {target, target, 1};
      case 1: return {target, variable(process), 0};
      default: return {target, no_field, random_.between(0, most)};
    }
  }

  Operation operation(std::uint8_t process) {
    using enum Operation::Kind;
    Operation made;
    made.channel = random_.between(0, static_cast<std::uint32_t>(system_.channels.size()) - 1);
    made.kind = random_.chance(50) ? send : receive;
    if (random_.chance(profile_.odd_operations)) {
      constexpr Operation::Kind odd[] = {lossy_send, sorted_send, pick};
      made.kind = odd[random_.below(3)];
    }
    const Field& message = system_.fields[system_.channels[made.channel].messages[0]];
    made.value = random_.between(0, static_cast<std::uint32_t>(message.mask()));
    const bool receives = made.kind == receive || made.kind == pick;
    made.any = made.kind == receive && random_.chance(60);
    if (receives && random_.chance(60)) made.into = variable(process);
    return made;
  }

  Random random_;
  const Profile& profile_;
  System system_;
  std::vector<FieldId> shared_;
  std::vector<std::vector<FieldId>> locals_;
};

inline System random_system(std::uint64_t seed, const Profile& profile) { return Generator(seed, profile).make(); }

}  // namespace scrimp::testing
