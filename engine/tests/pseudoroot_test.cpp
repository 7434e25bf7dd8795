// A search with reference counts visits each state once and forgets states without unexplored incoming edges; if there
// is too little room, it still terminates and finds the same as the full search.
#include <deque>
#include <map>
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
using Source = strategy::Pseudoroot::Source;
using By = strategy::Pseudoroot::By;
using Next = strategy::Pseudoroot::Next;

/// The machine of a random system that knows its in-degrees. Some states seem to have unreachable predecessors: the
/// in-degree of every `surplus`-th state is one too high; 0: none.
class KnownMachine : public WrappedMachine {
 public:
  KnownMachine(const Machine& machine, const Graph& graph, std::uint32_t surplus)
      : WrappedMachine(machine), graph_(graph), edges_(graph.states.size()) {
    for (const Graph::Edge& edge : graph.edges) ++edges_[edge.target];
    if (surplus != 0)
      for (std::size_t i = 0; i < edges_.size(); i += surplus) ++edges_[i];
    functions().successors = successors;
    functions().in_degree = in_degree;
  }

  /// How often each state was expanded.
  mutable std::map<State, std::uint64_t> expansions;

 private:
  static const KnownMachine& of(const void* context) {
    return static_cast<const KnownMachine&>(WrappedMachine::of(context));
  }
  static std::uint32_t in_degree(const void* context, const Word* state) {
    const KnownMachine& self = of(context);
    return self.edges_[self.graph_.find(small_state(state, self.inner().words))];
  }
  static std::uint64_t successors(const void* context, const Word* state, Word* to, EventId* events) {
    const KnownMachine& self = of(context);
    ++self.expansions[{state, state + self.inner().words}];
    return self.inner().successors(state, to, events);
  }

  const Graph& graph_;
  std::vector<std::uint32_t> edges_;
};

struct Variant {
  Order order;
  Next next;
  Source source;
};

std::vector<Variant> variants() {
  std::vector<Variant> all;
  for (const Source source : {Source::given, Source::counted}) {
    all.push_back({strategy::BreadthFirst{}, Next::arrival, source});
    all.push_back({strategy::BreadthFirst{}, Next::fewest, source});
    all.push_back({strategy::DepthFirst{}, Next::arrival, source});
  }
  return all;
}

/// Audited, so that a search that forgets too early ends.
Options with(const Variant& variant, std::optional<std::uint64_t> states = {},
             Options options = options_for(strategy::BreadthFirst{})) {
  options.method.order = variant.order;
  options.method.store =
      strategy::Pseudoroot{.source = variant.source, .next = variant.next, .states = states, .counters = 1 << 12};
  options.audit = true;
  return options;
}

std::string ending(const Outcome& outcome) { return name(outcome.reason); }

void check_findings(const Machine& machine, const Outcome& outcome) {
  for (const Finding& finding : outcome.findings) {
    const Walk way = walk(machine, finding.events);
    CHECK(way.possible);
    if (finding.kind == Finding::Kind::deadlock) CHECK(way.possible && events_of(machine, way.state).empty());
    if (finding.kind == Finding::Kind::watch) CHECK(way.possible && machine.watch(way.state.data()) != 0);
  }
}

/// Calls `check` with each machine, its question, its graph and the result of a full search.
template <class Check>
void for_random_systems(std::uint64_t systems, std::uint32_t surplus, Check check) {
  Graph graph;
  for (const Profile& profile : profiles)
    for (std::uint64_t seed = 0; seed < systems; ++seed) {
      const System system = random_system(seed, profile);
      if (!graph.explore(system, 300)) continue;
      const SystemMachine current(system);
      const KnownMachine known(current.machine(), graph, surplus);
      Options options = options_for(strategy::BreadthFirst{});
      options.question.violation_watches = 1;
      options.question.deadlock_is_violation = true;
      check(known, options, graph, explore(known, options));
    }
}

