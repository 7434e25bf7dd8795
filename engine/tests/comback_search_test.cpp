// The ComBack method finds the same as the full search, however narrow its hashes and however small its cache.
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

using Parts = std::vector<KeptShare>;
using Queue = strategy::Comback::Queue;

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

/// All options of the method except the strategy and the width of hashes.
std::vector<strategy::Comback> all_ways() {
  std::vector<strategy::Comback> ways;
  for (const bool delays : {false, true})
    for (const bool queues_numbers : {false, true})
      for (const bool as_printed : {false, true})
        for (const std::uint64_t capacity : {1u, 3u, 20u, 1000u}) {
          strategy::Comback way;
          way.delay = delays;
          way.queue = queues_numbers ? Queue::numbers : Queue::states;
          way.mode = as_printed ? Mode::paper : Mode::exact;
          way.cache = Capacity{.states = capacity};
          way.candidates = Capacity{.states = delays ? (capacity + 1) / 2 : 1};
          way.group = Capacity{.states = (capacity + 2) / 3};
          way.k = 2;
          ways.push_back(way);
        }
  return ways;
}

Options with(Options options, const strategy::Comback& comback) {
  options.method.store = comback;
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
  if (!is_depth_first(options) && std::get<strategy::Comback>(options.method.store).mode == Mode::exact)
    check_levels(outcome, full);
}

/// Every path is possible, and if it is reported to end in a deadlock, it does.
void check_findings(const Machine& machine, const Outcome& outcome, const Outcome& full) {
  CHECK_EQUAL(outcome.findings.size(), full.findings.size());
  for (const Finding& finding : outcome.findings) {
    const Walk way = walk(machine, finding.events);
    CHECK(way.possible);
    if (finding.kind == Finding::Kind::deadlock) CHECK(way.possible && events_of(machine, way.state).empty());
  }
}

/// Tries some of all combinations, different ones for every system.
void random_systems_are_searched_exactly(Order order) {
  const std::vector<Parts> strategies = all_strategies();
  const std::vector<strategy::Comback> ways = all_ways();
  constexpr std::optional<unsigned> widths[] = {1, 2, 4, 8, 12, std::nullopt};
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
        strategy::Comback comback = ways[turn % ways.size()];
        comback.strategy = strategies[turn / 3 % strategies.size()];
        comback.hash = widths[turn % 6 ^ seed % 2];
        comback.seed = seed;
        const Options tried = with(options, comback);
        const Outcome outcome = explore(current.machine(), tried);
        check_same(outcome, full, tried);
        check_findings(current.machine(), outcome, full);
      }
    }
  }
}

void random_systems_are_searched_exactly_breadth_first() {
  random_systems_are_searched_exactly(strategy::BreadthFirst{});
}
void random_systems_are_searched_exactly_depth_first() { random_systems_are_searched_exactly(strategy::DepthFirst{}); }

template <class Model>
void search_exactly(Order order, unsigned hash_bits, std::uint64_t cache, std::size_t sample) {
  const Options options = options_for(order);
  const Outcome full = explore(Model::machine(), options);
  std::size_t turn = 0;
  for (const Parts& parts : all_strategies())
    for (strategy::Comback comback : all_ways()) {
      if (comback.cache->states != 1000 || turn++ % sample != 0) continue;
      comback.strategy = parts;
      if (hash_bits != 0) comback.hash = hash_bits;
      comback.cache = comback.candidates = comback.group = Capacity{.states = cache};
      const Options tried = with(options, comback);
      check_same(explore(Model::machine(), tried), full, tried);
    }
}

template <std::uint32_t size, std::uint32_t counters_per_word>
using Torus = Grid<3, size, counters_per_word, Quirks{.wraps = true}>;

void a_thousand_states_with_hashes_of_four_bits() {
  search_exactly<Torus<10, 3>>(strategy::BreadthFirst{}, 4, 100, 1);
  search_exactly<Torus<10, 1>>(strategy::BreadthFirst{}, 4, 100, 7);
  search_exactly<Grid<3, 10>>(strategy::DepthFirst{}, 4, 100, 5);
}

