// The papers' claims about sleep sets, conflict sets and the reduced search, and the truth: each counterexample is run
// on the method as printed, which misses something, and as corrected, which does not. Both on the engine and on
// reference searches over a graph that are written for clarity.
#include <bit>
#include <initializer_list>
#include <string>

#include "run.h"
#include "tests/check.h"
#include "tests/random/graph.h"
#include "tests/random/obvious_searches.h"
#include "tests/random_machine.h"
#include "tests/strategies.h"

namespace {

using namespace scrimp;
using namespace scrimp::testing;

Transition go(std::uint8_t process, std::uint8_t source, std::uint8_t target) {
  Transition made;
  made.moves = {{process, source, target}};
  return made;
}

Transition go(std::uint8_t process, std::uint8_t source, std::uint8_t target, const Assignment& assignment) {
  Transition made = go(process, source, target);
  made.assignments = {assignment};
  return made;
}

Transition go(std::uint8_t process, std::uint8_t source, std::uint8_t target, const Operation& operation) {
  Transition made = go(process, source, target);
  made.operation = operation;
  return made;
}

System system_of(std::initializer_list<std::uint8_t> locations) {
  System system;
  for (const std::uint8_t count : locations) add_process(system, count);
  return system;
}

/// A system with everything that can be found in it.
struct Example {
  System system;
  Relations relations;
  Graph graph;

