// Searches of random systems within random budgets: each finishes with the right counts or ends for want of memory or
// disk, and never takes more than it may.
//
//     budget_explorer [--seconds N] [--first SEED] [--verbose yes]
//
// A search that has disk and `enough` memory must finish. In some systems there are values that do not fit: their
// searches are handed over to others, or start again. Memory outside the budget is counted, too. Whatever is wrong is
// printed, and the exit code is 1; after a crash, `--verbose yes` says which case it was.
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <new>
#include <random>
#include <sstream>
#include <string>
#include <string_view>

#include "tests/narrow_machine.h"
#include "tests/scrambled.h"
#include "tests/strategies.h"

namespace {

std::atomic<std::uint64_t> heap_held{0}, heap_peak{0};

}  // namespace

void* operator new(std::size_t bytes) {
  void* const data = std::malloc(bytes);
  if (data == nullptr) throw std::bad_alloc();
  const std::uint64_t held = heap_held.fetch_add(malloc_usable_size(data)) + malloc_usable_size(data);
  for (std::uint64_t peak = heap_peak; held > peak && !heap_peak.compare_exchange_weak(peak, held);) {
  }
  return data;
}
void operator delete(void* data) noexcept {
  heap_held -= malloc_usable_size(data);
  std::free(data);
}
void operator delete(void* data, std::size_t) noexcept { operator delete(data); }

namespace {

using namespace scrimp;
using namespace scrimp::testing;

struct Case {
  Scrambled::Shape shape;
  std::uint64_t budget, disk;
  std::uint32_t threads;
  std::uint64_t change_after;
  std::uint64_t rarity;  // of values that do not fit; 0: there are none
};

std::string text(const Case& tried) {
  const Scrambled::Shape& shape = tried.shape;
  std::ostringstream out;
  out << shape.nodes << " states of " << shape.words << " words (lower=" << shape.lower
      << " unmatched=" << shape.unmatched << " children=" << shape.children << "), budget " << tried.budget << ", disk "
      << tried.disk << ", " << tried.threads << " threads, changes after " << tried.change_after
      << ", misfits in one of " << tried.rarity;
  return out.str();
}

/// With disk, so much is enough for states of so many words.
std::uint64_t enough(std::uint32_t words, std::uint32_t threads) {
  return (std::uint64_t{3} << 20) + words * (std::uint64_t{64} << 10) + (threads - 1) * (std::uint64_t{256} << 10);
}

Case random_case(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t bound) { return random() % bound; };
  static constexpr std::uint32_t widths[] = {1, 1, 2, 3, 4, 6, 8, 12, 16, 24, 24, 32, 48};
  Case made{};
  made.shape.words = widths[below(std::size(widths))];
  made.shape.nodes = 1 + below((std::uint64_t{64} << 20) / (8 * made.shape.words + 56));
  made.shape.lower = made.shape.words == 1 || below(3) == 0 ? 44 : static_cast<unsigned>(6 + below(12));
  made.shape.unmatched = below(2) == 0 ? 0 : static_cast<unsigned>(below(16));
  made.shape.children = static_cast<std::uint32_t>(below(3) == 0 ? 2 + below(40) : 2);
  const double exponent = 19.5 + static_cast<double>(below(1000)) / 1000 * 5.5;
  made.budget = static_cast<std::uint64_t>(std::exp2(exponent));
  made.disk = below(4) == 0 ? 0 : below(6) == 0 ? below(std::uint64_t{1} << 24) : std::uint64_t{4} << 30;
  made.threads = static_cast<std::uint32_t>(1 + below(3));
  made.change_after = below(6) == 0 ? 1 + below(50'000) : 0;
  made.rarity = below(3) == 0 ? 1 + below(4 * made.shape.nodes) : 0;
  return made;
}

/// A search by machines of ever wider fields, each of which takes over what the one before it has found, or starts
/// again.
Outcome explore_in_turns(const Machine& machine, Options options, std::uint64_t rarity) {
  if (rarity == 0) return explore(machine, options);
  const File file;
  HandoverEnd end = HandoverEnd::none;
  for (std::uint32_t width = 3;;) {
    const NarrowMachine narrow(machine, rarity, width);
    options.handover = handing_over(file, end == HandoverEnd::left, options.disk);
    const Outcome outcome = explore(narrow, options);
    if (outcome.held_peak > options.budget) return outcome;
    const bool is_lost = outcome.handover == HandoverEnd::lost;
    end = outcome.handover;
    if (!outcome.misfit && !is_lost) return outcome;
    width -= !is_lost;
  }
}

/// What is wrong, or nothing.
std::string complaint(const Case& tried) {
  const Scrambled system(tried.shape);
  Options options = options_for(strategy::BreadthFirst{});
  options.method.store = strategy::Auto{};
  options.budget = tried.budget;
  options.disk = tried.disk;
  options.threads = tried.threads;
  options.change_after = tried.change_after;
  options.question.traces = 0;
  const std::uint64_t heap_before = heap_held;
  heap_peak = heap_before;
  const Outcome outcome = explore_in_turns(system.machine(), options, tried.rarity);
  const std::uint64_t outside = heap_peak - heap_before, most = (std::uint64_t{1536} + 64 * tried.threads) << 10;
  const std::string reason(name(outcome.reason));
  if (outcome.held_peak > tried.budget) return "held " + std::to_string(outcome.held_peak);
  if (outside > most) return std::to_string(outside) + " bytes outside the budget";
  if (reason == "closed" &&
      (outcome.counts.states != system.states() || outcome.counts.transitions != system.transitions()))
    return std::to_string(outcome.counts.states) + " states, " + std::to_string(outcome.counts.transitions) +
           " transitions";
  const bool has_disk = tried.disk >= std::uint64_t{4} << 30;
  if (reason == "disk" && has_disk) return "ended for want of disk";
  if (reason != "closed" && has_disk && tried.budget >= enough(tried.shape.words, tried.threads))
    return "ended: " + reason + " after " + std::to_string(outcome.counts.states) + " states";
  return reason == "closed" || reason == "memory" || reason == "disk" ? "" : "ended: " + reason;
}

}  // namespace

int main(int count, char** arguments) {
  double seconds = 10;
  std::uint64_t first = 0, searches = 0, failures = 0;
  bool is_verbose = false;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string_view option = arguments[i];
    if (option == "--seconds") seconds = std::atof(arguments[i + 1]);
    if (option == "--first") first = std::strtoull(arguments[i + 1], nullptr, 10);
    if (option == "--verbose") is_verbose = true;
  }
  const auto began = std::chrono::steady_clock::now();
  while (std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count() < seconds) {
    const std::uint64_t seed = first + searches++;
    const Case tried = random_case(seed);
    if (is_verbose) std::cout << "seed " << seed << ": " << text(tried) << std::endl;
    const std::string wrong = complaint(tried);
    if (wrong.empty()) continue;
    std::cout << "seed " << seed << ": " << text(tried) << ": " << wrong << std::endl;
    ++failures;
  }
  std::cout << searches << " searches, " << failures << " of them wrong\n";
  return failures != 0;
}