void each_state_of_a_random_system_is_visited_once() {
  for (const std::uint32_t surplus : {0u, 3u})
    for_random_systems(120, surplus,
                       [](const KnownMachine& machine, const Options& options, const Graph&, const Outcome& full) {
                         for (const Variant& variant : variants()) {
                           machine.expansions.clear();
                           const Outcome found = explore(machine, with(variant, {}, options));
                           CHECK_EQUAL(ending(found), "closed");
                           const Counts &counts = found.counts, &all = full.counts;
                           CHECK_EQUAL(counts.states, all.states);
                           CHECK_EQUAL(counts.transitions, all.transitions);
                           CHECK_EQUAL(counts.matched, all.matched);
                           CHECK_EQUAL(counts.deadlocks, all.deadlocks);
                           CHECK_EQUAL(counts.faults, all.faults);
                           CHECK_EQUAL(counts.violations, all.violations);
                           CHECK(counts.watch_hits == all.watch_hits);
                           CHECK(found.fired == full.fired);
                           CHECK(found.report.whole("stored_peak") <= all.states);
                           CHECK_EQUAL(found.report.whole("pseudoroot.discarded"), 0u);
                           CHECK_EQUAL(found.findings.size(), full.findings.size());
                           check_findings(machine, found);
                         }
                       });
}

/// PY97, figure 4, word for word, except that edges replace predecessors.
std::uint64_t peak_of_the_paper(const Graph& graph) {
  std::vector<std::uint32_t> counter(graph.states.size());
  for (const Graph::Edge& edge : graph.edges) ++counter[edge.target];
  std::vector<bool> is_checked(graph.states.size()), is_pending(graph.states.size());
  std::deque<scrimp::testing::StateNumber> pending{0};
  is_pending[0] = true;
  std::uint64_t stored = 1, peak = 1;
  while (!pending.empty()) {
    const auto s = pending.front();
    pending.pop_front();
    is_pending[s] = false;
    is_checked[s] = counter[s] > 0;
    stored -= !is_checked[s];
    for (const Graph::Edge* edge = graph.begin(s); edge != graph.end(s); ++edge) {
      const auto r = edge->target;
      --counter[r];
      if (is_checked[r]) {
        is_checked[r] = counter[r] != 0;
        stored -= !is_checked[r];
      } else if (!is_pending[r]) {
        is_pending[r] = true;
        pending.push_back(r);
        peak = std::max(peak, ++stored);
      }
    }
  }
  CHECK_EQUAL(stored, 0u);
  return peak;
}

void breadth_first_stores_what_the_papers_algorithm_stores() {
  for_random_systems(100, 0, [](const Machine& machine, const Options& options, const Graph& graph, const Outcome&) {
    const Variant breadth_first{strategy::BreadthFirst{}, Next::arrival, Source::given};
    const Outcome found = explore(machine, with(breadth_first, {}, options));
    CHECK_EQUAL(found.report.whole("stored_peak"), peak_of_the_paper(graph));
    CHECK_EQUAL(found.report.whole("pseudoroot.kept"), 0u);
  });
}

/// They stay to the end, and change nothing else.
void states_with_unreachable_predecessors_are_kept() {
  for_random_systems(40, 3, [](const Machine& machine, const Options& options, const Graph& graph, const Outcome&) {
    const Variant breadth_first{strategy::BreadthFirst{}, Next::arrival, Source::given};
    const Outcome found = explore(machine, with(breadth_first, {}, options));
    CHECK_EQUAL(found.report.whole("pseudoroot.kept"), (graph.states.size() + 2) / 3);
  });
}