void ten_thousand_states_with_hashes_of_eight_bits() {
  search_exactly<Torus<21, 2>>(strategy::BreadthFirst{}, 8, 1000, 11);
  search_exactly<Grid<3, 21, 2>>(strategy::DepthFirst{}, 8, 1000, 61);
}

void a_hundred_thousand_states_with_hashes_of_twelve_bits() {
  search_exactly<Torus<46, 2>>(strategy::BreadthFirst{}, 12, 5000, 47);
}

void wide_hashes_make_no_difference() {
  search_exactly<Torus<21, 2>>(strategy::BreadthFirst{}, 0, 500, 3);
  search_exactly<Torus<21, 2>>(strategy::BreadthFirst{}, 56, 500, 3);
}

void a_share_of_the_states_is_cached() {
  strategy::Comback comback;
  comback.strategy = {{Keeping::fifo, 20}, {Keeping::distance, 80}};
  comback.cache = Capacity{.share = 0.01};
  comback.delay = true;
  comback.queue = Queue::states;
  comback.candidates = Capacity{.share = 0.5};
  const Options options = options_for(strategy::BreadthFirst{});
  const Outcome full = explore(Torus<40, 3>::machine(), options);
  const Options tried = with(options, comback);
  const Outcome outcome = explore(Torus<40, 3>::machine(), tried);
  check_same(outcome, full, tried);
  CHECK(outcome.report.whole("reconstructions.events") != 0);
  CHECK(outcome.report.whole("reconstructions.detections") != 0);
}

void no_state_is_reconstructed_if_all_duplicates_are_queued() {
  strategy::Comback comback;
  comback.strategy = {{Keeping::fifo, 100}};
  comback.cache = Capacity{.states = 1};
  comback.hash = 56;
  comback.delay = false;
  comback.queue = Queue::states;
  const Outcome outcome = explore(Grid<3, 30>::machine(), with(options_for(strategy::BreadthFirst{}), comback));
  CHECK_EQUAL(outcome.counts.states, 27'000u);
  CHECK_EQUAL(outcome.report.whole("reconstructions.events"), 0u);
}

/// With little room for descriptors reconstructions are long; states of the path shorten them.
void depth_first_states_are_reconstructed_from_the_path() {
  std::uint64_t events[2];
  for (const bool as_printed : {false, true}) {
    strategy::Comback comback;
    comback.strategy = {{Keeping::fifo, 100}};
    comback.cache = Capacity{.states = 100};
    comback.delay = false;
    comback.mode = as_printed ? Mode::paper : Mode::exact;
    const Outcome outcome = explore(Torus<20, 3>::machine(), with(options_for(strategy::DepthFirst{}), comback));
    CHECK_EQUAL(outcome.counts.states, 8'000u);
    events[as_printed] = outcome.report.whole("reconstructions.events");
  }
  CHECK(10 * events[false] < events[true]);
}

void an_exhausted_budget_ends_the_search_cleanly() {
  for (const bool delays : {false, true})
    for (const bool queues_numbers : {false, true})
      for (std::uint64_t kilobytes = 0; kilobytes < 9000; kilobytes += kilobytes < 64 ? 4 : 500) {
        Options options = options_for(strategy::BreadthFirst{});
        options.budget = kilobytes << 10;
        strategy::Comback comback;
        comback.strategy = {{Keeping::fifo, 80}, {Keeping::distance, 20}};
        comback.delay = delays;
        comback.queue = queues_numbers ? Queue::numbers : Queue::states;
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
      TEST(a_share_of_the_states_is_cached),
      TEST(no_state_is_reconstructed_if_all_duplicates_are_queued),
      TEST(depth_first_states_are_reconstructed_from_the_path),
      TEST(an_exhausted_budget_ends_the_search_cleanly),
  });
}
