// Whatever store a search has, its transcript is the LTS: each number stands for a state and has exactly that state's
// transitions; if no state is forgotten, each state has one number.
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/check.h"
#include "tests/grid.h"
#include "tests/obvious.h"
#include "tests/random_machine.h"
#include "tests/strategies.h"

namespace {

using namespace scrimp;
using namespace scrimp::testing;

using Way = std::vector<EventId>;
using Number = std::uint64_t;

/// The output of a search.
struct Written {
  Outcome outcome;
  std::map<Number, std::map<Way, Number>> after;
  std::uint64_t transitions = 0;
  std::uint64_t voided = 0;

  std::uint64_t states() const { return outcome.counts.states - voided; }
};

Written write(const Machine& machine, Options options) {
  Written written;
  std::vector<Way> ways;
  options.scribe = [&](const Transcribed& some) {
    ways.insert(ways.end(), some.ways.begin(), some.ways.end());
    if (some.voided != 0) {
      written.after.clear();
      written.transitions = 0;
      written.voided = some.voided;
    }
    for (std::size_t i = 0; i < some.count; ++i) {
      const EventId label = some.labels[i];
      const Way way = label < machine.transitions ? Way{label} : ways[label - machine.transitions];
      written.after[some.sources[i]][way] = some.targets[i];
    }
    written.transitions += some.count;
    return true;
  };
  written.outcome = explore(machine, options);
  return written;
}

/// Finds the state that each number stands for. Returns the number of distinct states.
std::uint64_t check_written(const Machine& machine, Written& written) {
  Obvious obvious(machine);
  State initial(machine.words);
  machine.initial(initial.data());
  std::map<Number, State> stands_for{{0, initial}};
  std::uint64_t transitions = 0;
  for (std::deque<Number> left{0}; !left.empty(); left.pop_front()) {
    const std::map<Way, State> expected = obvious.ways_from(stands_for[left.front()]);
    const std::map<Way, Number>& found = written.after[left.front()];
    CHECK_EQUAL(found.size(), expected.size());
    for (const auto& [way, target] : found) {
      const auto state = expected.find(way);
      if (state == expected.end()) return CHECK(!"it has a transition that the state does not have"), 0;
      const auto [place, is_new] = stands_for.try_emplace(target, state->second);
      CHECK(place->second == state->second);
      if (is_new) left.push_back(target);
    }
    transitions += found.size();
  }
  CHECK_EQUAL(transitions, written.transitions);
  CHECK_EQUAL(stands_for.size(), written.states());
  CHECK_EQUAL(stands_for.rbegin()->first + 1, written.states());
  std::set<State> states;
  for (const auto& [number, state] : stands_for) states.insert(state);
  return states.size();
}

void check_exact(const Machine& machine, const Options& options, const Outcome& full) {
  Written written = write(machine, options);
  CHECK_EQUAL(std::string(name(written.outcome.reason)), "closed");
  CHECK_EQUAL(written.outcome.counts.states, full.counts.states);
  CHECK_EQUAL(written.outcome.counts.transitions, full.counts.transitions);
  CHECK_EQUAL(written.outcome.counts.deadlocks, full.counts.deadlocks);
  CHECK_EQUAL(check_written(machine, written), full.counts.states);
}

/// A configuration that depends on reconstructions: narrow hashes, hardly a descriptor.
Options narrow_comback(Order order, bool delays, std::uint64_t seed) {
  Options options = comback_options_for(order, delays);
  auto& comback = std::get<strategy::Comback>(options.method.store);
  comback.hash = 1 + seed % 5;
  comback.cache = Capacity{.states = 1 + seed % 7};
  comback.candidates = Capacity{.states = 1 + seed % 4};
  comback.group = Capacity{.states = 1 + seed % 3};
  return options;
}

Options pseudoroot(Order order, strategy::Pseudoroot::Next next, std::optional<std::uint64_t> states = {}) {
  Options options = options_for(order);
  options.method.store = strategy::Pseudoroot{
      .source = strategy::Pseudoroot::Source::counted, .next = next, .states = states, .counters = 1 << 12};
  return options;
}

/// All methods that forget no state, or only states that are never met again.
std::vector<Options> exact_ways() {
  std::vector<Options> ways;
  for_every_strategy([&](const Options& options) { ways.push_back(options); });
  for (const Order order : orders) ways.push_back(pseudoroot(order, strategy::Pseudoroot::Next::arrival));
  ways.push_back(pseudoroot(strategy::BreadthFirst{}, strategy::Pseudoroot::Next::fewest));
  return ways;
}

std::vector<Options> exact_ways_and_narrow_ones(std::uint64_t seed) {
  std::vector<Options> ways = exact_ways();
  for (const Order order : orders)
    for (const bool delays : {false, true}) ways.push_back(narrow_comback(order, delays, seed));
  return ways;
}

void random_systems_are_written_exactly() {
  for (const Profile& profile : profiles)
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      const System system = random_system(seed, profile);
      const SystemMachine current(system);
      const Outcome full = explore(current.machine(), options_for(strategy::BreadthFirst{}));
      for (Options options : exact_ways_and_narrow_ones(seed)) {
        options.question.traces = seed % 2;
        if (seed % 3 == 1) options.shuffle_seed = seed;
        check_exact(current.machine(), options, full);
      }
    }
}

void states_that_pseudoroot_discards_are_written_again() {
  std::uint64_t repeated = 0, restarts = 0;
  for (const Profile& profile : profiles)
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      const System system = random_system(seed, profile);
      const SystemMachine current(system);
      const std::uint64_t states = explore(current.machine(), options_for(strategy::BreadthFirst{})).counts.states;
      if (states > 60) continue;  // there may be exponentially many visits
      for (const Order order : orders)
        for (const std::uint64_t room : {states / 3 + 2, states / 2 + 2}) {
          Written written = write(current.machine(), pseudoroot(order, strategy::Pseudoroot::Next::arrival, room));
          if (written.outcome.reason != Reason::closed) continue;  // the path alone needs more
          CHECK_EQUAL(check_written(current.machine(), written), states);
          repeated += written.states() > states;
          restarts += written.voided != 0;
        }
    }
  CHECK(repeated > 20);
  CHECK(restarts > 20);
}

void a_larger_machine_is_written_exactly() {
  const Machine& machine = Grid<3, 14, 2>::machine();
  const Outcome full = explore(machine, options_for(strategy::BreadthFirst{}));
  for (const Options& options : exact_ways_and_narrow_ones(4)) check_exact(machine, options, full);
}

void a_scribe_that_fails_ends_the_search() {
  for (Options options : exact_ways()) {
    options.scribe = [](const Transcribed&) { return false; };
    const Outcome found = explore(Grid<3, 24, 2>::machine(), options);
    CHECK_EQUAL(std::string(name(found.reason)), "disk");
  }
}

void without_memory_the_search_ends_with_that_reason() {
  for (Options options : exact_ways()) {
    options.budget = std::uint64_t{1} << 18;
    CHECK_EQUAL(std::string(name(write(Grid<3, 60, 2>::machine(), options).outcome.reason)), "memory");
  }
}

}  // namespace

int main() {
  return run_all({
      TEST(random_systems_are_written_exactly),
      TEST(states_that_pseudoroot_discards_are_written_again),
      TEST(a_larger_machine_is_written_exactly),
      TEST(a_scribe_that_fails_ends_the_search),
      TEST(without_memory_the_search_ends_with_that_reason),
  });
}
