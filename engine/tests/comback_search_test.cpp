// The ComBack method finds what the full search finds, however narrow its hashes and however small its cache.
#include <optional>
#include <string>
#include <vector>

#include "tests/check.h"
#include "tests/grid.h"
#include "tests/obvious.h"
#include "tests/random_machine.h"
#include "tests/strategies.h"

namespace {

using namespace scrimp;
using namespace scrimp::testing;

using Parts = std::vector<ComBack::Part>;

std::vector<Parts> all_strategies() {
  using enum Keeping;
  std::vector<Parts> strategies{{}};
  for (const Keeping one : {random, fifo, heuristic, distance, level}) {
    strategies.push_back({{one, 100}});
    for (const Keeping other : {random, fifo, heuristic, distance, level})
      strategies.push_back({{one, 20}, {other, 80}});
  }
  return strategies;
}

/// All that can be told of the method, but the strategy and the width of hashes.
std::vector<ComBack> all_ways() {
  std::vector<ComBack> ways;
  for (const bool delays : {false, true})
    for (const bool queues_numbers : {false, true})
      for (const bool as_printed : {false, true})
        for (const std::uint64_t capacity : {1u, 3u, 20u, 1000u}) {
          ComBack way;
          way.delays = delays;
          way.queues_numbers = queues_numbers;
          way.as_printed = as_printed;
          way.cache.states = capacity;
          way.candidates.states = delays ? (capacity + 1) / 2 : 1;
          way.group.states = (capacity + 2) / 3;
          way.distance = 2;
          ways.push_back(way);
        }
  return ways;
}

Options with(Options options, const ComBack& comback) {
  options.comback = comback;
  return options;
}

void check_counts(const Outcome& outcome, const Outcome& full) {
  CHECK_EQUAL(std::string(name(outcome.reason)), std::string(name(full.reason)));
  CHECK_EQUAL(outcome.counts.states, full.counts.states);
  CHECK_EQUAL(outcome.counts.transitions, full.counts.transitions);
  CHECK_EQUAL(outcome.counts.matched, full.counts.matched);
  CHECK_EQUAL(outcome.counts.deadlocks, full.counts.deadlocks);
  CHECK_EQUAL(outcome.counts.faults, full.counts.faults);
  CHECK_EQUAL(outcome.counts.violations, full.counts.violations);
  CHECK_EQUAL(outcome.counts.inner_events, full.counts.inner_events);
  CHECK(outcome.counts.watch_hits == full.counts.watch_hits);
  CHECK(outcome.fired == full.fired);
}

/// Levels are distances.
void check_levels(const Outcome& outcome, const Outcome& full) {
  CHECK_EQUAL(outcome.counts.depth, full.counts.depth);
  CHECK_EQUAL(outcome.levels.size(), full.levels.size());
  for (std::size_t level = 0; level < std::min(outcome.levels.size(), full.levels.size()); ++level) {
    CHECK_EQUAL(outcome.levels[level].states, full.levels[level].states);
    CHECK_EQUAL(outcome.levels[level].transitions, full.levels[level].transitions);
  }
}

void check_same(const Outcome& outcome, const Outcome& full, const Options& options) {
  check_counts(outcome, full);
  if (options.order == Order::breadth_first && !options.comback->as_printed) check_levels(outcome, full);
}

/// Every path is possible, and where it is said to end in a deadlock, it does.
void check_findings(const Machine& machine, const Outcome& outcome, const Outcome& full) {
  CHECK_EQUAL(outcome.findings.size(), full.findings.size());
  for (const Finding& finding : outcome.findings) {
    const Walk way = walk(machine, finding.events);
    CHECK(way.possible);
    if (finding.kind == Finding::Kind::deadlock) CHECK(way.possible && events_of(machine, way.state).empty());
  }
}

/// Tries some of all combinations, others for every system.
void random_systems_are_searched_exactly(Order order) {
  const std::vector<Parts> strategies = all_strategies();
  const std::vector<ComBack> ways = all_ways();
  std::uint64_t turn = 0;
  for (const Profile& profile : profiles) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      const System system = random_system(seed, profile);
      const SystemMachine current(system);
      Options options = options_for(order);
      options.question.deadlock_is_violation = true;
      options.question.traces = 20;
      if (seed % 3 == 1) options.shuffle_seed = seed;
      const Outcome full = explore(current.machine(), options);
      for (int i = 0; i < 8; ++i, ++turn) {
        ComBack comback = ways[turn % ways.size()];
        comback.parts = strategies[turn / 3 % strategies.size()];
        comback.hash_bits = std::array{1u, 2u, 4u, 8u, 12u, 0u}[turn % 6 ^ seed % 2];
        comback.seed = seed;
        const Options tried = with(options, comback);
        const Outcome outcome = explore(current.machine(), tried);
        check_same(outcome, full, tried);
        check_findings(current.machine(), outcome, full);
      }
    }
  }
}

void random_systems_are_searched_exactly_breadth_first() { random_systems_are_searched_exactly(Order::breadth_first); }
void random_systems_are_searched_exactly_depth_first() { random_systems_are_searched_exactly(Order::depth_first); }

