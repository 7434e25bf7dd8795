// Stores that rely on hashes: with wide ones they lose nothing, with narrow ones about as much as they report.
#include <cmath>
#include <string>
#include <vector>

#include "store/bitstate_set.h"
#include "store/compact_set.h"
#include "tests/check.h"
#include "tests/grid.h"
#include "tests/random/graph.h"
#include "tests/random_machine.h"
#include "tests/store_keys.h"
#include "tests/strategies.h"

namespace {

using namespace scrimp;
using namespace scrimp::testing;

constexpr std::uint64_t plenty = std::uint64_t{64} << 20;

Options compact(Order order, unsigned bits) {
  Options options = options_for(order);
  options.method.store = strategy::Compact{bits};
  return options;
}

Options bitstate(Order order, std::uint64_t bytes, unsigned functions) {
  Options options = options_for(order);
  options.method.store = strategy::Bitstate{bytes, functions};
  return options;
}

/// Hashes so wide that no two states of our systems collide.
std::vector<Options> wide(Order order) { return {compact(order, 64), bitstate(order, 1 << 20, 7)}; }

/// Hashes so narrow that many states collide.
std::vector<Options> narrow(Order order) {
  return {compact(order, 1), compact(order, 5), compact(order, 8), bitstate(order, 64, 2), bitstate(order, 128, 5)};
}

template <class Check>
void for_random_systems(std::uint64_t systems, Check check) {
  Graph graph;
  for (const Profile& profile : profiles)
    for (std::uint64_t seed = 0; seed < systems; ++seed) {
      const System system = random_system(seed, profile);
      if (graph.explore(system, 500)) check(system);
    }
}

void check_same(const Outcome& left, const Outcome& right) {
  CHECK_EQUAL(std::string(name(left.reason)), std::string(name(right.reason)));
  CHECK_EQUAL(left.counts.states, right.counts.states);
  CHECK_EQUAL(left.counts.transitions, right.counts.transitions);
  CHECK_EQUAL(left.counts.matched, right.counts.matched);
  CHECK_EQUAL(left.counts.deadlocks, right.counts.deadlocks);
  CHECK_EQUAL(left.counts.violations, right.counts.violations);
  CHECK_EQUAL(left.counts.depth, right.counts.depth);
  CHECK_EQUAL(left.levels.size(), right.levels.size());
  CHECK_EQUAL(left.findings.size(), right.findings.size());
}

void with_wide_hashes_a_search_is_the_full_one() {
  for_random_systems(60, [](const System& system) {
    const SystemMachine current(system);
    for (const Order order : orders) {
      const Outcome full = explore(current.machine(), options_for(order));
      for (const Options& options : wide(order)) check_same(explore(current.machine(), options), full);
    }
  });
}

void states_of_every_length_are_hashed() {
  const auto check = [](const Machine& machine, std::uint64_t states) {
    for (const Order order : orders)
      for (const Options& options : wide(order)) CHECK_EQUAL(explore(machine, options).counts.states, states);
  };
  check(Grid<3, 16>::machine(), 4096);
  check(Grid<4, 10, 2>::machine(), 10'000);
  check(Grid<3, 16, 1>::machine(), 4096);
  check(Grid<4, 8, 1>::machine(), 4096);
  check(Grid<5, 6, 1>::machine(), 7776);
}

void with_wide_hashes_a_reduced_search_is_the_exact_one() {
  for_random_systems(30, [](const System& system) {
    const SystemMachine current(system);
    const Relations relations = relations_of(system);
    for (const ReductionPart& selecting : {local, overman, stubborn})
      for (const SleepMemory sleeping : {SleepMemory::none, SleepMemory::on_path}) {
        const auto reduced = [&](Options options) {
          options.method.reduction = {selecting, sleep_sets(sleeping)};
          options.relations = &relations;
          return explore(current.machine(), options);
        };
        const Outcome exact = reduced(options_for(strategy::DepthFirst{}));
        for (const Options& options : wide(strategy::DepthFirst{})) check_same(reduced(options), exact);
      }
  });
}

/// Whether the events can be fired one after the other from the initial state; the last may be a fault.
bool follows(const Machine& machine, const std::vector<EventId>& path) {
  std::vector<Word> state(machine.words), successors(machine.words * machine.max_successors);
  std::vector<EventId> events(machine.max_successors);
  machine.initial(state.data());
  for (const EventId event : path) {
    const auto count = static_cast<std::uint32_t>(machine.successors(state.data(), successors.data(), events.data()));
    std::uint32_t i = 0;
    while (i < count && (events[i] & event_mask) != event) ++i;
    if (i == count) return false;
    state.assign(&successors[i * machine.words], &successors[(i + 1) * machine.words]);
  }
  return true;
}

void with_narrow_hashes_states_are_missed_but_every_path_is_real() {
  using Torus = Grid<2, 30, 2, Quirks{.faulty_at = 7, .watched_at = 3, .wraps = true}>;
  for (const Order order : orders) {
    const Outcome full = explore(Torus::machine(), options_for(order));
    for (Options options : narrow(order)) {
      options.question.violation_watches = 3;
      const Outcome outcome = explore(Torus::machine(), options);
      CHECK_EQUAL(std::string(name(outcome.reason)), "closed");
      CHECK(outcome.counts.states < full.counts.states);
      CHECK(outcome.report.real("expected_omissions") > 0);
      CHECK_EQUAL(outcome.findings.size(), outcome.counts.violations);
      for (const Finding& finding : outcome.findings) CHECK(follows(Torus::machine(), finding.events));
    }
  }
}

void with_narrow_hashes_counts_are_consistent() {
  for_random_systems(30, [](const System& system) {
    const SystemMachine current(system);
    const Outcome full = explore(current.machine(), options_for(strategy::BreadthFirst{}));
    for (const Order order : orders)
      for (const Options& options : narrow(order)) {
        const Outcome outcome = explore(current.machine(), options);
        CHECK(outcome.counts.states <= full.counts.states);
        CHECK(outcome.counts.deadlocks <= full.counts.deadlocks);
        CHECK(outcome.counts.violations <= full.counts.violations);
        std::uint64_t in_levels = 0;
        for (const Level& level : outcome.levels) in_levels += level.states;
        if (std::holds_alternative<strategy::BreadthFirst>(order)) CHECK_EQUAL(in_levels, outcome.counts.states);
      }
  });
}

struct Tally {
  double lost = 0, expected = 0;
};

/// Inserts `count` new states, beginning with number `first`.
template <class Set, class Parameters>
void lose_some(const Parameters& parameters, std::uint64_t first, std::uint64_t count, Tally& tally) {
  const Layout layout({64, 40});
  Budget budget(plenty);
  Set set(layout.machine(), parameters, budget);
  for (std::uint64_t i = 0; i < count; ++i)
    if (set.insert(scattered(layout, first + i).data()) == Insertion::known) ++tally.lost;
  tally.expected += set.expected_omissions();
}

/// The number of states lost varies by about its square root.
void check_near(const Tally& tally) {
  CHECK(tally.lost > 1000);
  CHECK(std::abs(tally.lost - tally.expected) < 4 * std::sqrt(tally.lost) + 0.01 * tally.lost);
}

void hash_collisions_are_as_frequent_as_expected() {
  for (const auto& [bits, count] : {std::pair{24u, 30'000u}, {16u, 9'000u}, {12u, 1'500u}, {8u, 200u}}) {
    Tally tally;
    for (std::uint64_t sample = 0; sample < 100; ++sample)
      lose_some<CompactSet<2>>(strategy::Compact{bits}, sample * count, count, tally);
    check_near(tally);
  }
}

void bitstate_losses_are_as_frequent_as_expected() {
  for (const unsigned functions : {1u, 3u, 7u, 15u})
    for (const std::uint64_t bytes : {64u, 1024u, 16'384u}) {
      Tally tally;
      for (std::uint64_t sample = 0; tally.lost < 2000; ++sample)
        lose_some<BitstateSet<2>>(strategy::Bitstate{bytes, functions}, sample * bytes, bytes, tally);
      check_near(tally);
    }
}

void small_expectations_are_not_lost_to_rounding() {
  const Layout layout({64});
  Budget budget(plenty);
  CompactSet<1> set(layout.machine(), strategy::Compact{64}, budget);
  CHECK_EQUAL(set.expected_omissions(), 0.0);
  for (std::uint64_t i = 0; i < 1000; ++i) set.insert(counted(layout, i).data());
  const double expected = 1000.0 * 999 / 2 / std::ldexp(1.0, 64);
  CHECK(std::abs(set.expected_omissions() / expected - 1) < 1e-9);
}

/// The search loses the states that it took for known, and those reachable only through them.
void searches_lose_at_least_the_expected_states_and_little_more() {
  for (const Order order : orders) {
    Tally compacted, bits;
    for_random_systems(300, [&](const System& system) {
      const SystemMachine current(system);
      const auto full = static_cast<double>(explore(current.machine(), options_for(order)).counts.states);
      const auto add = [&](const Options& options, Tally& tally) {
        const Outcome outcome = explore(current.machine(), options);
        tally.lost += full - static_cast<double>(outcome.counts.states);
        tally.expected += outcome.report.real("expected_omissions");
      };
      add(compact(order, 12), compacted);
      add(bitstate(order, 256, 3), bits);
    });
    for (const Tally& tally : {compacted, bits}) {
      CHECK(tally.lost > 0.8 * tally.expected);
      CHECK(tally.lost < 2 * tally.expected);
    }
  }
}

template <class Set, class Parameters>
void insert_in_every_way(const Parameters& parameters) {
  const Layout layout({40, 40});
  Budget budgets[3] = {Budget(plenty), Budget(plenty), Budget(plenty)};
  Set singly(layout.machine(), parameters, budgets[0]);
  Set in_blocks(layout.machine(), parameters, budgets[1]);
  Set prepared(layout.machine(), parameters, budgets[2]);
  std::uint64_t number = 0;
  for (std::uint32_t size = 1; size < 900; size = size * 3 / 2 + 1) {
    std::vector<Word> states;
    for (std::uint32_t i = 0; i < size; ++i, ++number) {
      const State state = scattered(layout, number / 2);
      states.insert(states.end(), state.begin(), state.end());
    }
    std::vector<Insertion> results(size);
    std::vector<Word> keys(size);
    in_blocks.insert(states.data(), size, results.data());
    prepared.prepare(states.data(), size, keys.data());
    for (std::uint32_t i = 0; i < size; ++i) {
      CHECK(singly.insert(&states[2 * i]) == results[i]);
      CHECK(prepared.visit(&states[2 * i], keys[i]).insertion == results[i]);
    }
  }
  CHECK_EQUAL(singly.size(), in_blocks.size());
  CHECK_EQUAL(singly.expected_omissions(), prepared.expected_omissions());
  CHECK(singly.bytes() <= budgets[0].held() + 4096);
}

void a_full_bit_table_reports_a_finite_large_loss() {
  const Layout layout({64});
  Budget budget(plenty);
  BitstateSet<1> set(layout.machine(), strategy::Bitstate{4096, 28}, budget);
  for (std::uint64_t i = 0; i < 100'000; ++i) set.insert(scattered(layout, i).data());
  const State unseen = scattered(layout, 100'000);
  CHECK(set.insert(unseen.data()) == Insertion::known);
  CHECK(std::isfinite(set.expected_omissions()) && set.expected_omissions() > 1000);
}

void all_ways_of_inserting_agree() {
  for (const unsigned bits : {3u, 10u, 33u, 64u}) insert_in_every_way<CompactSet<2>>(strategy::Compact{bits});
  for (const unsigned functions : {1u, 8u, 28u})
    insert_in_every_way<BitstateSet<0>>(strategy::Bitstate{4096, functions});
}

void a_bit_table_takes_the_given_size_or_three_quarters_of_the_budget() {
  const Layout layout({20});
  Budget budget(std::uint64_t{1} << 20);
  CHECK_EQUAL(BitstateSet<1>(layout.machine(), strategy::Bitstate{65'536, 3}, budget).bytes(), 65'536u);
  CHECK_EQUAL(BitstateSet<1>(layout.machine(), strategy::Bitstate{std::nullopt, 3}, budget).bytes(), 3u << 18);
}

void without_memory_the_search_ends_with_that_reason() {
  for (const Order order : orders)
    for (Options options : wide(order)) {
      options.budget = 0;
      CHECK_EQUAL(std::string(name(explore(Grid<3, 16>::machine(), options).reason)), "memory");
    }
  Options options = bitstate(strategy::BreadthFirst{}, std::uint64_t{512} << 20, 3);
  CHECK_EQUAL(std::string(name(explore(Grid<3, 16>::machine(), options).reason)), "memory");
}

}  // namespace

int main() {
  return run_all({
      TEST(with_wide_hashes_a_search_is_the_full_one),
      TEST(states_of_every_length_are_hashed),
      TEST(with_wide_hashes_a_reduced_search_is_the_exact_one),
      TEST(with_narrow_hashes_states_are_missed_but_every_path_is_real),
      TEST(with_narrow_hashes_counts_are_consistent),
      TEST(hash_collisions_are_as_frequent_as_expected),
      TEST(bitstate_losses_are_as_frequent_as_expected),
      TEST(small_expectations_are_not_lost_to_rounding),
      TEST(searches_lose_at_least_the_expected_states_and_little_more),
      TEST(a_full_bit_table_reports_a_finite_large_loss),
      TEST(all_ways_of_inserting_agree),
      TEST(a_bit_table_takes_the_given_size_or_three_quarters_of_the_budget),
      TEST(without_memory_the_search_ends_with_that_reason),
  });
}