/// Down to the longest path: with room for one more state than it has, all states are visited.
void with_little_room_a_random_system_is_searched_exactly() {
  std::uint64_t discarded = 0, restarts = 0, too_little = 0;
  for_random_systems(
      15, 0, [&](const KnownMachine& machine, const Options& options, const Graph&, const Outcome& full) {
        machine.expansions.clear();
        explore(machine, options);
        const auto states = machine.expansions;
        for (const Variant& variant : variants())
          for (const std::uint64_t divisor : {2, 3, 5, 8, 1000}) {
            const std::uint64_t room = std::max<std::uint64_t>(full.counts.states / divisor, 1);
            machine.expansions.clear();
            const Outcome found = explore(machine, with(variant, room, options));
            CHECK(found.reason == Reason::closed || found.reason == Reason::cache);
            const bool has_path = std::holds_alternative<strategy::DepthFirst>(variant.order) ||
                                  found.report.whole("pseudoroot.restarts") != 0;
            // The path holds states that need no room in the table.
            CHECK(found.report.whole("stored_peak") <= room || has_path);
            check_findings(machine, found);
            discarded += found.report.whole("pseudoroot.discarded");
            restarts += found.report.whole("pseudoroot.restarts");
            too_little += found.reason == Reason::cache;
            if (found.reason != Reason::closed) continue;
            CHECK_EQUAL(machine.expansions.size(), states.size());
            CHECK(found.fired == full.fired);
            const Counts &counts = found.counts, &all = full.counts;
            CHECK((counts.deadlocks == 0) == (all.deadlocks == 0));
            CHECK((counts.violations == 0) == (all.violations == 0));
            CHECK(found.report.whole("pseudoroot.discarded") + found.report.whole("pseudoroot.restarts") != 0 ||
                  counts.states == all.states);
          }
      });
  CHECK(discarded > 0 && restarts > 0 && too_little > 0);
}

/// The capacity is the longest path of distinct states, and one more: a state may be beside the path.
void room_for_all_states_but_those_off_the_path_is_enough() {
  for_random_systems(15, 0, [](const Machine& machine, const Options& options, const Graph&, const Outcome& full) {
    const Variant depth_first{strategy::DepthFirst{}, Next::arrival, Source::given};
    CHECK_EQUAL(ending(explore(machine, with(depth_first, full.counts.states, options))), "closed");
  });
}

/// PY97, section 2.4: 0 <-> 1 <-> 2 <-> 3. Section 3.3 would drop state 1 while it is pending with a count of one, and
/// the search would end after one state.
void the_papers_counter_is_searched_with_any_capacity() {
  const ListedMachine counter({{1}, {0, 2}, {1, 3}, {2}});
  for (const Variant& variant : variants())
    for (std::uint64_t room = 1; room <= 5; ++room) {
      const Outcome found = explore(counter.machine(), with(variant, room));
      const bool is_enough = found.reason == Reason::closed;
      CHECK(is_enough || (found.reason == Reason::cache && room < 4));
      if (is_enough) CHECK(found.counts.states >= 4);
      if (room == 5) CHECK_EQUAL(found.counts.states, 4u);
    }
  const Variant breadth_first{strategy::BreadthFirst{}, Next::arrival, Source::given};
  CHECK_EQUAL(explore(counter.machine(), with(breadth_first)).report.whole("stored_peak"), 2u);
}

void a_chain_needs_room_for_one_state() {
  ListedMachine::Lists lists = ring(1000);
  lists.back().clear();
  const ListedMachine chain(lists);
  for (const Variant& variant : variants()) {
    if (variant.source == Source::counted) continue;  // some states share all their counters with others
    const Outcome found = explore(chain.machine(), with(variant, 1));
    CHECK_EQUAL(ending(found), "closed");
    CHECK_EQUAL(found.counts.states, 1000u);
    CHECK_EQUAL(found.report.whole("pseudoroot.discarded"), 0u);
  }
}

/// Self-loops and parallel edges are edges like others.
void loops_and_parallel_edges_are_counted_as_they_are_explored() {
  const ListedMachine loops({{0, 1, 1}, {1, 1, 2, 0}, {2}});
  for (const Variant& variant : variants()) {
    const Outcome found = explore(loops.machine(), with(variant));
    CHECK_EQUAL(found.counts.states, 3u);
    CHECK_EQUAL(found.counts.transitions, 8u);
    CHECK_EQUAL(found.report.whole("pseudoroot.kept"), 0u);
  }
}

