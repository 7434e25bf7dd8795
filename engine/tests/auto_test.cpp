// Searches whose set changes its representation: their results are those of a search that keeps plain words.
#include <algorithm>
#include <array>
#include <string>

#include "tests/check.h"
#include "tests/grid.h"
#include "tests/outcome_text.h"
#include "tests/random_machine.h"
#include "tests/scrambled.h"
#include "tests/strategies.h"

namespace {

using namespace scrimp;
using namespace scrimp::testing;

constexpr std::uint64_t plenty = std::uint64_t{1} << 30;

/// Each change is made after so many states; 0 for the disk means that there is none.
void expect_results_of_full(const Machine& machine, Options options) {
  options.worth_sharing = 1;
  options.method.store = strategy::Full{};
  const std::string expected = text_of(explore(machine, options));
  options.method.store = strategy::Auto{};
  for (const std::uint64_t disk : {std::uint64_t{0}, plenty})
    for (const std::uint64_t change_after : {0u, 1u, 40u})
      for (const std::uint32_t threads : {1u, 2u, 3u}) {
        options.disk = disk;
        options.change_after = change_after;
        options.threads = threads;
        CHECK_EQUAL(text_of(explore(machine, options)), expected);
      }
}

void all_states_levels_and_events_are_the_same() {
  const Options options = options_for(strategy::BreadthFirst{});
  expect_results_of_full(Grid<4, 5, 2>::machine(), options);
  expect_results_of_full(Grid<5, 4, 1>::machine(), options);
  expect_results_of_full(Grid<3, 8, 3, Quirks{.watched_at = 5, .wraps = true}>::machine(), options);
}

void the_first_violations_and_their_paths_are_the_same() {
  Options options = options_for(strategy::BreadthFirst{});
  for (const std::uint64_t wanted : {1u, 5u, 1000u}) {
    options.question.stop_after = wanted;
    options.question.traces = wanted;
    options.question.deadlock_is_violation = true;
    expect_results_of_full(Grid<3, 7, 1, Quirks{.faulty_at = 4}>::machine(), options);
    options.question.violation_watches = 2;
    expect_results_of_full(Grid<3, 7, 3, Quirks{.watched_at = 4}>::machine(), options);
    options.question.violation_watches = 0;
  }
}

void goals_misfits_and_depth_limits_are_the_same() {
  Options options = options_for(strategy::BreadthFirst{});
  expect_results_of_full(Grid<3, 12, 1, Quirks{.misfit_at = 3}>::machine(), options);
  options.limits.depth = 9;
  expect_results_of_full(Grid<3, 8, 2>::machine(), options);
  options.limits.depth = 0;
  options.question.goal_watches = 3;
  options.question.traces = 0;
  expect_results_of_full(Grid<3, 8, 3, Quirks{.watched_at = 5}>::machine(), options);
}

void random_systems_have_the_same_results() {
  for (const Profile& profile : profiles)
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      const testing::System system = random_system(seed, profile);
      const SystemMachine current(system);
      Options options = options_for(strategy::BreadthFirst{});
      options.question.deadlock_is_violation = true;
      (seed == 0 ? options.question.violation_watches : options.question.goal_watches) = 1;
      options.question.stop_after = seed == 0 ? 0 : 3;
      if (seed == 1) options.shuffle_seed = seed;
      expect_results_of_full(current.machine(), options);
    }
}

/// States of more than 64 bits are not packed.
Machine widened(Machine machine) {
  static constexpr std::array<std::uint8_t, 5> all{64, 64, 64, 64, 64};
  machine.word_bits = all.data();
  return machine;
}

void wide_states_have_the_same_results() {
  Options options = options_for(strategy::BreadthFirst{});
  expect_results_of_full(widened(Grid<5, 4, 1>::machine()), options);
  expect_results_of_full(widened(Grid<4, 5, 2>::machine()), options);
  options.question.stop_after = 3;
  options.question.deadlock_is_violation = true;
  expect_results_of_full(widened(Grid<3, 7, 1, Quirks{.faulty_at = 4}>::machine()), options);
}

