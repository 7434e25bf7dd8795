// Both search orders, with every store, on grids whose counts are known in closed form.
#include <cstdlib>
#include <numeric>
#include <thread>

#include "tests/check.h"
#include "tests/grid.h"
#include "tests/strategies.h"

namespace {

using namespace scrimp;
using namespace scrimp::testing;

/// Whether each event of a path was enabled, and the state it leads to; the last event may be a fault.
bool follows(const Machine& machine, const std::vector<EventId>& path, std::vector<Word>& state) {
  std::vector<Word> successors(machine.words * machine.max_successors);
  std::vector<EventId> events(machine.max_successors);
  state.resize(machine.words);
  machine.initial(state.data());
  for (const EventId event : path) {
    const auto count = static_cast<std::uint32_t>(machine.successors(state.data(), successors.data(), events.data()));
    bool enabled = false;
    for (std::uint32_t i = 0; i < count && !enabled; ++i) {
      if ((events[i] & event_mask) != event) continue;
      enabled = true;
      if (!(events[i] & fault_flag)) state.assign(&successors[i * machine.words], &successors[(i + 1) * machine.words]);
    }
    if (!enabled) return false;
  }
  return true;
}

void every_state_is_visited_and_every_event_fired() {
  const auto check = [](const Machine& machine, std::uint64_t states, std::uint64_t transitions) {
    for_every_strategy([&](const Options& options) {
      const Outcome outcome = explore(machine, options);
      CHECK_EQUAL(std::string(name(outcome.reason)), "closed");
      CHECK_EQUAL(outcome.counts.states, states);
      CHECK_EQUAL(outcome.counts.transitions, transitions);
      CHECK_EQUAL(outcome.counts.deadlocks, 1u);
      CHECK_EQUAL(outcome.counts.states + outcome.counts.matched, outcome.counts.transitions + 1);
      for (const std::uint8_t fired : outcome.fired) CHECK(fired != 0);
    });
  };
  check(Grid<3, 16>::machine(), 4096, 3 * 15 * 256);
  check(Grid<2, 300>::machine(), 90'000, 2 * 299 * 300);
  check(Grid<4, 10, 2>::machine(), 10'000, 4 * 9 * 1000);
  check(Grid<5, 6, 1>::machine(), 7776, 5 * 5 * 1296);
}

void levels_hold_the_states_at_each_distance() {
  const Outcome outcome = explore(Grid<2, 50>::machine(), options_for(strategy::BreadthFirst{}));
  CHECK_EQUAL(outcome.levels.size(), 99u);
  CHECK_EQUAL(outcome.counts.depth, 98u);
  for (std::uint64_t level = 0; level < outcome.levels.size(); ++level) {
    const std::uint64_t states = level < 50 ? level + 1 : 99 - level;
    CHECK_EQUAL(outcome.levels[level].states, states);
    CHECK_EQUAL(outcome.levels[level].transitions, level < 49 ? 2 * states : 2 * states - 2);
  }
}

void depth_first_reports_its_longest_path() {
  const Outcome outcome = explore(Grid<2, 50>::machine(), options_for(strategy::DepthFirst{}));
  CHECK_EQUAL(outcome.counts.depth, 98u);
  CHECK(outcome.levels.empty());
}

void depth_first_enters_a_successor_only_when_its_event_is_taken() {
  // From (0,0) the search goes along the first axis to its end and only then turns: if siblings were entered early, the
  // first turn would come at once, and the longest path would be shorter.
  Options options = options_for(strategy::DepthFirst{});
  options.question.deadlock_is_violation = true;
  options.question.traces = 1;
  const Outcome outcome = explore(Grid<2, 10>::machine(), options);
  CHECK_EQUAL(outcome.findings.size(), 1u);
  for (std::size_t i = 0; i < 18; ++i) CHECK_EQUAL(outcome.findings[0].events[i], i < 9 ? 0u : 1u);
}

/// Searches a torus of 343,000 states, most of which lie on one path: blocks are dropped and chunks folded, and the
/// search backtracks over all of it.
template <std::uint32_t counters_per_word>
void search_a_torus(std::optional<std::uint64_t> seed) {
  using Torus = Grid<3, 70, counters_per_word, Quirks{.watched_at = 69, .wraps = true}>;
  Options options = options_for(strategy::DepthFirst{});
  options.question.goal_watches = 1;
  options.shuffle_seed = seed;
  const Outcome outcome = explore(Torus::machine(), options);
  CHECK_EQUAL(std::string(name(outcome.reason)), "closed");
  CHECK_EQUAL(outcome.counts.states, 343'000u);
  CHECK_EQUAL(outcome.counts.transitions, 1'029'000u);
  CHECK(outcome.counts.depth > 170'000);
  std::vector<Word> end;
  CHECK(follows(Torus::machine(), outcome.findings.at(0).events, end));
  CHECK(Torus::all_equal(end.data(), 69));
}

void a_path_longer_than_its_open_part_is_backtracked_to_its_start() {
  for (const std::optional<std::uint64_t> seed : {std::optional<std::uint64_t>{}, std::optional<std::uint64_t>{7}}) {
    search_a_torus<3>(seed);
    search_a_torus<2>(seed);
    search_a_torus<1>(seed);
  }
}

void a_valid_end_state_is_not_a_deadlock() {
  for_every_strategy([](const Options& options) {
    const Outcome outcome = explore(Grid<2, 5, 2, Quirks{.ends_well = true}>::machine(), options);
    CHECK_EQUAL(outcome.counts.deadlocks, 0u);
  });
}

void a_deadlock_comes_with_a_path_that_leads_to_it() {
  for_every_strategy([](Options options) {
    options.question.deadlock_is_violation = true;
    options.question.stop_after = 1;
    options.question.traces = 1;
    const Machine machine = Grid<3, 7, 2>::machine();
    const Outcome outcome = explore(machine, options);
    CHECK_EQUAL(std::string(name(outcome.reason)), "violations");
    CHECK_EQUAL(outcome.findings.size(), 1u);
    CHECK_EQUAL(outcome.findings[0].events.size(), 18u);
    std::vector<Word> end;
    CHECK(follows(machine, outcome.findings[0].events, end));
    for (std::uint32_t counter = 0; counter < 3; ++counter)
      CHECK_EQUAL((Grid<3, 7, 2>::value(end.data(), counter)), 6u);
  });
}

void a_fault_is_a_transition_to_no_state() {
  using Faulty = Grid<2, 10, 2, Quirks{.faulty_at = 3}>;
  for_every_strategy([](Options options) {
    options.question.traces = 1;
    const Outcome outcome = explore(Faulty::machine(), options);
    CHECK_EQUAL(std::string(name(outcome.reason)), "closed");
    CHECK_EQUAL(outcome.counts.states, 100u);
    CHECK_EQUAL(outcome.counts.transitions, 180u);
    CHECK_EQUAL(outcome.counts.faults, 1u);
    CHECK_EQUAL(outcome.counts.violations, 1u);
    CHECK_EQUAL(outcome.counts.states + outcome.counts.matched + outcome.counts.faults, outcome.counts.transitions + 1);
    CHECK_EQUAL(outcome.findings.size(), 1u);
    CHECK_EQUAL(outcome.findings[0].events.back(), 0u);
    std::vector<Word> end;
    CHECK(follows(Faulty::machine(), outcome.findings[0].events, end));
    CHECK(Faulty::all_equal(end.data(), 3));
  });
}

void a_state_whose_only_events_are_faults_is_not_a_deadlock() {
  for_every_strategy([](const Options& options) {
    const Outcome outcome = explore(Grid<1, 10, 1, Quirks{.faulty_at = 3}>::machine(), options);
    CHECK_EQUAL(outcome.counts.states, 4u);
    CHECK_EQUAL(outcome.counts.transitions, 4u);
    CHECK_EQUAL(outcome.counts.deadlocks, 0u);
  });
}

void a_misfit_ends_the_search_with_its_state_and_event() {
  using Misfitting = Grid<2, 10, 1, Quirks{.misfit_at = 4}>;
  for_every_strategy([](const Options& options) {
    const Outcome outcome = explore(Misfitting::machine(), options);
    CHECK_EQUAL(std::string(name(outcome.reason)), "misfit");
    CHECK(outcome.misfit.has_value());
    CHECK_EQUAL(outcome.misfit->event, 0u);
    CHECK(Misfitting::all_equal(outcome.misfit->state.data(), 4));
  });
}

void watches_are_counted_once_per_state() {
  using Watched = Grid<3, 8, 2, Quirks{.watched_at = 5}>;
  for_every_strategy([](const Options& options) {
    const Outcome outcome = explore(Watched::machine(), options);
    CHECK_EQUAL(outcome.counts.watch_hits[0], 1u);
    CHECK_EQUAL(outcome.counts.watch_hits[1], 8u);
    CHECK_EQUAL(outcome.counts.violations, 0u);
  });
}

void a_violated_invariant_comes_with_a_path() {
  using Watched = Grid<3, 8, 2, Quirks{.watched_at = 5}>;
  for_every_strategy([](Options options) {
    options.question.violation_watches = 1;
    options.question.stop_after = 1;
    options.question.traces = 1;
    const Outcome outcome = explore(Watched::machine(), options);
    CHECK_EQUAL(std::string(name(outcome.reason)), "violations");
    CHECK_EQUAL(outcome.findings.size(), 1u);
    CHECK_EQUAL(outcome.findings[0].watch, 0);
    std::vector<Word> end;
    CHECK(follows(Watched::machine(), outcome.findings[0].events, end));
    CHECK(Watched::all_equal(end.data(), 5));
  });
}

void every_wanted_violation_gets_its_own_path() {
  using Watched = Grid<2, 8, 2, Quirks{.watched_at = 5}>;
  for_every_strategy([](Options options) {
    options.question.violation_watches = 2;
    options.question.traces = 5;
    const Outcome outcome = explore(Watched::machine(), options);
    CHECK_EQUAL(std::string(name(outcome.reason)), "closed");
    CHECK_EQUAL(outcome.counts.violations, 8u);
    CHECK_EQUAL(outcome.findings.size(), 5u);
    for (std::size_t i = 0; i < outcome.findings.size(); ++i) CHECK_EQUAL(outcome.findings[i].events.size(), i);
  });
}

void a_goal_is_reached_with_a_witness() {
  using Watched = Grid<2, 8, 2, Quirks{.watched_at = 3}>;
  for_every_strategy([](Options options) {
    options.question.goal_watches = 1;
    const Outcome outcome = explore(Watched::machine(), options);
    CHECK_EQUAL(std::string(name(outcome.reason)), "closed");
    CHECK_EQUAL(outcome.findings.size(), 1u);
    CHECK_EQUAL(outcome.counts.violations, 0u);
    std::vector<Word> end;
    CHECK(follows(Watched::machine(), outcome.findings[0].events, end));
    CHECK(Watched::all_equal(end.data(), 3));
  });
}

void a_goal_in_the_initial_state_has_an_empty_path() {
  for_every_strategy([](Options options) {
    options.question.goal_watches = 1;
    const Outcome outcome = explore(Grid<2, 8, 2, Quirks{.watched_at = 0}>::machine(), options);
    CHECK_EQUAL(std::string(name(outcome.reason)), "closed");
    CHECK_EQUAL(outcome.findings.size(), 1u);
    CHECK(outcome.findings[0].events.empty());
  });
}

void a_depth_limit_that_cuts_is_reported() {
  Options options = options_for(strategy::BreadthFirst{});
  options.limits.depth = 5;
  const Outcome outcome = explore(Grid<2, 50>::machine(), options);
  CHECK_EQUAL(std::string(name(outcome.reason)), "depth");
  CHECK_EQUAL(outcome.counts.states, 21u);
  CHECK_EQUAL(outcome.counts.transitions, 30u);
  CHECK_EQUAL(outcome.counts.depth, 5u);
  options.method.order = strategy::DepthFirst{};
  const Outcome deep = explore(Grid<2, 50>::machine(), options);
  CHECK_EQUAL(std::string(name(deep.reason)), "depth");
  CHECK_EQUAL(deep.counts.depth, 5u);
}

void a_depth_limit_that_cuts_nothing_leaves_the_search_closed() {
  for_every_strategy([](Options options) {
    options.limits.depth = 18;
    const Outcome outcome = explore(Grid<2, 10>::machine(), options);
    CHECK_EQUAL(std::string(name(outcome.reason)), "closed");
    CHECK_EQUAL(outcome.counts.states, 100u);
    CHECK_EQUAL(outcome.counts.deadlocks, 1u);
  });
}

void shuffling_changes_the_order_and_nothing_else() {
  for_every_strategy([](Options options) {
    options.question.deadlock_is_violation = true;
    options.question.traces = 1;
    options.shuffle_seed = 1;
    const Machine machine = Grid<3, 9, 2>::machine();
    const Outcome one = explore(machine, options);
    options.shuffle_seed = 2;
    const Outcome other = explore(machine, options);
    CHECK_EQUAL(one.counts.states, 729u);
    CHECK_EQUAL(one.counts.transitions, 3u * 8 * 81);
    CHECK_EQUAL(other.counts.transitions, one.counts.transitions);
    CHECK(one.findings[0].events != other.findings[0].events || !is_depth_first(options));
    std::vector<Word> end;
    CHECK(follows(machine, one.findings[0].events, end));
    CHECK(explore(machine, options).findings[0].events == other.findings[0].events);
  });
}

void every_budget_is_respected_and_ends_the_search_cleanly() {
  for_every_strategy([](Options options) {
    for (std::uint64_t kilobytes = 0; kilobytes < 4096; kilobytes += kilobytes < 64 ? 8 : 1008) {
      options.budget = kilobytes << 10;
      options.question.traces = kilobytes % 3;
      const Outcome outcome = explore(Grid<3, 100>::machine(), options);
      const bool closed = outcome.reason == Reason::closed;
      CHECK_EQUAL(std::string(name(outcome.reason)), closed ? "closed" : "memory");
      CHECK_EQUAL(outcome.counts.states == 1'000'000, closed);
    }
  });
}

void without_a_budget_there_is_no_search() {
  for_every_strategy([](Options options) {
    options.budget = 0;
    const Outcome outcome = explore(Grid<3, 100>::machine(), options);
    CHECK_EQUAL(std::string(name(outcome.reason)), "memory");
    CHECK_EQUAL(outcome.counts.states, 0u);
  });
}

void another_thread_stops_a_search() {
  for (const Order order : orders) {
    Signals signals;
    std::thread stopper([&] {
      while (signals.progress().states < 1000) std::this_thread::yield();
      signals.stop();
    });
    Options options = options_for(order);
    options.budget = std::uint64_t{1} << 34;
    const Outcome outcome = run(Grid<4, 200>::machine(), options, signals);
    stopper.join();
    CHECK_EQUAL(std::string(name(outcome.reason)), "interrupt");
    CHECK(outcome.counts.states >= 1000);
    CHECK(outcome.seconds < 1);
  }
}

void time_runs_out() {
  for (const Order order : orders) {
    Options options = options_for(order);
    options.limits.seconds = 0.05;
    const Outcome outcome = explore(Grid<4, 200>::machine(), options);
    CHECK_EQUAL(std::string(name(outcome.reason)), "time");
    CHECK(outcome.seconds >= 0.05);
    CHECK(outcome.seconds < 0.5);
  }
}

/// The folder for the log of levels does not exist as long as this lives.
struct NoFolder {
  NoFolder() { setenv("TMPDIR", "/nowhere/at/all", 1); }
  ~NoFolder() { unsetenv("TMPDIR"); }
};

void a_search_that_finds_nothing_needs_no_file() {
  const NoFolder no_folder;
  Options options = options_for(strategy::BreadthFirst{});
  options.question.deadlock_is_violation = false;
  options.question.traces = 1;
  const Outcome outcome = explore(Grid<2, 50>::machine(), options);
  CHECK_EQUAL(std::string(name(outcome.reason)), "closed");
}

void without_a_file_paths_are_found_in_memory() {
  const NoFolder no_folder;
  Options options = options_for(strategy::BreadthFirst{});
  options.question.deadlock_is_violation = true;
  options.question.traces = 1;
  const Machine machine = Grid<2, 300>::machine();
  const Outcome outcome = explore(machine, options);
  CHECK_EQUAL(outcome.findings.size(), 1u);
  std::vector<Word> state;
  CHECK(follows(machine, outcome.findings[0].events, state));
  CHECK_EQUAL(outcome.findings[0].events.size(), 598u);
}

/// The memory for the log is spare: with every budget the search goes as far as it would with a file.
void memory_for_paths_is_given_up_when_the_search_needs_it() {
  bool has_lost = false;
  for (std::uint64_t budget = 600'000; budget < 4'000'000; budget += 50'000) {
    Options options = options_for(strategy::BreadthFirst{});
    options.question.deadlock_is_violation = true;
    options.question.traces = 1;
    options.budget = budget;
    const Outcome with_file = explore(Grid<2, 300>::machine(), options);
    const NoFolder no_folder;
    const Outcome without = explore(Grid<2, 300>::machine(), options);
    CHECK_EQUAL(without.counts.states, with_file.counts.states);
    CHECK(without.held_peak <= budget);
    const bool lost = without.reason == Reason::disk;
    if (!lost) CHECK_EQUAL(std::string(name(without.reason)), name(with_file.reason));
    if (lost) CHECK_EQUAL(without.counts.violations, 1u);
    if (lost) CHECK(without.findings.empty());
    has_lost = has_lost || lost;
  }
  CHECK(has_lost);
}

void the_levels_of_a_stopped_search_add_up_to_its_counts() {
  Options options = options_for(strategy::BreadthFirst{});
  options.limits.seconds = 0.02;
  const Outcome outcome = explore(Grid<4, 200>::machine(), options);
  Level sum;
  for (const Level& level : outcome.levels) sum.states += level.states, sum.transitions += level.transitions;
  CHECK_EQUAL(sum.states, outcome.counts.states);
  CHECK_EQUAL(sum.transitions, outcome.counts.transitions);
}

}  // namespace

int main() {
  return run_all({
      TEST(every_state_is_visited_and_every_event_fired),
      TEST(levels_hold_the_states_at_each_distance),
      TEST(depth_first_reports_its_longest_path),
      TEST(depth_first_enters_a_successor_only_when_its_event_is_taken),
      TEST(a_path_longer_than_its_open_part_is_backtracked_to_its_start),
      TEST(a_valid_end_state_is_not_a_deadlock),
      TEST(a_deadlock_comes_with_a_path_that_leads_to_it),
      TEST(a_fault_is_a_transition_to_no_state),
      TEST(a_state_whose_only_events_are_faults_is_not_a_deadlock),
      TEST(a_misfit_ends_the_search_with_its_state_and_event),
      TEST(watches_are_counted_once_per_state),
      TEST(a_violated_invariant_comes_with_a_path),
      TEST(every_wanted_violation_gets_its_own_path),
      TEST(a_goal_is_reached_with_a_witness),
      TEST(a_goal_in_the_initial_state_has_an_empty_path),
      TEST(a_depth_limit_that_cuts_is_reported),
      TEST(a_depth_limit_that_cuts_nothing_leaves_the_search_closed),
      TEST(shuffling_changes_the_order_and_nothing_else),
      TEST(every_budget_is_respected_and_ends_the_search_cleanly),
      TEST(without_a_budget_there_is_no_search),
      TEST(another_thread_stops_a_search),
      TEST(time_runs_out),
      TEST(a_search_that_finds_nothing_needs_no_file),
      TEST(without_a_file_paths_are_found_in_memory),
      TEST(memory_for_paths_is_given_up_when_the_search_needs_it),
      TEST(the_levels_of_a_stopped_search_add_up_to_its_counts),
  });
}
