// Every depth-first method on random systems, compared with a reference search.
//
//     random_explorer [--systems N] [--first SEED] [--method PART] [--profile NAME] [--states N] [--sample N]
//                     [--strict yes]
//     random_explorer --list
//
// A method is STORE/COMPRESSION/REDUCTION; all methods whose name contains PART are tried (`/sleep` is a reduction,
// `full/` a store; `=NAME` is exactly that method), or `--sample` of them on each system, in turn. Without a profile,
// systems of all profiles take turns. On the first difference the system is shrunk and printed, and the exit code is 1.
// Methods as printed in the papers may lose something: their losses are counted, unless `--strict` makes them
// differences as well.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tests/random/graph.h"
#include "tests/random/methods.h"
#include "tests/random/recycled_memory.h"
#include "tests/random/shrink.h"
#include "tests/random/trial.h"
#include "tests/random_machine.h"

namespace {

using namespace scrimp;
using namespace scrimp::testing;

struct Request {
  std::uint64_t systems = 1000;
  std::uint64_t first = 0;
  std::string method;
  const Profile* profile = nullptr;  // null: all in turn
  std::uint32_t states = 2000;       // larger systems are skipped
  std::size_t sample = ~std::size_t{0};
  bool is_strict = false;
};

struct Tally {
  std::uint64_t trials = 0;
  std::uint64_t undecided = 0;
  std::uint64_t losses = 0;
  std::uint64_t first_loss = 0;  // its seed
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::clock_t time = 0;

  void add(const Trial& trial, std::uint64_t seed, std::clock_t taken) {
    ++trials;
    undecided += trial.verdict == Verdict::undecided;
    if (trial.verdict == Verdict::differs && losses++ == 0) first_loss = seed;
    states += trial.outcome.counts.states;
    transitions += trial.outcome.counts.transitions;
    time += taken;
  }

  void add(const Tally& other) {
    trials += other.trials;
    undecided += other.undecided;
    if (losses == 0) first_loss = other.first_loss;
    losses += other.losses;
    states += other.states;
    transitions += other.transitions;
    time += other.time;
  }
};

bool matches(const TriedMethod& method, const std::string& wanted) {
  if (wanted.starts_with('=')) return method.name == wanted.substr(1);
  return method.name.find(wanted) != std::string::npos;
}

std::vector<TriedMethod> methods_named(const std::string& part) {
  std::vector<TriedMethod> methods = all_methods();
  std::erase_if(methods, [&](const TriedMethod& each) { return !matches(each, part); });
  return methods;
}

/// The methods on one system; the graph is kept from system to system.
class Explorer {
 public:
  explicit Explorer(const Request& request)
      : request_(request), methods_(methods_named(request.method)), tallies_(methods_.size()) {}

  bool run() {
    for (std::uint64_t seed = request_.first; seed < request_.first + request_.systems; ++seed)
      if (!explore(seed)) return false;
    return true;
  }

  void report() const {
    std::printf("%llu systems, %llu of them too large, %.1f states each\n",
                static_cast<unsigned long long>(request_.systems), static_cast<unsigned long long>(too_large_),
                static_cast<double>(states_) / static_cast<double>(request_.systems));
    std::printf("%-52s %9s %9s %9s %11s %11s %9s\n", "method", "trials", "undecided", "lost", "states", "transitions",
                "us/trial");
    std::map<std::string, Tally> groups;
    for (std::size_t i = 0; i < methods_.size(); ++i) groups[group(methods_[i])].add(tallies_[i]);
    for (const auto& [name, tally] : groups) report(name, tally);
  }

 private:
  /// If there are many methods, those with the same reduction are reported together.
  std::string group(const TriedMethod& method) const {
    constexpr std::size_t few = 40;
    if (methods_.size() <= few) return method.name;
    return (method.caches() ? "cache/.../" : "full/.../") + method.name.substr(method.name.rfind('/') + 1);
  }