void random_systems_with_wide_states_have_the_same_results() {
  for (const Profile& profile : profiles)
    for (std::uint64_t seed = 3; seed < 6; ++seed) {
      testing::System system = random_system(seed, profile);
      system.words = seed % 2 == 0 ? 2 : 4;
      lay_out(system);
      const SystemMachine current(system);
      Options options = options_for(strategy::BreadthFirst{});
      options.question.goal_watches = 1;
      options.question.stop_after = seed == 3 ? 0 : 3;
      expect_results_of_full(widened(current.machine()), options);
    }
}

const Scrambled narrow({.nodes = 3'000'000, .words = 1});
const Scrambled wide({.nodes = 400'000, .words = 4});
const Scrambled very_wide({.nodes = 60'000, .words = 24});
const Scrambled widest({.nodes = 60'000, .words = 64});

Options small_budget(std::uint64_t disk, std::uint32_t threads) {
  Options options = options_for(strategy::BreadthFirst{});
  options.method.store = strategy::Auto{};
  options.budget = std::uint64_t{6} << 20;
  options.disk = disk;
  options.threads = threads;
  options.worth_sharing = 250;
  return options;
}

void expect_all_states_within(std::uint64_t budget, const Scrambled& system, std::uint32_t most_successors = 0) {
  for (const std::uint32_t threads : {1u, 2u}) {
    Options options = small_budget(plenty, threads);
    options.budget = budget;
    Machine machine = system.machine();
    machine.max_successors = std::max(machine.max_successors, most_successors);
    const Outcome outcome = explore(machine, options);
    CHECK(outcome.held_peak <= options.budget);
    CHECK_EQUAL(name(outcome.reason), std::string("closed"));
    CHECK_EQUAL(outcome.counts.states, system.states());
    CHECK_EQUAL(outcome.counts.transitions, system.transitions());
    CHECK(outcome.report.whole("auto.cleary_at") != 0);
    CHECK(outcome.report.whole("auto.disk_at") != 0);
  }
}

void a_search_goes_on_within_a_small_budget_if_it_has_a_disk() {
  expect_all_states_within(std::uint64_t{6} << 20, narrow);
}

void a_search_goes_on_with_wide_states_that_have_nothing_in_common() {
  expect_all_states_within(std::uint64_t{6} << 20, wide);
}

/// Tables of their parts would take three times as much as the states themselves.
void states_of_24_words_that_have_nothing_in_common_need_no_more_than_others() {
  expect_all_states_within(std::uint64_t{4} << 20, very_wide);
  expect_all_states_within(std::uint64_t{8} << 20, very_wide);
}

/// A block of successors takes five mebibytes, and so does that of a second thread.
void a_second_thread_takes_no_memory_that_candidates_need() {
  for (const std::uint64_t mebibytes : {18, 20, 28}) expect_all_states_within(mebibytes << 20, widest, 10'000);
}

void without_a_disk_it_ends_for_memory() {
  for (const Scrambled* const system : {&narrow, &wide, &very_wide})
    for (const std::uint32_t threads : {1u, 3u}) {
      const Outcome outcome = explore(system->machine(), small_budget(0, threads));
      CHECK_EQUAL(name(outcome.reason), std::string("memory"));
      CHECK_EQUAL(outcome.report.whole("auto.disk_at"), 0u);
    }
}

void a_full_disk_ends_a_search() {
  const Outcome outcome = explore(narrow.machine(), small_budget(300'000, 2));
  CHECK_EQUAL(name(outcome.reason), std::string("disk"));
  CHECK_EQUAL(outcome.report.whole("disk.exhausted"), 1u);
  CHECK(outcome.report.whole("disk.bytes_peak") <= 300'000u);
}

}  // namespace

int main() {
  return run_all({
      TEST(all_states_levels_and_events_are_the_same),
      TEST(the_first_violations_and_their_paths_are_the_same),
      TEST(goals_misfits_and_depth_limits_are_the_same),
      TEST(random_systems_have_the_same_results),
      TEST(wide_states_have_the_same_results),
      TEST(random_systems_with_wide_states_have_the_same_results),
      TEST(a_search_goes_on_within_a_small_budget_if_it_has_a_disk),
      TEST(a_search_goes_on_with_wide_states_that_have_nothing_in_common),
      TEST(states_of_24_words_that_have_nothing_in_common_need_no_more_than_others),
      TEST(a_second_thread_takes_no_memory_that_candidates_need),
      TEST(without_a_disk_it_ends_for_memory),
      TEST(a_full_disk_ends_a_search),
  });
}
