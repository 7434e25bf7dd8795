// What a running search says about itself, to those who ask.
#include <algorithm>
#include <cstdint>
#include <numeric>

#include "search/breadth_first/level_profile.h"
#include "tests/check.h"
#include "tests/grid.h"
#include "tests/strategies.h"

namespace {

using namespace scrimp;
using namespace scrimp::testing;

/// Level `i` has `i + 1` states, so that every sum shows which levels are in it.
void a_profile_sums_levels_of_equal_number() {
  LevelProfile profile;
  for (std::uint64_t levels = 1; levels <= 5 * LevelProfile::most; ++levels) {
    profile.add({levels, 2 * levels});
    Report report;
    profile.report_to(report);
    const Report::List states = report.list("levels.states"), transitions = report.list("levels.transitions");
    const std::uint64_t width = report.whole("levels.width");
    CHECK(states.size() <= LevelProfile::most);
    CHECK(width == 1 || states.size() > LevelProfile::most / 2 - 1);
    CHECK_EQUAL(states.size(), (levels + width - 1) / width);
    CHECK_EQUAL(std::accumulate(states.begin(), states.end(), std::uint64_t{0}), levels * (levels + 1) / 2);
    for (std::size_t i = 0; i < states.size(); ++i) {
      const std::uint64_t first = i * width + 1, last = std::min((i + 1) * width, levels);
      CHECK_EQUAL(states[i], (first + last) * (last - first + 1) / 2);
      CHECK_EQUAL(transitions[i], 2 * states[i]);
    }
  }
}

/// The first pulse answers a request that was made before the search began.
void a_search_describes_itself_by_the_names_of_its_report() {
  const Machine machine = Grid<4, 16>::machine();
  for_every_strategy([&](const Options& options) {
    Signals signals;
    CHECK(signals.description().values().empty());
    const Outcome outcome = run(machine, options, signals);
    CHECK(!signals.is_description_wanted());
    const Report description = signals.description();
    CHECK(description.whole("bytes.table") != 0);
    for (const auto& [name, value] : description.values())
      CHECK(!name.starts_with("bytes.") || outcome.report.values().contains(name));
    CHECK(description.whole("states") <= outcome.counts.states);
    if (is_depth_first(options)) return;
    const Report::List levels = description.list("levels.states");
    CHECK(levels.size() <= outcome.levels.size());
    for (std::size_t i = 0; i < levels.size(); ++i) CHECK_EQUAL(levels[i], outcome.levels[i].states);
    CHECK_EQUAL(description.whole("levels.current"), outcome.levels[levels.size()].states);
  });
}

void nothing_is_described_to_nobody() {
  Signals signals;
  run(Grid<4, 16>::machine(), options_for(strategy::BreadthFirst{}), signals);
  CHECK(signals.description().values().empty());
}

}  // namespace

int main() {
  return run_all({TEST(a_profile_sums_levels_of_equal_number),
                  TEST(a_search_describes_itself_by_the_names_of_its_report), TEST(nothing_is_described_to_nobody)});
}
