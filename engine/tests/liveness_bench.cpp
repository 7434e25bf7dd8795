// Nanoseconds per transition of liveness searches on a torus, beside a depth-first search of the same states.
//
//     liveness_bench [repetitions]
//
// `one` is an automaton of one state whose edges have different marks, `two` one that waits before it accepts; no run
// is accepted. Times are CPU times, so that a busy machine disturbs less.
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "run.h"
#include "tests/grid.h"

namespace {

using namespace scrimp;
using namespace scrimp::testing;

using Torus = Grid<3, 100, 3, Quirks{.watched_at = 200, .wraps = true}>;

/// Watch 0 is never hit, watch 1 on an axis.
Automaton one_state() { return {1, 0, 1, {{0, 0, {{1, 0}}, 1}, {0, 0, {{0, 1}}, 0}}}; }
Automaton two_states() { return {2, 0, 1, {{0, 0, {{0, 0}}, 0}, {0, 1, {{1, 0}}, 0}, {1, 1, {{1, 0}}, 1}}}; }

void measure(const char* what, const LivenessQuestion* question, Compress compress, int repetitions) {
  double best = 1e9;
  Outcome outcome;
  for (int i = 0; i < repetitions; ++i) {
    Options options;
    options.method = {strategy::DepthFirst{}, strategy::Full{compress}, {}};
    options.budget = std::uint64_t{4} << 30;
    options.question.deadlock_is_violation = false;
    options.liveness = question;
    Signals signals;
    const std::clock_t start = std::clock();
    outcome = run(Torus::machine(), options, signals);
    best = std::min(best, double(std::clock() - start) / CLOCKS_PER_SEC);
  }
  std::printf("%-22s %10llu transitions %6.1f ns, %s\n", what,
              static_cast<unsigned long long>(outcome.counts.transitions),
              best * 1e9 / double(outcome.counts.transitions), name(outcome.reason));
}

LivenessQuestion question_of(Automaton automaton, const Movers& movers = {}) {
  LivenessQuestion question;
  question.automaton = std::move(automaton);
  question.movers = movers;
  return question;
}

}  // namespace

int main(int count, char** arguments) {
  const int repetitions = count > 1 ? std::atoi(arguments[1]) : 3;
  measure("states", nullptr, Compress::none, repetitions);
  const LivenessQuestion one = question_of(one_state());
  const LivenessQuestion two = question_of(two_states());
  const LivenessQuestion weak = question_of(two_states(), {3, {0}, {1, 2, 4}, {0, 0, 0}});
  const LivenessQuestion strong = question_of(two_states(), {3, {7}, {1, 2, 4}, {0, 0, 0}});
  measure("components, one", &one, Compress::none, repetitions);
  measure("components, two", &two, Compress::none, repetitions);
  measure("weak fairness", &weak, Compress::none, repetitions);
  measure("strong fairness", &strong, Compress::none, repetitions);
  measure("states, cleary", nullptr, Compress::cleary, repetitions);
  measure("nested, one", &one, Compress::cleary, repetitions);
  measure("nested, two", &two, Compress::cleary, repetitions);
}
