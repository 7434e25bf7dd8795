// Searches by several threads, of random systems with every store that threads share: their results are those of one
// thread. Under ThreadSanitizer, a soak test.
//
//     threads_explorer [--seconds N] [--first SEED] [--threads N]
//
// Systems take turns: small ones with violations, holders and the like, in rounds of a few states, and large ones whose
// states have many words, so that tables grow and change their representation. Threads vary from 2 to `--threads`. The
// first difference is printed, and the exit code is 1.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <string_view>

#include "tests/outcome_text.h"
#include "tests/random_machine.h"
#include "tests/scrambled.h"
#include "tests/strategies.h"

namespace {

using namespace scrimp;
using namespace scrimp::testing;

class Soak {
 public:
  explicit Soak(std::uint32_t most_threads) : most_threads_(std::max<std::uint32_t>(most_threads, 2)) {}

  /// Returns false if a result differs.
  bool try_one(std::uint64_t seed) {
    random_.seed(seed);
    return seed % 8 == 0 ? try_large(seed) : try_small(seed);
  }

  std::uint64_t searches() const { return searches_; }
  std::uint64_t states() const { return states_; }

 private:
  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }

  Store store() {
    switch (below(6)) {
      case 0: return strategy::Full{Compress::none};
      case 1: return strategy::Full{Compress::tree};
      case 2: return strategy::Full{Compress::cleary};
      case 3: return strategy::Compact{};
      case 4: return strategy::Bitstate{1 << 20, 3};
      default: return strategy::Auto{};
    }
  }

  Options options() {
    Options made = options_for(strategy::BreadthFirst{});
    made.method.store = store();
    made.worth_sharing = 1 + below(64);
    return made;
  }

  bool try_small(std::uint64_t seed) {
    const System system = random_system(seed, profiles[below(std::size(profiles))]);
    const SystemMachine current(system);
    Options tried = options();
    tried.question.deadlock_is_violation = below(2) == 0;
    (below(2) == 0 ? tried.question.violation_watches : tried.question.goal_watches) = 1;
    tried.question.stop_after = below(4);
    if (below(2) == 0) tried.shuffle_seed = seed;
    return agree(seed, current.machine(), tried);
  }

  bool try_large(std::uint64_t seed) {
    Scrambled::Shape shape{};
    shape.words = static_cast<std::uint32_t>(1 + below(6));
    shape.nodes = 1 + below(60'000);
    shape.lower = shape.words == 1 || below(3) == 0 ? 44 : static_cast<unsigned>(6 + below(12));
    shape.children = static_cast<std::uint32_t>(2 + below(4));
    const Scrambled system(shape);
    Options tried = options();
    tried.worth_sharing *= 64;
    if (std::holds_alternative<strategy::Auto>(tried.method.store)) {
      tried.disk = std::uint64_t{1} << 30;
      tried.change_after = 1 + below(50'000);
    }
    return agree(seed, system.machine(), tried);
  }

  bool agree(std::uint64_t seed, const Machine& machine, Options tried) {
    tried.threads = 1;
    const std::string alone = text_of(search(machine, tried));
    tried.threads = static_cast<std::uint32_t>(2 + below(most_threads_ - 1));
    const std::string shared = text_of(search(machine, tried));
    if (shared == alone) return true;
    std::cout << "seed " << seed << ": one thread\n"
              << alone << "\n"
              << tried.threads << " threads\n"
              << shared << "\n";
    return false;
  }

  Outcome search(const Machine& machine, const Options& tried) {
    Outcome outcome = explore(machine, tried);
    ++searches_;
    states_ += outcome.counts.states;
    return outcome;
  }

  std::mt19937_64 random_;
  const std::uint32_t most_threads_;
  std::uint64_t searches_ = 0, states_ = 0;
};

}  // namespace

int main(int count, char** arguments) {
  double seconds = 10;
  std::uint64_t first = 0;
  std::uint32_t threads = 3;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string_view option = arguments[i];
    if (option == "--seconds") seconds = std::atof(arguments[i + 1]);
    if (option == "--first") first = std::strtoull(arguments[i + 1], nullptr, 10);
    if (option == "--threads") threads = static_cast<std::uint32_t>(std::strtoul(arguments[i + 1], nullptr, 10));
  }
  Soak soak(threads);
  bool agrees = true;
  std::uint64_t seed = first;
  const auto began = std::chrono::steady_clock::now();
  while (agrees && std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count() < seconds)
    agrees = soak.try_one(seed++);
  std::cout << seed - first << " systems, " << soak.searches() << " searches, " << soak.states() << " states, "
            << (agrees ? "no difference" : "a difference") << "\n";
  return agrees ? 0 : 1;
}
