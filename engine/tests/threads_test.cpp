// Searches by several threads: their results are those of one thread, down to every path.
#include <atomic>
#include <new>
#include <string>
#include <vector>

#include "search/shards/workers.h"
#include "tests/check.h"
#include "tests/grid.h"
#include "tests/outcome_text.h"
#include "tests/random_machine.h"
#include "tests/strategies.h"

namespace {

using namespace scrimp;
using namespace scrimp::testing;

constexpr std::uint32_t thread_counts[] = {2, 3};

void every_item_of_a_phase_is_done_once() {
  for (const unsigned count : {1u, 2u, 5u, 16u}) {
    Workers workers(count);
    for (std::uint32_t items = 0; items < 200; ++items) {
      std::vector<std::atomic<int>> done(items);
      workers.share(items, [&](unsigned worker, std::uint32_t item) {
        CHECK(worker < count);
        ++done[item];
      });
      for (const std::atomic<int>& each : done) CHECK_EQUAL(each.load(), 1);
    }
  }
}

void a_phase_sees_what_the_one_before_it_wrote() {
  Workers workers(4);
  std::vector<std::uint64_t> values(64, 0);
  for (std::uint32_t round = 0; round < 2000; ++round) {
    std::vector<std::uint64_t> next(values.size());
    workers.share(64, [&](unsigned, std::uint32_t item) { next[item] = values[(item + 1) % 64] + 1; });
    values.swap(next);
  }
  for (const std::uint64_t value : values) CHECK_EQUAL(value, 2000u);
}

void an_exception_in_a_phase_reaches_the_caller() {
  Workers workers(3);
  for (int round = 0; round < 100; ++round) {
    bool was_caught = false;
    try {
      workers.share(50, [&](unsigned, std::uint32_t item) {
        if (item == 17) throw std::bad_alloc();
      });
    } catch (const std::bad_alloc&) {
      was_caught = true;
    }
    CHECK(was_caught);
    std::atomic<int> done{0};
    workers.share(50, [&](unsigned, std::uint32_t) { ++done; });
    CHECK_EQUAL(done.load(), 50);
  }
}

std::vector<Store> stores() {
  return {strategy::Full{Compress::none}, strategy::Full{Compress::tree}, strategy::Full{Compress::cleary},
          strategy::Compact{}, strategy::Bitstate{1 << 20, 3}};
}

/// Rounds of a few states are shared, so that small systems have many.
Options shared_options(const Store& store) {
  Options options = options_for(strategy::BreadthFirst{});
  options.method.store = store;
  options.worth_sharing = 1;
  return options;
}

void expect_same_results(const Machine& machine, Options options) {
  options.threads = 1;
  const std::string alone = text_of(explore(machine, options));
  for (const std::uint32_t threads : thread_counts) {
    options.threads = threads;
    CHECK_EQUAL(text_of(explore(machine, options)), alone);
  }
}

template <class Vary>
void for_every_store(Vary vary) {
  for (const Store& store : stores()) vary(shared_options(store));
}

void all_states_levels_and_events_are_the_same() {
  for_every_store([](const Options& options) {
    expect_same_results(Grid<4, 5, 2>::machine(), options);
    expect_same_results(Grid<5, 4, 1>::machine(), options);
    expect_same_results(Grid<3, 8, 3, Quirks{.watched_at = 5, .wraps = true}>::machine(), options);
  });
}

void more_threads_than_pieces_find_the_same() {
  for_every_store([](Options options) {
    const Machine machine = Grid<3, 7, 2>::machine();
    const std::string alone = text_of(explore(machine, options));
    options.threads = 16;
    CHECK_EQUAL(text_of(explore(machine, options)), alone);
  });
}

void the_first_violations_and_their_paths_are_the_same() {
  for_every_store([](Options options) {
    for (const std::uint64_t wanted : {1u, 5u, 1000u}) {
      options.question.stop_after = wanted;
      options.question.traces = wanted;
      options.question.deadlock_is_violation = true;
      expect_same_results(Grid<3, 7, 1, Quirks{.faulty_at = 4}>::machine(), options);
      options.question.violation_watches = 2;
      expect_same_results(Grid<3, 7, 3, Quirks{.watched_at = 4}>::machine(), options);
      options.question.violation_watches = 0;
    }
  });
}

void goals_are_reached_by_the_same_paths() {
  for_every_store([](Options options) {
    options.question.goal_watches = 3;
    options.question.traces = 0;
    expect_same_results(Grid<3, 8, 3, Quirks{.watched_at = 5}>::machine(), options);
  });
}

void the_same_value_does_not_fit() {
  for_every_store(
      [](const Options& options) { expect_same_results(Grid<3, 12, 1, Quirks{.misfit_at = 3}>::machine(), options); });
}

void the_depth_limit_cuts_the_same_states() {
  for_every_store([](Options options) {
    options.limits.depth = 9;
    expect_same_results(Grid<3, 8, 2>::machine(), options);
  });
}

void random_systems_have_the_same_results() {
  for (const Profile& profile : profiles)
    for (std::uint64_t seed = 0; seed < 2; ++seed) {
      const testing::System system = random_system(seed, profile);
      const SystemMachine current(system);
      for_every_store([&](Options options) {
        options.question.deadlock_is_violation = true;
        (seed == 0 ? options.question.violation_watches : options.question.goal_watches) = 1;
        options.question.stop_after = seed == 0 ? 0 : 3;
        if (seed == 1) options.shuffle_seed = seed;
        expect_same_results(current.machine(), options);
      });
    }
}

/// Whatever the size of the rounds: they end the search at other places, but not before everything is found.
void the_size_of_rounds_does_not_matter_to_a_search_that_ends_by_itself() {
  for_every_store([](Options options) {
    const Machine machine = Grid<3, 9, 2>::machine();
    const std::string expected = text_of(explore(machine, options));
    options.threads = 3;
    for (const std::uint64_t worth : {7u, 100u, 1'000'000u}) {
      options.worth_sharing = worth;
      CHECK_EQUAL(text_of(explore(machine, options)), expected);
    }
  });
}

void a_search_without_room_ends_within_its_budget() {
  for_every_store([](Options options) {
    if (std::holds_alternative<strategy::Bitstate>(options.method.store)) return;
    for (std::uint64_t budget = 6 << 20; budget < 16 << 20; budget += (3 << 20) + 12'345) {
      options.budget = budget;
      options.threads = 3;
      options.worth_sharing = 200;
      const Outcome outcome = explore(Grid<3, 100>::machine(), options);
      CHECK(outcome.held_peak <= budget);
      CHECK(outcome.reason == Reason::memory || outcome.counts.states == 1'000'000u);
      CHECK(outcome.reason == Reason::memory || outcome.reason == Reason::closed);
    }
  });
}

void what_was_found_before_there_was_no_room_is_reported() {
  for_every_store([](Options options) {
    if (std::holds_alternative<strategy::Bitstate>(options.method.store)) return;
    options.budget = 6 << 20;
    options.threads = 3;
    options.worth_sharing = 200;
    const Outcome outcome = explore(Grid<3, 200, 3, Quirks{.faulty_at = 3}>::machine(), options);
    CHECK(outcome.reason == Reason::memory || outcome.counts.states == 8'000'000u);
    CHECK_EQUAL(outcome.findings.size(), 1u);
  });
}

void a_search_is_interrupted() {
  for_every_store([](Options options) {
    Signals signals;
    options.threads = 3;
    signals.stop();
    CHECK_EQUAL(std::string(name(run(Grid<3, 60>::machine(), options, signals).reason)), "interrupt");
  });
}

}  // namespace

int main() {
  return run_all({
      TEST(every_item_of_a_phase_is_done_once),
      TEST(a_phase_sees_what_the_one_before_it_wrote),
      TEST(an_exception_in_a_phase_reaches_the_caller),
      TEST(all_states_levels_and_events_are_the_same),
      TEST(more_threads_than_pieces_find_the_same),
      TEST(the_first_violations_and_their_paths_are_the_same),
      TEST(goals_are_reached_by_the_same_paths),
      TEST(the_same_value_does_not_fit),
      TEST(the_depth_limit_cuts_the_same_states),
      TEST(random_systems_have_the_same_results),
      TEST(the_size_of_rounds_does_not_matter_to_a_search_that_ends_by_itself),
      TEST(a_search_without_room_ends_within_its_budget),
      TEST(what_was_found_before_there_was_no_room_is_reported),
      TEST(a_search_is_interrupted),
  });
}