  explicit Example(System made) : system(std::move(made)) {
    lay_out(system);
    relations = relations_of(system);
    graph.explore(system, 100'000);
  }

  Outcome search(const Reduction& reduction) const {
    const SystemMachine current(system);
    Options options = options_for(strategy::DepthFirst{});
    options.method.reduction = reduction;
    options.relations = &relations;
    return explore(current.machine(), options);
  }
  std::uint64_t states(SleepMemory sleeping) const { return search({sleep_sets(sleeping)}).counts.states; }
};

/// Three processes that are independent of each other; their transitions are tried in turn.
Example three_strangers() {
  System system = system_of({3, 3, 3});
  const FieldId v = add_variable(system, 1, 1);
  system.transitions = {
      go(1, 0, 0, Assignment{v, no_field, 0}), go(1, 0, 2), go(0, 0, 2), go(0, 2, 1), go(2, 0, 2),
      go(1, 2, 0, Assignment{v, no_field, 1}), go(2, 2, 0), go(0, 1, 0),
  };
  return Example(std::move(system));
}

/// GHP92, Theorem 3.1: "All reachable states are visited by Algorithm 2."
void sleep_sets_of_the_path_lose_states() {
  const Example example = three_strangers();
  CHECK_EQUAL(example.graph.states.size(), 24u);
  CHECK_EQUAL(PrintedSleep(example.graph, example.relations, true).run().count, 21u);
  CHECK_EQUAL(example.states(SleepMemory::on_path), 21u);
  CHECK_EQUAL(StoredSleep(example.graph, example.relations).run().count, 24u);
  CHECK_EQUAL(example.states(SleepMemory::stored), 24u);
}

/// HGP92, Algorithm 3, puts a statement to sleep even if it led back to the path.
void without_the_stack_rule_more_states_are_lost() {
  System system = system_of({2, 1, 2});
  const FieldId v = add_variable(system, 1), w = add_variable(system, 1);
  Transition wait = go(2, 0, 1);
  wait.guard = {{w, Comparison::Operator::unequal, 0}};
  system.transitions = {
      go(0, 0, 0, Assignment{v, v, 1}),        go(0, 0, 1), go(1, 0, 0, Assignment{w, no_field, 1}), wait, go(2, 1, 0),
      go(2, 0, 1, Assignment{v, no_field, 1}),
  };
  const Example example(std::move(system));
  CHECK_EQUAL(example.graph.states.size(), 16u);
  CHECK_EQUAL(PrintedSleep(example.graph, example.relations, false).run().count, 14u);
  CHECK_EQUAL(example.states(SleepMemory::unconditional), 14u);
  CHECK_EQUAL(PrintedSleep(example.graph, example.relations, true).run().count, 16u);
  CHECK_EQUAL(example.states(SleepMemory::on_path), 16u);
  CHECK_EQUAL(example.states(SleepMemory::stored), 16u);
}

/// HGP92, section 3: a process may run alone if its *enabled* edges are local.
void a_disabled_option_must_be_local_too() {
  System system = system_of({4, 2});
  const FieldId x = add_variable(system, 1, 0);
  const std::uint8_t q = add_channel(system, 1, 1);
  Transition fail = go(0, 2, 3);
  fail.assertion = {{x, Comparison::Operator::unequal, 0}};
  system.transitions = {
      go(0, 0, 1, Assignment{x, no_field, 1}),
      go(0, 0, 2, Operation{Operation::Kind::receive, q, false, 0}),
      fail,
      go(1, 0, 1, Operation{Operation::Kind::send, q}),
  };
  Example example(std::move(system));
  CHECK_EQUAL(example.graph.flaws, EventSet{1} << 2);

  constexpr EventSet local = EventSet{1} << 0 | EventSet{1} << 2;
  using enum ReducedSearch::Options;
  CHECK_EQUAL(ReducedSearch(example.graph, example.relations, local, enabled, true).run().flaws, 0u);
  CHECK_EQUAL(ReducedSearch(example.graph, example.relations, local, all, true).run().flaws, example.graph.flaws);

  CHECK_EQUAL(example.search({strategy::Local{}}).counts.violations, 1u);
  for (EventId event = 0; event < example.system.events(); ++event)
    example.relations.safe[event] = local >> event & 1;  // edge by edge, as printed
  CHECK_EQUAL(example.search({strategy::Local{}}).counts.violations, 0u);
}

/// HGP92, section 3.1, and right: a process that cycles alone must not keep the others waiting forever.
void without_the_proviso_a_cycle_hides_the_other_processes() {
  System system = system_of({2, 3});
  const FieldId y = add_variable(system, 1, 1);
  Transition fail = go(1, 1, 2);
  fail.assertion = {{y, Comparison::Operator::unequal, 0}};
  system.transitions = {go(0, 0, 1), go(0, 1, 0), go(1, 0, 1), fail};
  const Example example(std::move(system));
  const auto violations = [&](bool proviso) {
    return example.search({strategy::Overman{.proviso = proviso}}).counts.violations;
  };
  CHECK_EQUAL(violations(true), 1u);
  CHECK_EQUAL(violations(false), 0u);
  const auto flaws = [&](bool proviso) {
    return ReducedSearch(example.graph, example.relations, 0, ReducedSearch::Options::all, proviso).run().flaws;
  };
  CHECK_EQUAL(flaws(true), example.graph.flaws);
  CHECK_EQUAL(flaws(false), 0u);
}

/// HGP92, Table II, protocol 2, with three processes of four locations: Algorithm 2 fires groups that it tries in vain.
/// With conflict sets these are asleep from then on, and few states remain.
void events_tried_in_vain_are_asleep() {
  System system = system_of({4, 4, 4});
  for (std::uint8_t process = 0; process < 3; ++process)
    for (std::uint8_t location = 0; location < 4; ++location)
      system.transitions.push_back(go(process, location, (location + 1) % 4));
  const Example example(std::move(system));
  const auto expect = [&](const ReductionPart& selecting, SleepMemory sleeping, std::uint64_t states,
                          std::uint64_t matched) {
    const Counts counts = example.search({selecting, sleep_sets(sleeping)}).counts;
    CHECK_EQUAL(counts.states, states);
    CHECK_EQUAL(counts.matched, matched);
  };
  expect(strategy::NoReduction{}, SleepMemory::none, 64, 64 * 3 - 63);
  expect(strategy::NoReduction{}, SleepMemory::unconditional, 64, 16 + 4 + 1);
  expect(local, SleepMemory::none, 64, 16 + 4 + 1);
  expect(local, SleepMemory::unconditional, 4 + 3 + 3, 3);
  expect(local, SleepMemory::stored, 4 + 3 + 3, 3);
}

/// Gives every event a class of its own, so that the entries for two of them can be changed.
void separate(Relations& relations) {
  Relations apart = relations;
  apart.classes = relations.events();
  apart.dependence.assign(apart.classes * apart.row_words(), 0);
  for (EventId a = 0; a < apart.classes; ++a) {
    apart.dependence_class[a] = a;
    for (EventId b = 0; b < apart.classes; ++b)
      if (relations.dependent(a, b)) apart.dependence[a * apart.row_words()] |= Word{1} << b;
  }
  relations = apart;
}

/// HGP92, Table I: a send and a receive are independent if the channel is not full. Not if the send is sorted.
void a_sorted_send_depends_on_a_receive() {
  System system = system_of({2, 2, 2});
  const FieldId got = add_variable(system, 2);
  const std::uint8_t q = add_channel(system, 2, 2);
  const Comparison is_filled{0, Comparison::Operator::equal, 1};
  Transition insert = go(1, 0, 1, Operation{Operation::Kind::sorted_send, q, true, 1});
  Transition take = go(2, 0, 1, Operation{Operation::Kind::receive, q, true, 0, got});
  insert.guard = {is_filled};
  take.guard = {is_filled};
  system.transitions = {go(0, 0, 1, Operation{Operation::Kind::send, q, true, 2}), insert, take};
  Example example(std::move(system));
  CHECK_EQUAL(example.graph.states.size(), 6u);
  CHECK_EQUAL(example.states(SleepMemory::stored), 6u);

  separate(example.relations);
  example.relations.dependence[1] &= ~(Word{1} << 2);
  example.relations.dependence[2] &= ~(Word{1} << 1);
  CHECK_EQUAL(example.states(SleepMemory::stored), 5u);
}

}  // namespace

int main() {
  return run_all({
      TEST(sleep_sets_of_the_path_lose_states),
      TEST(without_the_stack_rule_more_states_are_lost),
      TEST(a_disabled_option_must_be_local_too),
      TEST(without_the_proviso_a_cycle_hides_the_other_processes),
      TEST(events_tried_in_vain_are_asleep),
      TEST(a_sorted_send_depends_on_a_receive),
  });
}