  static void report(const std::string& name, const Tally& tally) {
    const double trials = tally.trials == 0 ? 1 : static_cast<double>(tally.trials);
    std::printf("%-52s %9llu %9llu %9llu %11.1f %11.1f %9.1f", name.c_str(),
                static_cast<unsigned long long>(tally.trials), static_cast<unsigned long long>(tally.undecided),
                static_cast<unsigned long long>(tally.losses), static_cast<double>(tally.states) / trials,
                static_cast<double>(tally.transitions) / trials,
                static_cast<double>(tally.time) * 1e6 / CLOCKS_PER_SEC / trials);
    if (tally.losses != 0) std::printf("  first at seed %llu", static_cast<unsigned long long>(tally.first_loss));
    std::printf("\n");
  }

  const Profile& profile_of(std::uint64_t seed) const {
    return request_.profile != nullptr ? *request_.profile : profiles[seed % std::size(profiles)];
  }

  bool explore(std::uint64_t seed) {
    const System system = random_system(seed, profile_of(seed));
    if (!graph_.explore(system, request_.states)) return ++too_large_, true;
    states_ += graph_.states.size();
    const Subject subject = measured(system, graph_, seed);
    const std::size_t tried = std::min(request_.sample, methods_.size());
    for (std::size_t turn = 0; turn < tried; ++turn) {
      const std::size_t i = (seed * tried + turn) % methods_.size();
      const std::clock_t start = std::clock();
      const Trial trial = Trying(subject, methods_[i]).run();
      tallies_[i].add(trial, seed, std::clock() - start);
      if (trial.verdict == Verdict::differs && (request_.is_strict || !methods_[i].is_printed))
        return tell(system, seed, methods_[i], trial), false;
    }
    return true;
  }

  static Subject measured(const System& system, const Graph& graph, std::uint64_t seed) {
    Subject subject(system, graph, seed);
    static const TriedMethod plain = method(reductions()[0], Compress::none);
    subject.longest_path = Trying(subject, plain).run().outcome.counts.depth + 1;
    return subject;
  }

  void tell(const System& system, std::uint64_t seed, const TriedMethod& method, const Trial& trial) const {
    std::cout << "seed " << seed << ", profile " << profile_of(seed).name << ", method " << method.name << "\n  "
              << trial.difference << "\n";
    const System small = shrink(system, [&](const System& each) { return differs(each, seed, method); });
    Graph graph;
    graph.explore(small, request_.states);
    std::cout << "shrunk: " << graph.states.size() << " states\n  "
              << Trying(measured(small, graph, seed), method).run().difference << "\n"
              << text(small);
  }

  bool differs(const System& system, std::uint64_t seed, const TriedMethod& method) const {
    Graph graph;
    return graph.explore(system, request_.states) &&
           Trying(measured(system, graph, seed), method).run().verdict == Verdict::differs;
  }

  const Request& request_;
  const std::vector<TriedMethod> methods_;
  std::vector<Tally> tallies_;
  Graph graph_;
  std::uint64_t too_large_ = 0;
  std::uint64_t states_ = 0;
};

bool parse(int argc, char** argv, Request& request) {
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view option = argv[i];
    const char* const value = argv[i + 1];
    if (option == "--systems") {
      request.systems = std::strtoull(value, nullptr, 10);
    } else if (option == "--first") {
      request.first = std::strtoull(value, nullptr, 10);
    } else if (option == "--method") {
      request.method = value;
    } else if (option == "--states") {
      request.states = static_cast<std::uint32_t>(std::strtoul(value, nullptr, 10));
    } else if (option == "--sample") {
      request.sample = std::strtoull(value, nullptr, 10);
    } else if (option == "--strict") {
      request.is_strict = std::string_view(value) == "yes";
    } else if (option == "--profile") {
      request.profile = profile_named(value);
      if (request.profile == nullptr) return false;
    } else {
      return false;
    }
  }
  return argc % 2 == 1;
}

void list() {
  std::puts("methods:");
  for (const TriedMethod& each : all_methods()) std::printf("  %s\n", each.name.c_str());
  std::puts("profiles:");
  for (const Profile& each : profiles) std::printf("  %s\n", each.name);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--list") return list(), 0;
  Request request;
  if (!parse(argc, argv, request)) {
    std::cerr << "usage: random_explorer [--systems N] [--first SEED] [--method PART] [--profile NAME] [--states N] "
                 "[--sample N] [--strict yes]\n       random_explorer --list\n";
    return 2;
  }
  Explorer explorer(request);
  const bool agrees = explorer.run();
  explorer.report();
  return agrees ? 0 : 1;
}
