// Nanoseconds per transition of depth-first searches with a reduction that brings nothing, beside the plain search.
//
//     reduction_bench [repetitions [machine]]
//
// The machine counts, and every event depends on every other: as many transitions are fired with each method. Its
// successors are cheap, so that the loop and the set are all there is. The time is the processor's.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string_view>

#include "search/with_reductions.h"
#include "tests/grid.h"

namespace {

using namespace scrimp;
using namespace scrimp::testing;

double processor_seconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

/// Event i is all that process i, which is counter i, ever does.
Relations all_dependent(std::uint32_t events) {
  Relations relations;
  for (std::uint32_t event = 0; event < events; ++event) relations.process.push_back(event);
  relations.kind.assign(events, 5);
  relations.safe.assign(events, 0);
  relations.visible.assign(events, 0);
  relations.dependence_class.assign(events, 0);
  relations.classes = 1;
  relations.dependence = {1};
  relations.locations.resize(events);
  return relations;
}

double measure(const char* machine_name, const char* name, const Machine& machine, void (*search)(Search&),
               const Reduction& reduction, int repetitions, double plain) {
  const Relations relations = all_dependent(machine.transitions);
  Options options;
  options.order = Order::depth_first;
  options.reduction = reduction;
  options.relations = &relations;
  options.budget = std::uint64_t{8} << 30;
  options.question.deadlock_is_violation = false;
  double best = 1e9;
  for (int i = 0; i < repetitions; ++i) {
    Signals signals;
    Search one(machine, options, signals);
    const double begin = processor_seconds();
    search(one);
    best = std::min(best, 1e9 * (processor_seconds() - begin) / double(one.observer.counts.transitions));
  }
  std::printf("%-8s %-8s %6.1f ns %+5.0f%%\n", machine_name, name, best,
              100 * (best / (plain == 0 ? best : plain) - 1));
  std::fflush(stdout);
  return best;
}

template <class AnyGrid>
void measure_all(const char* name, int repetitions) {
  constexpr std::uint32_t words = AnyGrid::words;
  const Machine machine = AnyGrid::machine();
  const auto& unmarked = reduced_depth_first<UnmarkedPlainSet<words>, words>;
  const auto& marked = reduced_depth_first<MarkedPlainSet<words>, words>;
  const double plain = measure(name, "plain", machine, depth_first<PlainSet<words>, words>, {}, repetitions, 0);
  measure(name, "local", machine, unmarked, {.selecting = Selecting::local}, repetitions, plain);
  measure(name, "sleep", machine, marked, {.sleeping = Sleeping::stored}, repetitions, plain);
  measure(name, "on path", machine, unmarked, {.sleeping = Sleeping::on_path}, repetitions, plain);
}

}  // namespace

int main(int argc, char** argv) {
  const int repetitions = argc > 1 ? std::atoi(argv[1]) : 5;
  const std::string_view only = argc > 2 ? argv[2] : "";
  if (only.empty() || only == "small") measure_all<Grid<3, 40>>("small", repetitions);
  if (only.empty() || only == "grid") measure_all<Grid<6, 10>>("grid", repetitions);
  if (only.empty() || only == "torus") measure_all<Grid<5, 14, 5, Quirks{.wraps = true}>>("torus", repetitions);
  if (only.empty() || only == "wide") measure_all<Grid<6, 10, 2>>("wide", repetitions);
}
