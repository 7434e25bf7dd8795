// Nanoseconds per transition of a depth-first loop over each set that can forget, compared with the plain set.
//
//     cache_bench [percent of the states that the cache has room for] [repetitions]
//
// The machine counts, in one word or in three: its successors are cheap, so that the loop and the set dominate. Times
// are CPU times.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "store/cache_set.h"
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

/// Gives a plain set the interface of one that can forget.
template <std::uint32_t Words>
struct Plain {
  Plain(const Machine& machine, const CacheOptions&, Budget& budget) : set(machine, budget) {}
  void prepare(const Word* states, std::uint32_t count, Word* keys) { set.prepare(states, count, keys); }
  typename CacheSet<Words>::Entry visit(const Word* state, Word key, EventId) {
    return {set.visit(state, key).insertion, 0};
  }
  void unpin(Slot) {}
  std::uint64_t bytes() const { return set.bytes(); }
  std::uint64_t size() const { return set.size(); }

  PlainSet<Words> set;
};

struct Counted {
  std::uint64_t transitions = 0;
  std::uint64_t entered = 0;
};

/// Depth-first: a frame for each state of the path, with its successors.
template <class Set>
Counted search(const Machine& machine, Set& set, std::uint64_t most_transitions) {
  struct Frame {
    std::uint32_t next, end;
    Slot slot;
  };
  Counted counted;
  std::vector<Frame> path;
  std::vector<Word> states(machine.words), keys(1);
  std::vector<EventId> events(machine.max_successors);
  std::vector<Word> successors(std::size_t{machine.max_successors} * machine.words);
  machine.initial(states.data());
  const auto enter = [&](std::uint32_t place) {
    const auto entered = set.visit(&states[std::size_t{place} * machine.words], keys[place],
                                   static_cast<EventId>(1 + counted.transitions % 5));
    if (entered.insertion == Insertion::no_room) std::abort();
    if (entered.insertion != Insertion::fresh) return;
    ++counted.entered;
    const auto begin = static_cast<std::uint32_t>(keys.size());
    if (states.size() < (std::size_t{begin} + machine.max_successors) * machine.words)
      states.resize((std::size_t{begin} + machine.max_successors) * machine.words * 2);
    const auto count = static_cast<std::uint32_t>(machine.successors(
        &states[std::size_t{place} * machine.words], &states[std::size_t{begin} * machine.words], events.data()));
    keys.resize(begin + count);
    set.prepare(&states[std::size_t{begin} * machine.words], count, &keys[begin]);
    path.push_back({begin, begin + count, entered.slot});
  };
  set.prepare(states.data(), 1, keys.data());
  enter(0);
  while (!path.empty() && counted.transitions < most_transitions) {
    Frame& last = path.back();
    if (last.next != last.end) {
      ++counted.transitions;
      enter(last.next++);
    } else {
      set.unpin(last.slot);
      keys.resize(path.size() > 1 ? path[path.size() - 2].end : 1);
      path.pop_back();
    }
  }
  return counted;
}

template <class Set>
double measure(const char* machine_name, const char* name, const Machine& machine, const CacheOptions& options,
               int repetitions, double reference) {
  double best = 1e9;
  std::uint64_t bytes = 0, size = 0;
  Counted counted;
  for (int i = 0; i < repetitions; ++i) {
    Budget budget(std::uint64_t{16} << 30);
    Set set(machine, options, budget);
    const double begin = processor_seconds();
    counted = search(machine, set, 60'000'000);
    best = std::min(best, 1e9 * (processor_seconds() - begin) / double(counted.transitions));
    bytes = set.bytes(), size = set.size();
  }
  std::printf("%-8s %-17s %6.1f ns %+5.0f%%  %6.1f B/state  %llu entered, %llu transitions\n", machine_name, name, best,
              100 * (best / (reference == 0 ? best : reference) - 1), double(bytes) / double(size),
              static_cast<unsigned long long>(counted.entered), static_cast<unsigned long long>(counted.transitions));
  std::fflush(stdout);
  return best;
}

template <class AnyGrid>
void measure_all(const char* name, std::uint64_t percent, int repetitions) {
  constexpr std::uint32_t state_words = AnyGrid::words;
  const Machine machine = AnyGrid::machine();
  Budget budget(std::uint64_t{16} << 30);
  Plain<state_words> all(machine, {}, budget);
  search(machine, all, ~std::uint64_t{0});
  const double plain = measure<Plain<state_words>>(name, "(plain set)", machine, {}, repetitions, 0);
  constexpr std::uint8_t kinds[] = {0, 1, 2, 3, 4, 5};
  CacheOptions options{.kinds = kinds};
  measure<CacheSet<state_words>>(name, "(forgets none)", machine, options, repetitions, plain);
  for (std::size_t i = 0; i < words(Policy{}).size(); ++i) {
    const Policy policy{static_cast<std::uint8_t>(i)};
    strategy::Cache replacement;
    replacement.states = all.size() * percent / 100;
    replacement.policy = {{policy, 100}};
    options.cache = &replacement;
    measure<CacheSet<state_words>>(name, words(policy)[i].data(), machine, options, repetitions, plain);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t percent = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100;
  const int repetitions = argc > 2 ? std::atoi(argv[2]) : 3;
  measure_all<Grid<3, 40>>("small", percent, repetitions);
  measure_all<Grid<5, 16>>("grid", percent, repetitions);
  measure_all<Grid<6, 10, 2>>("wide", percent, repetitions);
}
