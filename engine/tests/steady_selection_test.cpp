// Reduced searches for infinite runs on random systems: for automata that do not count repetitions of a letter, the
// answer is that of a search that leaves out nothing.
#include "search/liveness/steady_selection.h"

#include <string>
#include <vector>

#include "run.h"
#include "tests/check.h"
#include "tests/scene.h"
#include "tests/strategies.h"

namespace {

using namespace scrimp;
using namespace scrimp::testing;

constexpr std::uint64_t seeds_per_profile = 60;

/// A literal of the watch `atom`.
Cube literal(unsigned atom, bool positive) { return positive ? Cube{Word{1} << atom, 0} : Cube{0, Word{1} << atom}; }
Cube both(const Cube& one, const Cube& other) {
  return {one.true_atoms | other.true_atoms, one.false_atoms | other.false_atoms};
}

/// Automata of formulas without X over two literals, `a`, with its negation, and `b`.
std::vector<Automaton> automata(const Cube& a, const Cube& not_a, const Cube& b, const Cube& not_b) {
  const Cube any;
  return {
      {1, 0, 0, {{0, 0, {a}, 0}}},                                                      // [] a
      {1, 0, 1, {{0, 0, {any}, 0}, {0, 0, {a}, 1}}},                                    // [] <> a
      {1, 0, 2, {{0, 0, {any}, 0}, {0, 0, {a}, 1}, {0, 0, {b}, 2}}},                    // [] <> a && [] <> b
      {2, 0, 1, {{0, 0, {any}, 0}, {0, 1, {a}, 0}, {1, 1, {a}, 1}}},                    // <> [] a
      {2, 0, 1, {{0, 0, {any}, 0}, {0, 1, {both(a, b)}, 0}, {1, 1, {b}, 1}}},           // <> (a && [] b)
      {2, 0, 1, {{0, 0, {a}, 0}, {0, 1, {b}, 0}, {1, 1, {b}, 1}}},                      // a U [] b
      {2, 0, 1, {{0, 0, {any}, 0}, {0, 1, {a}, 0}, {1, 1, {any}, 0}, {1, 1, {b}, 1}}},  // <> a && [] <> b
      {2,
       0,
       1,  // [] (a -> <> b)
       {{0, 0, {not_a, b}, 1}, {0, 1, {both(a, not_b)}, 0}, {1, 1, {not_b}, 0}, {1, 0, {b}, 1}}},
      {4,
       0,
       1,  // <> (a && <> (!a && <> (a && [] b)))
       {{0, 0, {any}, 0},
        {0, 1, {a}, 0},
        {1, 1, {any}, 0},
        {1, 2, {not_a}, 0},
        {2, 2, {any}, 0},
        {2, 3, {both(a, b)}, 0},
        {3, 3, {b}, 1}}},
  };
}

bool leads_up(const Transition& transition) {
  for (const Move& move : transition.moves)
    if (move.target <= move.source) return false;
  return true;
}

/// Another ranking of locations than that of src/scrimp/reduction/recurrence.py: by their numbers.
bool recurs(const System& system, const Transition& transition) {
  if (!leads_up(transition)) return true;
  if (transition.holder == no_process) return false;
  for (const Transition& each : system.transitions)
    if (each.moves[0].process == transition.holder &&
        (!leads_up(each) || (each.holder != no_process && each.holder != transition.holder)))
      return true;
  return false;
}

Relations relations_for_runs(const System& system) {
  Relations relations = relations_of(system);
  for (EventId event = 0; event < system.events(); ++event)
    if (recurs(system, system.transitions[event])) relations.visible[event] = 1;
  return relations;
}

Outcome search(const Machine& machine, const Automaton& automaton, const Relations& relations, Reduction reduction,
               bool audit = false) {
  LivenessQuestion question;
  question.automaton = automaton;
  Options options = options_for(strategy::DepthFirst{});
  options.method.reduction = std::move(reduction);
  options.relations = &relations;
  options.liveness = &question;
  options.audit = audit;
  Signals signals;
  return run(machine, options, signals);
}

/// The number of searches that visit fewer states.
std::uint64_t compare(const System& system, std::uint64_t seed) {
  const SystemMachine machine(system);
  const Relations relations = relations_for_runs(system);
  const bool first = (seed & 1) != 0, second = (seed & 2) != 0;
  std::uint64_t saving = 0;
  for (const Automaton& automaton :
       automata(literal(0, first), literal(0, !first), literal(1, second), literal(1, !second))) {
    const Outcome all = search(machine.machine(), automaton, relations, {});
    for (const ReductionPart& part : {local, stubborn}) {
      const Outcome reduced = search(machine.machine(), automaton, relations, {part}, seed % 8 == 0);
      CHECK_EQUAL(std::string(name(reduced.reason)), std::string(name(all.reason)));
      CHECK_EQUAL(reduced.complaint, "");
      saving += reduced.counts.states < all.counts.states;
    }
  }
  return saving;
}

void the_answer_is_that_of_a_search_that_leaves_out_nothing() {
  std::uint64_t saving = 0;
  for (Profile profile : profiles) {
    profile.watches = {2, 2};
    for (std::uint64_t seed = 0; seed < seeds_per_profile; ++seed) {
      const int before = failures;
      saving += compare(random_system(seed, profile), seed);
      if (failures != before)
        std::fprintf(stderr, "profile %s, seed %llu\n", profile.name, static_cast<unsigned long long>(seed));
    }
  }
  CHECK(saving > 100);
}

/// A process that loops alone, and one with a single transition; watch 0 is hit once the latter has left location 0.
System loop_beside(Transition other) {
  System system = processes({2, 2});
  lay_out(system);
  system.transitions = {step(0, 0, 1), step(0, 1, 0), std::move(other)};
  system.watches = {{{1, Comparison::Operator::equal, 1}}};
  return system;
}

std::string answer(const System& system, const Automaton& automaton, const Relations& relations, Reduction reduction) {
  const SystemMachine machine(system);
  return name(search(machine.machine(), automaton, relations, std::move(reduction)).reason);
}

void a_loop_does_not_postpone_other_events_forever() {
  const System system = loop_beside(step(1, 0, 1));
  const Automaton again_and_again = {1, 0, 1, {{0, 0, {{}}, 0}, {0, 0, {literal(0, true)}, 1}}};
  CHECK_EQUAL(answer(system, again_and_again, relations_of(system), {}), "violations");
  for (const ReductionPart& part : {local, stubborn}) {
    CHECK_EQUAL(answer(system, again_and_again, relations_of(system), {part}), "closed");
    CHECK_EQUAL(answer(system, again_and_again, relations_for_runs(system), {part}), "violations");
  }
}

void a_fault_ends_no_run_of_the_other_processes() {
  Transition fails = step(1, 0, 1);
  fails.assertion = {{1, Comparison::Operator::equal, 1}};
  fails.is_fatal = true;
  System system = loop_beside(fails);
  system.watches = {{{0, Comparison::Operator::equal, 3}}};
  const Automaton any = {1, 0, 0, {{0, 0, {{}}, 0}}};
  for (const ReductionPart& part : {local, stubborn})
    CHECK_EQUAL(answer(system, any, relations_for_runs(system), {part}), "violations");
}

}  // namespace

int main() {
  const Test tests[] = {
      TEST(a_loop_does_not_postpone_other_events_forever),
      TEST(a_fault_ends_no_run_of_the_other_processes),
      TEST(the_answer_is_that_of_a_search_that_leaves_out_nothing),
  };
  return scrimp::testing::run_all(tests);
}
