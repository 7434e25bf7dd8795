// Nanoseconds per transition of the search loops, on machines written by hand.
//
//     search_bench [small|peterson|grid|wide|all] [repetitions] [bfs|dfs|all] [none|tree|cleary|all]
//
// `peterson` is Peterson's algorithm for N processes in one word, `grid` counters in one word (cheap successors: the
// loop and the store dominate), `wide` the same in three words, `small` a grid whose table fits the caches: only the
// loop remains. Times are CPU times, so that a busy machine disturbs less.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include "run.h"
#include "tests/grid.h"

namespace {

using namespace scrimp;
using namespace scrimp::testing;

/// Peterson's algorithm: each process passes N - 1 gates; at a gate it notes its level, then itself as the last to
/// arrive, and waits until another arrived later or all others are behind. Per process: place (2 bits), level (3),
/// other process tested (3).
template <std::uint32_t N>
struct Peterson {
  static constexpr std::uint32_t process_bits = 8;
  static constexpr std::uint32_t last_bits = 3;
  static constexpr std::uint8_t word_bits[] = {1 + N * process_bits + (N - 1) * last_bits};
  static_assert(word_bits[0] <= 64);

  enum Place : Word { idle, noting, waiting, critical };

  static Word get(Word state, std::uint32_t shift, std::uint32_t bits) {
    return state >> shift & ((Word{1} << bits) - 1);
  }
  static Word set(Word state, std::uint32_t shift, std::uint32_t bits, Word value) {
    return (state & ~(((Word{1} << bits) - 1) << shift)) | value << shift;
  }
  static constexpr std::uint32_t base(std::uint32_t process) { return 1 + process * process_bits; }
  static constexpr std::uint32_t last(Word level) {
    return 1 + N * process_bits + (static_cast<std::uint32_t>(level) - 1) * last_bits;
  }

  static void initial(const void*, Word* state) { *state = 1; }

  static std::uint64_t successors(const void*, const Word* from, Word* next, EventId* events) {
    const Word state = *from;
    std::uint32_t count = 0;
    const auto add = [&](Word successor, EventId event) {
      next[count] = successor;
      events[count++] = event;
    };
    for (std::uint32_t process = 0; process < N; ++process) {
      const std::uint32_t at = base(process);
      const Word level = get(state, at + 2, 3);
      const Word other = get(state, at + 5, 3);
      switch (get(state, at, 2)) {
        case idle: add(set(set(state, at, 2, noting), at + 2, 3, 1), 8 * process); break;
        case noting:
          add(set(set(set(state, at, 2, waiting), last(level), last_bits, process), at + 5, 3, 0), 8 * process + 1);
          break;
        case waiting:
          if (get(state, last(level), last_bits) != process || other == N) {
            add(level + 1 == N ? set(state, at, 2, critical) : set(set(state, at, 2, noting), at + 2, 3, level + 1),
                8 * process + 2);
          } else if (other == process || get(state, base(static_cast<std::uint32_t>(other)) + 2, 3) < level) {
            add(set(state, at + 5, 3, other + 1), 8 * process + 3);
          }
          break;
        case critical: add(set(state, at, process_bits, 0), 8 * process + 4); break;
      }
    }
    return count;
  }

  static Machine machine() {
    return {.words = 1,
            .max_successors = N,
            .transitions = 8 * N,
            .word_bits = word_bits,
            .functions = {.initial = initial, .successors = successors}};
  }
};

using Torus = Grid<4, 16, 4, Quirks{.wraps = true}>;

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct Wanted {
  std::string model = "all";
  int repetitions = 1;
  std::string order = "all";
  std::string compress = "all";

  static bool wants(const std::string& wanted, const char* name) { return wanted == "all" || wanted == name; }
};

struct NamedOrder {
  const char* name;
  Order order;
};
struct NamedCompress {
  const char* name;
  Compress compress;
};

constexpr NamedOrder orders[] = {{"bfs", strategy::BreadthFirst{}}, {"dfs", strategy::DepthFirst{}}};
constexpr NamedCompress compressions[] = {
    {"none", Compress::none}, {"tree", Compress::tree}, {"cleary", Compress::cleary}};

void measure(const char* name, const Machine& machine, const NamedOrder& order, const NamedCompress& compress,
             int repetitions) {
  Options options;
  options.method.order = order.order;
  options.method.store = strategy::Full{compress.compress};
  options.budget = std::uint64_t{12} << 30;
  options.question = {0, 0, false, 0, 0};
  double best = 1e9;
  Outcome outcome;
  for (int i = 0; i < repetitions; ++i) {
    Signals signals;
    const double start = processor_seconds();
    outcome = run(machine, options, signals);
    best = std::min(best, processor_seconds() - start);
  }
  const double transitions = static_cast<double>(outcome.counts.transitions);
  const double states = static_cast<double>(outcome.counts.states);
  std::printf("%-9s %s %-6s %9.0f states %10.0f transitions %6.1f ns/transition %5.1f M/s %5.1f bytes/state\n", name,
              order.name, compress.name, states, transitions, best * 1e9 / transitions, transitions / best / 1e6,
              static_cast<double>(outcome.report.whole("state_bytes")) / states);
  std::fflush(stdout);
}

void measure_all(const char* name, const Machine& machine, const Wanted& wanted) {
  if (!Wanted::wants(wanted.model, name)) return;
  for (const NamedOrder& order : orders) {
    if (!Wanted::wants(wanted.order, order.name)) continue;
    for (const NamedCompress& compress : compressions) {
      if (!Wanted::wants(wanted.compress, compress.name)) continue;
      measure(name, machine, order, compress, wanted.repetitions);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  Wanted wanted;
  if (argc > 1) wanted.model = argv[1];
  if (argc > 2) wanted.repetitions = std::atoi(argv[2]);
  if (argc > 3) wanted.order = argv[3];
  if (argc > 4) wanted.compress = argv[4];
  measure_all("small", Torus::machine(), wanted);
  measure_all("peterson", Peterson<5>::machine(), wanted);
  measure_all("grid", Grid<4, 56>::machine(), wanted);
  measure_all("wide", Grid<6, 14, 2>::machine(), wanted);
}
