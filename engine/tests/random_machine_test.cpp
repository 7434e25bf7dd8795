// Random systems are what they claim to be, and so are the relations of their events.
#include "tests/random_machine.h"

#include <string>

#include "run.h"
#include "tests/check.h"
#include "tests/random/graph.h"
#include "tests/random/relations_check.h"
#include "tests/strategies.h"

namespace {

using namespace scrimp;
using namespace scrimp::testing;

constexpr std::uint32_t state_limit = 500;

template <class Check>
void for_random_systems(std::uint64_t systems, Check check) {
  Graph graph;
  for (const Profile& profile : profiles)
    for (std::uint64_t seed = 0; seed < systems; ++seed) {
      const System system = random_system(seed, profile);
      if (graph.explore(system, state_limit)) check(system, graph);
    }
}

void the_same_seed_gives_the_same_system() {
  for (const Profile& profile : profiles) {
    CHECK_EQUAL(text(random_system(7, profile)), text(random_system(7, profile)));
    CHECK(text(random_system(7, profile)) != text(random_system(8, profile)));
  }
}

void the_engine_finds_exactly_the_states_of_the_graph() {
  for_random_systems(100, [](const System& system, const Graph& graph) {
    const SystemMachine current(system);
    const Outcome outcome = explore(current.machine(), options_for(strategy::BreadthFirst{}));
    CHECK_EQUAL(outcome.counts.states, graph.states.size());
    CHECK_EQUAL(outcome.counts.deadlocks, graph.dead.size());
    CHECK_EQUAL(outcome.counts.violations > 0, graph.flaws != 0);
  });
}

void relations_are_true_in_every_state() {
  for_random_systems(500, [](const System& system, const Graph& graph) {
    const std::string complaint = RelationsCheck(graph, relations_of(system)).complaint();
    CHECK_EQUAL(complaint, "");
    if (!complaint.empty()) std::cerr << text(system);
  });
}

}  // namespace

int main() {
  return run_all({
      TEST(the_same_seed_gives_the_same_system),
      TEST(the_engine_finds_exactly_the_states_of_the_graph),
      TEST(relations_are_true_in_every_state),
  });
}
