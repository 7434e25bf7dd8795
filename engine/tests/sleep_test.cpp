// Sleep sets, on grids whose counters are independent, and the sets themselves.
#include <set>
#include <string>

#include "reduction/sleep_sets.h"
#include "run.h"
#include "tests/check.h"
#include "tests/grid.h"
#include "tests/strategies.h"

namespace {

using namespace scrimp;
using namespace scrimp::testing;

/// Every event has a process of its own; `dependent` says which events depend on each other besides.
template <class Dependent>
Relations relations_of(std::uint32_t events, Dependent dependent) {
  Relations relations;
  relations.classes = events;
  relations.dependence.resize(events * relations.row_words());
  for (std::uint32_t a = 0; a < events; ++a) {
    relations.process.push_back(a);
    relations.kind.push_back(5);
    relations.safe.push_back(0);
    relations.visible.push_back(0);
    relations.dependence_class.push_back(a);
    for (std::uint32_t b = 0; b < events; ++b)
      if (a == b || dependent(a, b)) relations.dependence[a * relations.row_words() + b / 64] |= Word{1} << b % 64;
  }
  return relations;
}

Relations independent(std::uint32_t events) {
  return relations_of(events, [](std::uint32_t, std::uint32_t) { return false; });
}

Outcome explore(const Machine& machine, const Relations& relations, SleepMemory sleeping,
                Compress compress = Compress::none, std::uint64_t budget = std::uint64_t{256} << 20) {
  Options options;
  options.method.order = strategy::DepthFirst{};
  options.method.store = strategy::Full{compress};
  options.budget = budget;
  options.question.stop_after = 0;
  options.question.traces = 0;
  options.method.reduction = {sleep_sets(sleeping)};
  options.relations = &relations;
  Signals signals;
  return run(machine, options, signals);
}

void independent_events_are_fired_in_one_order() {
  const auto check = [](const Machine& machine, std::uint64_t states) {
    const Relations relations = independent(machine.transitions);
    for (const SleepMemory sleeping : {SleepMemory::stored, SleepMemory::on_path, SleepMemory::unconditional})
      for (const Compress compress : {Compress::none, Compress::tree}) {
        const Outcome outcome = explore(machine, relations, sleeping, compress);
        CHECK_EQUAL(std::string(name(outcome.reason)), "closed");
        CHECK_EQUAL(outcome.counts.states, states);
        CHECK_EQUAL(outcome.counts.transitions, states - 1);
        CHECK_EQUAL(outcome.counts.deadlocks, 1u);
      }
  };
  check(Grid<5, 10>::machine(), 100'000);
  check(Grid<4, 10, 2>::machine(), 10'000);
  check(Grid<5, 6, 1>::machine(), 7776);
}

void dependent_events_are_fired_in_every_order() {
  const Machine machine = Grid<3, 16>::machine();
  const Relations relations = relations_of(3, [](std::uint32_t, std::uint32_t) { return true; });
  const Outcome outcome = explore(machine, relations, SleepMemory::stored);
  CHECK_EQUAL(outcome.counts.states, 4096u);
  CHECK_EQUAL(outcome.counts.transitions, 3u * 15 * 256);
}

void a_torus_is_visited_completely() {
  using Torus = Grid<3, 12, 3, Quirks{.wraps = true}>;
  const Machine machine = Torus::machine();
  const Relations relations = independent(3);
  for (const SleepMemory sleeping : {SleepMemory::stored, SleepMemory::on_path}) {
    const Outcome outcome = explore(machine, relations, sleeping);
    CHECK_EQUAL(outcome.counts.states, 12u * 12 * 12);
    CHECK_EQUAL(outcome.counts.states + outcome.counts.matched, outcome.counts.transitions + 1);
  }
}

/// Wherever memory runs out: a set for which there was no room is invalid and must not be used.
void a_search_without_room_for_its_sleep_sets_ends() {
  const Machine machine = Grid<14, 2, 14, Quirks{.wraps = true}>::machine();
  const Relations relations = relations_of(14, [](std::uint32_t a, std::uint32_t b) { return (a + b) % 5 == 0; });
  std::set<std::string> reasons;
  for (std::uint64_t budget = 1 << 18; budget < 1 << 23; budget += budget / 64)
    reasons.insert(name(explore(machine, relations, SleepMemory::stored, Compress::none, budget).reason));
  CHECK_EQUAL(reasons.size(), 2u);
  CHECK_EQUAL(reasons.count("closed") + reasons.count("memory"), 2u);
}

void equal_sets_have_the_same_number() {
  Budget budget(std::uint64_t{64} << 20);
  const Relations relations = independent(100);
  SleepSetTable sets(relations, budget);
  const SleepSet ab = sets.with(sets.with(SleepSetTable::empty, 7), 3);
  CHECK_EQUAL(ab, sets.with(sets.with(SleepSetTable::empty, 3), 7));
  CHECK_EQUAL(ab, sets.with(ab, 7));
  CHECK(sets.contains(ab, 3) && sets.contains(ab, 7) && !sets.contains(ab, 5));
  CHECK_EQUAL(sets.intersection(ab, sets.with(SleepSetTable::empty, 9)), SleepSetTable::empty);
  CHECK(sets.includes(sets.with(ab, 9), ab) && !sets.includes(ab, sets.with(ab, 9)));
}

void set_operations_agree_with_std_set() {
  Budget budget(std::uint64_t{64} << 20);
  constexpr std::uint32_t events = 40;
  const Relations relations = relations_of(events, [](std::uint32_t a, std::uint32_t b) { return (a * b) % 3 == 1; });
  SleepSetTable sets(relations, budget);
  SleepSet set = SleepSetTable::empty;
  std::set<EventId> obvious;
  std::uint32_t random = 12345;
  for (int i = 0; i < 20'000; ++i) {
    random = random * 1664525 + 1013904223;
    const EventId event = (random >> 8) % events;
    if (random >> 30 == 0) {
      set = sets.after(set, event);
      std::erase_if(obvious, [&](EventId each) { return relations.dependent(each, event); });
    } else {
      set = sets.with(set, event);
      obvious.insert(event);
    }
    for (EventId each = 0; each < events; ++each) CHECK_EQUAL(sets.contains(set, each), obvious.contains(each));
  }
}

}  // namespace

int main() {
  return run_all({
      TEST(independent_events_are_fired_in_one_order),
      TEST(dependent_events_are_fired_in_every_order),
      TEST(a_torus_is_visited_completely),
      TEST(a_search_without_room_for_its_sleep_sets_ends),
      TEST(equal_sets_have_the_same_number),
      TEST(set_operations_agree_with_std_set),
  });
}