template <class Model>
void search_exactly(Order order, unsigned hash_bits, std::uint64_t cache, std::size_t sample) {
  const Options options = options_for(order);
  const Outcome full = explore(Model::machine(), options);
  std::size_t turn = 0;
  for (const Parts& parts : all_strategies())
    for (ComBack comback : all_ways()) {
      if (comback.cache.states != 1000 || turn++ % sample != 0) continue;
      comback.parts = parts;
      comback.hash_bits = hash_bits;
      comback.cache.states = comback.candidates.states = comback.group.states = cache;
      const Options tried = with(options, comback);
      check_same(explore(Model::machine(), tried), full, tried);
    }
}

template <std::uint32_t size, std::uint32_t counters_per_word>
using Torus = Grid<3, size, counters_per_word, Quirks{.wraps = true}>;

void a_thousand_states_with_hashes_of_four_bits() {
  search_exactly<Torus<10, 3>>(Order::breadth_first, 4, 100, 1);
  search_exactly<Torus<10, 1>>(Order::breadth_first, 4, 100, 7);
  search_exactly<Grid<3, 10>>(Order::depth_first, 4, 100, 5);
}

void ten_thousand_states_with_hashes_of_eight_bits() {
  search_exactly<Torus<21, 2>>(Order::breadth_first, 8, 1000, 11);
  search_exactly<Grid<3, 21, 2>>(Order::depth_first, 8, 1000, 61);
}

void a_hundred_thousand_states_with_hashes_of_twelve_bits() {
  search_exactly<Torus<46, 2>>(Order::breadth_first, 12, 5000, 47);
}

void wide_hashes_make_no_difference() {
  search_exactly<Torus<21, 2>>(Order::breadth_first, 0, 500, 3);
  search_exactly<Torus<21, 2>>(Order::breadth_first, 56, 500, 3);
}

void a_share_of_the_states_is_kept() {
  ComBack comback;
  comback.parts = {{Keeping::fifo, 20}, {Keeping::distance, 80}};
  comback.cache.share = 0.01;
  comback.delays = true;
  comback.candidates.share = 0.005;
  const Options options = options_for(Order::breadth_first);
  const Outcome full = explore(Torus<40, 3>::machine(), options);
  const Options tried = with(options, comback);
  const Outcome outcome = explore(Torus<40, 3>::machine(), tried);
  check_same(outcome, full, tried);
  CHECK(outcome.report.whole("reconstructions.events") != 0);
  CHECK(outcome.report.whole("reconstructions.detections") != 0);
}

void nothing_is_rebuilt_while_all_that_is_met_waits() {
  ComBack comback;
  comback.parts = {{Keeping::fifo, 100}};
  comback.cache.states = 1;
  comback.hash_bits = 56;
  const Outcome outcome = explore(Grid<3, 30>::machine(), with(options_for(Order::breadth_first), comback));
  CHECK_EQUAL(outcome.counts.states, 27'000u);
  CHECK_EQUAL(outcome.report.whole("reconstructions.events"), 0u);
}

/// With little room for descriptors the ways are long; states of the path cut them short.
void depth_first_states_are_rebuilt_from_the_path() {
  std::uint64_t events[2];
  for (const bool as_printed : {false, true}) {
    ComBack comback;
    comback.parts = {{Keeping::fifo, 100}};
    comback.cache.states = 100;
    comback.as_printed = as_printed;
    const Outcome outcome = explore(Torus<20, 3>::machine(), with(options_for(Order::depth_first), comback));
    CHECK_EQUAL(outcome.counts.states, 8'000u);
    events[as_printed] = outcome.report.whole("reconstructions.events");
  }
  CHECK(10 * events[false] < events[true]);
}

void a_budget_ends_the_search_in_order() {
  for (const bool delays : {false, true})
    for (const bool queues_numbers : {false, true})
      for (std::uint64_t kilobytes = 0; kilobytes < 9000; kilobytes += kilobytes < 64 ? 4 : 500) {
        Options options = options_for(Order::breadth_first);
        options.budget = kilobytes << 10;
        ComBack comback;
        comback.parts = {{Keeping::fifo, 80}, {Keeping::distance, 20}};
        comback.delays = delays;
        comback.queues_numbers = queues_numbers;
        const Outcome outcome = explore(Grid<3, 60, 1>::machine(), with(options, comback));
        const bool closed = outcome.reason == Reason::closed;
        CHECK_EQUAL(std::string(name(outcome.reason)), closed ? "closed" : "memory");
        CHECK_EQUAL(outcome.counts.states == 216'000, closed);
        if (kilobytes > 4500 && queues_numbers) CHECK(closed);
      }
}

}  // namespace

int main() {
  return run_all({
      TEST(random_systems_are_searched_exactly_breadth_first),
      TEST(random_systems_are_searched_exactly_depth_first),
      TEST(a_thousand_states_with_hashes_of_four_bits),
      TEST(ten_thousand_states_with_hashes_of_eight_bits),
      TEST(a_hundred_thousand_states_with_hashes_of_twelve_bits),
      TEST(wide_hashes_make_no_difference),
      TEST(a_share_of_the_states_is_kept),
      TEST(nothing_is_rebuilt_while_all_that_is_met_waits),
      TEST(depth_first_states_are_rebuilt_from_the_path),
      TEST(a_budget_ends_the_search_in_order),
  });
}
