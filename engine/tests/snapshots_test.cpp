// A search that keeps only some levels finds the same as the full search, and terminates.
#include <set>
#include <string>
#include <vector>

#include "tests/check.h"
#include "tests/grid.h"
#include "tests/listed_machine.h"
#include "tests/obvious.h"
#include "tests/random/graph.h"
#include "tests/random_machine.h"
#include "tests/strategies.h"
#include "tests/wrapped_machine.h"

namespace {

using namespace scrimp;
using namespace scrimp::testing;

constexpr Leaving policies[] = {Leaving::llnr, Leaving::lru,    Leaving::mru, Leaving::lfu,
                                Leaving::mfu,  Leaving::random, Leaving::size};

strategy::Snapshots stream_of(std::vector<LevelCache> caches, bool pebbles = false) {
  return {.caches = {std::move(caches), pebbles}};
}

strategy::Snapshots frontier(std::uint64_t levels) { return stream_of({{1, 0, Leaving::llnr, levels}}); }

/// The paper's example.
strategy::Snapshots frontier_safety_net() { return stream_of({{2, 0, Leaving::llnr, 5}, {2, 2, Leaving::lfu, 10}}); }

strategy::Snapshots pebble(std::uint64_t period, std::uint64_t snapshots) {
  return stream_of({{period, 0, Leaving::llnr, snapshots}}, true);
}

strategy::Snapshots random_stream(Random& random) {
  strategy::Snapshots stream = stream_of({}, random.chance(30));
  stream.backtracking = random.chance(50);
  stream.seed = random.next();
  for (std::uint32_t left = random.between(1, 3); left != 0; --left) {
    const std::uint64_t period = random.between(1, 4), growth = random.below(3);
    stream.caches.caches.push_back({period, growth, policies[random.below(std::size(policies))], random.between(1, 4)});
  }
  return stream;
}

strategy::Snapshots without_guarantee(strategy::Snapshots snapshots) {
  snapshots.backtracking = false;
  snapshots.permanent = false;
  return snapshots;
}

Options with(const strategy::Snapshots& snapshots, Options options = options_for(strategy::BreadthFirst{})) {
  options.method.store = snapshots;
  return options;
}

std::string ending(const Outcome& outcome) { return name(outcome.reason); }

/// A machine that records the states whose successors were requested.
class Recorded : public WrappedMachine {
 public:
  explicit Recorded(const Machine& machine) : WrappedMachine(machine) { functions().successors = successors; }

  mutable std::set<State> expanded;