/// With few counters, or narrow ones, fewer states are forgotten, and none too early.
void shared_or_saturated_counters_keep_states() {
  std::map<std::uint64_t, std::uint64_t> kept;
  for_random_systems(8, 0, [&](const Machine& machine, const Options& options, const Graph&, const Outcome& full) {
    for (const std::uint64_t counters : {1u, 7u, 100u})
      for (const unsigned bits : {2u, 4u, 8u, 16u})
        for (const By by : {By::none, By::tree, By::cleary}) {
          Options counted = with({strategy::BreadthFirst{}, Next::arrival, Source::counted}, {}, options);
          auto& store = std::get<strategy::Pseudoroot>(counted.method.store);
          std::tie(store.by, store.counters, store.bits, store.functions) =
              std::tuple(by, counters, bits, 1 + bits % 3);
          const Outcome found = explore(machine, counted);
          CHECK_EQUAL(ending(found), "closed");
          CHECK_EQUAL(found.counts.states, full.counts.states);
          CHECK_EQUAL(found.report.whole("pseudoroot.counted_states"), full.counts.states);
          kept[counters] += found.report.whole("pseudoroot.kept");
        }
  });
  CHECK(kept[100] < kept[7] && kept[7] < kept[1]);
}

void an_audit_reports_an_in_degree_that_was_counted_too_low() {
  const ListedMachine counter({{1}, {0, 2}, {1, 3}, {2}});
  Machine wrong = counter.machine();
  wrong.functions.in_degree = [](const void*, const Word*) -> std::uint32_t { return 1; };
  for (const Order order : orders) {
    const Outcome found = explore(wrong, with({order, Next::arrival, Source::given}));
    CHECK_EQUAL(ending(found), "audit");
    CHECK(!found.complaint.empty());
  }
}

/// With too little memory or enough, there is never a wrong answer.
void without_memory_the_search_ends_with_that_reason() {
  using Torus = Grid<2, 60, 2, Quirks{.wraps = true}>;
  Machine machine = Torus::machine();
  machine.functions.in_degree = [](const void*, const Word*) -> std::uint32_t { return 2; };
  for (const Variant& variant : variants()) {
    bool was_enough = false, was_too_little = false;
    for (std::uint64_t budget = 0; budget < (4u << 20); budget += 150'000) {
      Options options = with(variant);
      options.budget = budget;
      const Outcome found = explore(machine, options);
      const bool closed = found.reason == Reason::closed;
      if (closed) CHECK(found.counts.states >= 3600);
      if (!closed) CHECK_EQUAL(ending(found), "memory");
      CHECK(found.held_peak <= budget);
      (closed ? was_enough : was_too_little) = true;
    }
    CHECK(was_enough && was_too_little);
  }
}

void the_first_violation_has_a_shortest_path_under_breadth_first() {
  for_random_systems(15, 0, [](const Machine& machine, Options options, const Graph&, const Outcome&) {
    options.question.stop_after = 1;
    const Outcome full = explore(machine, options);
    const Outcome found = explore(machine, with({strategy::BreadthFirst{}, Next::arrival, Source::given}, {}, options));
    CHECK_EQUAL(ending(found), ending(full));
    CHECK_EQUAL(found.findings.size(), full.findings.size());
    for (std::size_t i = 0; i < found.findings.size(); ++i)
      CHECK_EQUAL(found.findings[i].events.size(), full.findings[i].events.size());
  });
}

}  // namespace

int main() {
  return run_all({
      TEST(each_state_of_a_random_system_is_visited_once),
      TEST(breadth_first_stores_what_the_papers_algorithm_stores),
      TEST(states_with_unreachable_predecessors_are_kept),
      TEST(with_little_room_a_random_system_is_searched_exactly),
      TEST(room_for_all_states_but_those_off_the_path_is_enough),
      TEST(the_papers_counter_is_searched_with_any_capacity),
      TEST(a_chain_needs_room_for_one_state),
      TEST(loops_and_parallel_edges_are_counted_as_they_are_explored),
      TEST(shared_or_saturated_counters_keep_states),
      TEST(an_audit_reports_an_in_degree_that_was_counted_too_low),
      TEST(without_memory_the_search_ends_with_that_reason),
      TEST(the_first_violation_has_a_shortest_path_under_breadth_first),
  });
}
