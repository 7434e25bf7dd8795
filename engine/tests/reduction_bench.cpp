// Nanoseconds per transition of depth-first searches with a reduction that saves nothing, compared with the plain
// search.
//
//     reduction_bench [rounds [machine]]
//
// The machine counts, and all events depend on each other: every method fires the same number of transitions. Only in
// the ring, a counter depends on its neighbours alone. Successors are cheap, so that the loop and the set dominate.
// Times are CPU times.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <vector>

#include "search/stores/loops.h"
#include "store/plain_set.h"
#include "tests/grid.h"

namespace {

using namespace scrimp;
using namespace scrimp::testing;

double processor_seconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

/// Counts like a grid, but each value of a counter has its own event.
template <class AnyGrid>
struct Protocol {
  static constexpr std::uint32_t most_values = 64;

  static std::uint64_t successors(const void* context, const Word* state, Word* successors, EventId* events) {
    const std::uint64_t found = AnyGrid::successors(context, state, successors, events);
    for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(found); ++i)
      events[i] = events[i] * most_values + static_cast<EventId>(AnyGrid::value(state, events[i]));
    return found;
  }

  static Machine machine() {
    Machine machine = AnyGrid::machine();
    machine.transitions *= most_values;
    machine.functions.successors = successors;
    return machine;
  }
};

/// Whether the events of two of the counters depend on each other.
using Dependence = bool (*)(std::uint32_t a, std::uint32_t b, std::uint32_t counters);

bool always(std::uint32_t, std::uint32_t, std::uint32_t) { return true; }
bool between_neighbours(std::uint32_t a, std::uint32_t b, std::uint32_t counters) {
  return a == b || (a + 1) % counters == b || (b + 1) % counters == a;
}

/// Another event, independent of all, is never fired.
Relations relations_of(std::uint32_t events, std::uint32_t counters, Dependence dependent) {
  Relations relations;
  for (std::uint32_t event = 0; event < events; ++event) relations.process.push_back(event / (events / counters));
  relations.process.push_back(counters);
  relations.kind.assign(events + 1, 5);
  relations.safe.assign(events + 1, 0);
  relations.visible.assign(events + 1, 0);
  relations.dependence_class = relations.process;
  relations.classes = counters + 1;
  for (std::uint32_t a = 0; a < counters; ++a) {
    Word row = 0;
    for (std::uint32_t b = 0; b < counters; ++b) row |= Word{dependent(a, b, counters)} << b;
    relations.dependence.push_back(row);
  }
  relations.dependence.push_back(Word{1} << counters);
  relations.locations.resize(counters + 1);
  return relations;
}

struct Measured {
  const char* name;
  void (*search)(SearchContext&);
  Reduction reduction;
  std::vector<double> nanoseconds = {};  // per transition, of every round

  double best() const { return *std::min_element(nanoseconds.begin(), nanoseconds.end()); }
  double median() {
    std::sort(nanoseconds.begin(), nanoseconds.end());
    return nanoseconds[nanoseconds.size() / 2];
  }
};

double measure(const Machine& machine, const Relations& relations, const Measured& method) {
  Options options;
  options.method.order = strategy::DepthFirst{};
  options.method.reduction = method.reduction;
  options.relations = &relations;
  options.budget = std::uint64_t{8} << 30;
  options.question.deadlock_is_violation = false;
  Signals signals;
  SearchContext one(machine, options, signals);
  const double begin = processor_seconds();
  method.search(one);
  return 1e9 * (processor_seconds() - begin) / double(one.observer.counts.transitions);
}

/// Runs all methods once in every round, so that other load on the processor affects them equally.
template <class AnyGrid>
void measure_all(const char* name, int rounds, Dependence dependent = always) {
  constexpr std::uint32_t words = AnyGrid::words;
  const Machine machine = Protocol<AnyGrid>::machine();
  const Relations relations = relations_of(machine.transitions, machine.max_successors, dependent);
  const auto& awake = reduce<PlainSet<words>, words, NoSleep>;
  const auto& stored = reduce<PlainSet<words, SleepMark>, words, PathSleep>;
  const auto& on_path = reduce<PlainSet<words>, words, PathSleep>;
  Measured methods[] = {
      {"plain", [](SearchContext& search) { depth_first<PlainSet<words>, words>(search, Nothing{}); }, {}},
      {"nothing", awake, {}},
      {"local", awake, {strategy::Local{}}},
      {"sleep", stored, {strategy::Sleep{}}},
      {"on path", on_path, {strategy::Sleep{Mode::paper}}}};
  for (int round = 0; round < rounds; ++round)
    for (Measured& method : methods) method.nanoseconds.push_back(measure(machine, relations, method));
  for (Measured& method : methods)
    std::printf("%-8s %-8s %6.1f ns %+5.0f%%  median %6.1f ns %+5.0f%%\n", name, method.name, method.best(),
                100 * (method.best() / methods[0].best() - 1), method.median(),
                100 * (method.median() / methods[0].median() - 1));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 5;
  const std::string_view only = argc > 2 ? argv[2] : "";
  if (only.empty() || only == "small") measure_all<Grid<3, 40>>("small", rounds);
  if (only.empty() || only == "grid") measure_all<Grid<6, 10>>("grid", rounds);
  if (only.empty() || only == "torus") measure_all<Grid<5, 14, 5, Quirks{.wraps = true}>>("torus", rounds);
  if (only.empty() || only == "ring")
    measure_all<Grid<5, 14, 5, Quirks{.wraps = true}>>("ring", rounds, between_neighbours);
  if (only.empty() || only == "wide") measure_all<Grid<6, 10, 2>>("wide", rounds);
}