 private:
  static std::uint64_t successors(const void* context, const Word* state, Word* to, EventId* events) {
    const auto& self = static_cast<const Recorded&>(of(context));
    self.expanded.emplace(state, state + self.inner().words);
    return self.inner().successors(state, to, events);
  }
};

struct Recording {
  Outcome outcome;
  std::set<State> states;
};

Recording record(const Machine& machine, const Options& options) {
  const Recorded recorded(machine);
  Outcome outcome = explore(recorded, options);
  return {std::move(outcome), std::move(recorded.expanded)};
}

void check_findings(const Machine& machine, const Outcome& outcome) {
  for (const Finding& finding : outcome.findings) {
    const Walk way = walk(machine, finding.events);
    CHECK(way.possible);
    if (finding.kind == Finding::Kind::deadlock) CHECK(way.possible && events_of(machine, way.state).empty());
  }
}

/// Some states and findings may be seen more than once.
void check_exact(const Recording& found, const Recording& full) {
  const Counts &counts = found.outcome.counts, &all = full.outcome.counts;
  CHECK_EQUAL(ending(found.outcome), "closed");
  CHECK(found.states == full.states);
  CHECK(found.outcome.fired == full.outcome.fired);
  CHECK(counts.states >= all.states && counts.transitions >= all.transitions);
  CHECK(counts.deadlocks >= all.deadlocks && (counts.deadlocks == 0) == (all.deadlocks == 0));
  CHECK(counts.faults >= all.faults && (counts.faults == 0) == (all.faults == 0));
  CHECK(counts.violations >= all.violations && (counts.violations == 0) == (all.violations == 0));
  for (std::size_t watch = 0; watch < counts.watch_hits.size(); ++watch)
    CHECK((counts.watch_hits[watch] == 0) == (all.watch_hits[watch] == 0));
  CHECK_EQUAL(counts.matched, counts.transitions - counts.faults - (counts.states - 1));
  CHECK(found.outcome.report.whole("snapshots.kept") <= all.states);
}

template <class Check>
void for_random_systems(std::uint64_t systems, Check check) {
  Graph graph;
  for (const Profile& profile : profiles)
    for (std::uint64_t seed = 0; seed < systems; ++seed) {
      const System system = random_system(seed, profile);
      if (!graph.explore(system, 500)) continue;
      const SystemMachine current(system);
      Options options = options_for(strategy::BreadthFirst{});
      options.question.violation_watches = 1;
      options.question.deadlock_is_violation = true;
      check(current.machine(), options, record(current.machine(), options));
    }
}

/// The states kept for good grow by at least one with every snapshot that joins them: so there are at most as many such
/// snapshots as states.
void random_systems_are_searched_exactly() {
  Random random(1);
  for_random_systems(60, [&](const Machine& machine, const Options& options, const Recording& full) {
    for (const strategy::Snapshots& snapshots :
         {frontier(1), frontier(3), frontier_safety_net(), pebble(2, 1), pebble(3, 2), random_stream(random),
          random_stream(random), random_stream(random)}) {
      const Recording found = record(machine, with(snapshots, options));
      check_exact(found, full);
      check_findings(machine, found.outcome);
    }
  });
}

/// A state is first met at its distance.
void the_first_violation_has_a_shortest_path() {
  for_random_systems(60, [](const Machine& machine, Options options, const Recording&) {
    options.question.stop_after = 1;
    const Outcome full = explore(machine, options);
    const Outcome found = explore(machine, with(pebble(2, 1), options));
    CHECK_EQUAL(ending(found), ending(full));
    CHECK_EQUAL(found.findings.size(), full.findings.size());
    for (std::size_t i = 0; i < found.findings.size(); ++i)
      CHECK_EQUAL(found.findings[i].events.size(), full.findings[i].events.size());
    check_findings(machine, found);
  });
}

/// MW09, Lemma 1: "terminating if p_f is increasing".
void increasing_periods_do_not_make_a_search_terminate() {
  struct Example {
    std::uint64_t period, growth, snapshots;
    ListedMachine::Lists lists;
    std::uint64_t states;
  };
  const Example examples[] = {
      {3, 2, 1, {{1, 2, 3}, {0}, {0}, {5}, {}, {2, 3}}, 5},
      {2, 2, 1, {{2}, {2, 6}, {1}, {1, 7}, {}, {6}, {3, 5}, {3}}, 7},
      {3, 2, 2, {{3}, {}, {4, 7}, {0, 9}, {5}, {4, 6}, {0}, {2}, {}, {2}}, 8},
  };
  for (const auto& [period, growth, snapshots, lists, states] : examples) {
    const ListedMachine example(lists);
    const strategy::Snapshots printed = without_guarantee(stream_of({{period, growth, Leaving::llnr, snapshots}}));
    Options options = with(printed);
    options.limits.depth = 3000;
    const Outcome endless = explore(example.machine(), options);
    CHECK_EQUAL(ending(endless), "depth");
    CHECK_EQUAL(endless.levels.size(), 3001u);

    std::get<strategy::Snapshots>(options.method.store).permanent = true;
    const Recording found = record(example.machine(), options);
    CHECK_EQUAL(ending(found.outcome), "closed");
    CHECK_EQUAL(found.states.size(), states);
  }
}

void a_search_that_closes_before_the_limit_is_closed() {
  const ListedMachine example(ring(10));
  for (const std::uint64_t snapshots : {9u, 10u}) {
    Options options = with(without_guarantee(frontier(snapshots)));
    options.limits.depth = 1000;
    CHECK_EQUAL(ending(explore(example.machine(), options)), snapshots < 10 ? "depth" : "closed");
  }
}

void if_all_edges_lead_forward_no_state_is_visited_twice() {
  const auto check = [](const Machine& machine, std::uint64_t states) {
    for (const strategy::Snapshots& snapshots : {frontier(1), frontier_safety_net(), pebble(2, 3)}) {
      const Outcome full = explore(machine, options_for(strategy::BreadthFirst{}));
      const Outcome found = explore(machine, with(snapshots));
      CHECK_EQUAL(ending(found), "closed");
      CHECK_EQUAL(found.counts.states, states);
      CHECK_EQUAL(found.counts.transitions, full.counts.transitions);
      CHECK_EQUAL(found.counts.depth, full.counts.depth);
      CHECK(std::abs(found.report.real("distinct_states") / static_cast<double>(states) - 1) < 0.03);
      CHECK(found.report.whole("stored_peak") < states);
    }
  };
  check(Grid<3, 30>::machine(), 27'000);
  check(Grid<4, 14, 2>::machine(), 38'416);
  check(Grid<3, 30, 1>::machine(), 27'000);
  check(Grid<4, 14, 1>::machine(), 38'416);
  check(Grid<5, 8, 1>::machine(), 32'768);
}

void a_frontier_stores_only_its_levels() {
  using Long = Grid<2, 2000>;
  const Outcome found = explore(Long::machine(), with(without_guarantee(frontier(3))));
  CHECK_EQUAL(found.counts.states, 4'000'000u);
  CHECK(found.report.whole("stored_peak") <= 3 * 2000 * 3 / 2 + 3 * 2000);
}

void more_snapshots_than_bits_are_all_kept() {
  for (const std::uint32_t period : {1u, 3u}) {
    const ListedMachine example(ring(period * 500));
    const strategy::Snapshots long_frontier = without_guarantee(stream_of({{period, 0, Leaving::llnr, 501}}));
    const Outcome found = explore(example.machine(), with(long_frontier));
    CHECK_EQUAL(ending(found), "closed");
    CHECK_EQUAL(found.counts.states, period * 500u);
  }
}

void a_pebble_search_makes_as_many_caches_as_it_needs() {
  const ListedMachine example(ring(5000));
  const Outcome found = explore(example.machine(), with(pebble(2, 1)));
  CHECK_EQUAL(found.counts.states, 5000u);
  CHECK_EQUAL(found.report.list("snapshots.hits_by_cache").size(), 12u);
}

void hits_are_counted_by_holder_and_distance() {
  const ListedMachine example(ring(10));
  const Report all = explore(example.machine(), with(frontier(20))).report;
  CHECK_EQUAL(all.list("snapshots.hits_by_cache").at(0), 1u);
  CHECK_EQUAL(all.list("snapshots.hits_by_distance").at(3), 1u);
  CHECK_EQUAL(all.whole("snapshots.taken"), 10u);
  CHECK_EQUAL(all.whole("snapshots.kept"), 4u);

  const Report kept = explore(example.machine(), with(frontier(5))).report;
  CHECK_EQUAL(kept.whole("snapshots.hits_by_kept"), 1u);

  const ListedMachine loop({{1}, {1, 2}, {}});
  strategy::Snapshots seldom = stream_of({{5, 0, Leaving::llnr, 1}});
  CHECK_EQUAL(explore(loop.machine(), with(seldom)).report.whole("snapshots.hits_by_open"), 1u);
}

/// From state 1 on there is a diamond: 2 and 3, then 4 to 7, then 8 to 11, then 12. A chain follows, from which every
/// twelfth state leads back to state 1.
ListedMachine::Lists many_ways_back(std::uint32_t ways) {
  ListedMachine::Lists lists{{1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}, {9, 10}, {10, 11}, {11, 8}, {12}, {12}, {12}, {12}};
  for (std::uint32_t i = 0; ways != 0; ++i) {
    lists.push_back({12 + i + 1});
    if (i % 12 != 3) continue;
    lists.back().push_back(1);
    --ways;
  }
  lists.push_back({});
  return lists;
}

/// MW09, figure 3. Only every fourth level is kept, so that the levels before one are visited again. The first time,
/// the four states are learnt whose successors are kept, the second time the two before them, then state 1.
void the_backtracking_set_learns_states_that_are_visited_again() {
  const ListedMachine::Lists lists = many_ways_back(6);
  const ListedMachine example(lists);
  strategy::Snapshots snapshots = stream_of({{4, 0, Leaving::llnr, 1}, {1, 0, Leaving::llnr, 100}});
  snapshots.backtracking = false;
  const Outcome forgetful = explore(example.machine(), with(snapshots));
  CHECK_EQUAL(forgetful.counts.states, lists.size() + 6 * (1 + 2 + 4));
  CHECK_EQUAL(forgetful.report.whole("snapshots.backtracking"), 0u);

  snapshots.backtracking = true;
  const Outcome learning = explore(example.machine(), with(snapshots));
  CHECK_EQUAL(learning.counts.states, lists.size() + (1 + 2 + 4) + (1 + 2) + 1);
  CHECK_EQUAL(learning.report.whole("snapshots.backtracking"), 4u + 2u + 1u);
  CHECK_EQUAL(learning.report.whole("snapshots.hits_by_backtracking"), 4u + 2u + 3 * 1u);
}

/// The successors of the last state are in one snapshot, which is young.
void snapshots_in_the_first_cache_teach_nothing() {
  using Torus = Grid<2, 20, 2, Quirks{.wraps = true}>;
  strategy::Snapshots snapshots = frontier(100);
  snapshots.permanent = false;
  const Outcome found = explore(Torus::machine(), with(snapshots));
  CHECK_EQUAL(ending(found), "closed");
  CHECK_EQUAL(found.report.whole("snapshots.backtracking"), 0u);
}

void an_audit_counts_states_exactly() {
  using Torus = Grid<2, 60, 2, Quirks{.wraps = true}>;
  Options options = with(frontier(1));
  options.audit = true;
  const Outcome found = explore(Torus::machine(), options);
  CHECK(found.counts.states > 3600);
  CHECK_EQUAL(found.report.real("distinct_states"), 3600.0);
}

/// With too little memory or enough, there is never a wrong answer.
void without_memory_the_search_ends_with_that_reason() {
  using Torus = Grid<2, 60, 2, Quirks{.wraps = true}>;
  bool was_enough = false, was_too_little = false;
  for (std::uint64_t budget = 0; budget < (2u << 20); budget += 20'000) {
    Options options = with(frontier_safety_net());
    options.budget = budget;
    const Recording found = record(Torus::machine(), options);
    const bool closed = found.outcome.reason == Reason::closed;
    if (closed) CHECK_EQUAL(found.states.size(), 3600u);
    if (!closed) CHECK_EQUAL(ending(found.outcome), "memory");
    (closed ? was_enough : was_too_little) = true;
  }
  CHECK(was_enough && was_too_little);
}

}  // namespace

int main() {
  return run_all({
      TEST(random_systems_are_searched_exactly),
      TEST(the_first_violation_has_a_shortest_path),
      TEST(increasing_periods_do_not_make_a_search_terminate),
      TEST(a_search_that_closes_before_the_limit_is_closed),
      TEST(if_all_edges_lead_forward_no_state_is_visited_twice),
      TEST(a_frontier_stores_only_its_levels),
      TEST(more_snapshots_than_bits_are_all_kept),
      TEST(a_pebble_search_makes_as_many_caches_as_it_needs),
      TEST(hits_are_counted_by_holder_and_distance),
      TEST(the_backtracking_set_learns_states_that_are_visited_again),
      TEST(snapshots_in_the_first_cache_teach_nothing),
      TEST(an_audit_counts_states_exactly),
      TEST(without_memory_the_search_ends_with_that_reason),
  });
}
