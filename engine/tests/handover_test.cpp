// Searches that are handed over to others, each with wider fields: in the end, their results are those of one search
// with the widest.
#include <unistd.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tests/check.h"
#include "tests/grid.h"
#include "tests/narrow_machine.h"
#include "tests/outcome_text.h"
#include "tests/random_machine.h"
#include "tests/scrambled.h"
#include "tests/strategies.h"

namespace {

using namespace scrimp;
using namespace scrimp::testing;

constexpr std::uint64_t plenty = std::uint64_t{1} << 30;

auto choices(std::uint64_t seed) {
  return [random = std::mt19937_64(seed)](std::uint64_t below) mutable { return random() % below; };
}

/// Searches with ever wider fields; `change` may change the options before each.
template <class Change>
Outcome search_in_turns(const Machine& widest, std::uint64_t rarity, Options options, Change change, int& handovers) {
  const File file;
  HandoverEnd end = HandoverEnd::none;
  for (std::uint32_t width = 5; true; --width) {
    const NarrowMachine narrow(widest, rarity, width);
    change(options);
    options.handover = handing_over(file, end == HandoverEnd::left);
    const Outcome outcome = explore(narrow, options);
    end = outcome.handover;
    CHECK_EQUAL(end == HandoverEnd::left, outcome.misfit.has_value());
    CHECK_EQUAL(file.bytes() != 0, outcome.misfit.has_value());
    if (!outcome.misfit || width == 0) return outcome;
    ++handovers;
  }
}

template <class Choose>
void compare(const Machine& machine, const Options& options, Choose choose, int trials, int& handovers) {
  const std::string expected = text_of(explore(machine, options));
  const auto change = [&](Options& each) {
    each.method.store = strategy::Full{compressions[choose(3)]};
    if (choose(3) != 0) each.method.store = strategy::Auto{};
    each.threads = 1 + static_cast<std::uint32_t>(choose(3));
    each.change_after = choose(3) * 16;
    each.disk = choose(4) == 0 ? 0 : plenty;
  };
  for (int trial = 0; trial < trials; ++trial)
    CHECK_EQUAL(text_of(search_in_turns(machine, 4 << choose(9), options, change, handovers)), expected);
}

Options questions(std::uint64_t stop_after, bool wants_paths) {
  Options options = options_for(strategy::BreadthFirst{});
  options.question.violation_watches = wants_paths ? 1 : 0;
  options.question.goal_watches = wants_paths ? 2 : 0;
  options.question.deadlock_is_violation = true;
  options.question.stop_after = stop_after;
  options.question.traces = wants_paths ? 3 : 0;
  options.worth_sharing = 4;
  return options;
}

void a_search_that_was_handed_over_ends_as_if_everything_had_fitted() {
  constexpr Quirks quirks{.faulty_at = 3, .watched_at = 5};
  int handovers = 0;
  for (const bool wants_paths : {false, true})
    for (const std::uint64_t stop_after : {0, 1, 2}) {
      const Options options = questions(stop_after, wants_paths);
      compare(Grid<3, 9, 2, quirks>::machine(), options, choices(stop_after), 6, handovers);
      compare(Grid<2, 60, 2, Quirks{.wraps = true}>::machine(), options, choices(stop_after), 3, handovers);
    }
  CHECK(handovers > 50);
}

void so_does_one_with_a_depth_limit() {
  int handovers = 0;
  Options options = questions(0, true);
  options.limits.depth = 7;
  compare(Grid<3, 9, 2>::machine(), options, choices(1), 6, handovers);
  CHECK(handovers > 5);
}

void so_does_one_of_a_random_system() {
  int handovers = 0;
  for (const Profile& profile : profiles)
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      const testing::System system = random_system(seed, profile);
      const SystemMachine current(system);
      for (const bool wants_paths : {false, true}) {
        const Options options = questions(seed % 3, wants_paths);
        if (explore(current.machine(), options).misfit) continue;
        compare(current.machine(), options, choices(seed), 2, handovers);
      }
    }
  CHECK(handovers > 100);
}

void so_does_one_whose_states_are_on_disk() {
  for (const std::uint32_t words : {1u, 4u}) {
    const Scrambled system({.nodes = 150'000, .words = words, .lower = words == 1 ? 44u : 12u});
    int handovers = 0;
    Options options = options_for(strategy::BreadthFirst{});
    options.method.store = strategy::Auto{};
    options.budget = std::uint64_t{5} << 20;
    options.disk = plenty;
    options.question.traces = 0;
    options.change_after = 20'000;
    const auto change = [&](Options& each) { each.threads = 3 - each.threads; };
    const Outcome outcome = search_in_turns(system.machine(), 400'000, options, change, handovers);
    CHECK_EQUAL(name(outcome.reason), std::string("closed"));
    CHECK_EQUAL(outcome.counts.states, system.states());
    CHECK_EQUAL(outcome.counts.transitions, system.transitions());
    CHECK(outcome.held_peak <= options.budget);
    CHECK(handovers > 1);
  }
}

/// From three counters in a word to one in each.
void states_are_translated() {
  using Wide = Grid<3, 9, 1>;
  constexpr Quirks quirks{.misfit_at = 4};
  using Packed = Grid<3, 9, 3, quirks>;
  std::vector<Reencoding::Move> moves;
  for (std::uint32_t i = 0; i < 3; ++i) moves.push_back({0, Packed::shift(i), 15, 0, 0, i, Wide::shift(i), 0, 0, 0, 0});
  for (const bool wants_paths : {false, true}) {
    const Options asked = questions(0, wants_paths);
    const File file;
    Options options = asked;
    options.handover = handing_over(file, false);
    const Outcome first = explore(Packed::machine(), options);
    CHECK_EQUAL(name(first.handover), std::string("left"));
    HandoverOptions wider = handing_over(file, true);
    wider.reencoding = Reencoding(1, 3, moves);
    options.handover = wider;
    CHECK_EQUAL(text_of(explore(Wide::machine(), options)), text_of(explore(Wide::machine(), asked)));
  }
}

void nothing_is_left_if_there_is_no_room_on_disk_or_states_are_found_quickly() {
  const auto& machine = Grid<3, 12, 1, Quirks{.misfit_at = 3}>::machine();
  const File file;
  Options options = options_for(strategy::BreadthFirst{});
  options.handover = handing_over(file, false);
  options.handover->most_bytes = 100;
  CHECK_EQUAL(name(explore(machine, options).handover), std::string("none"));
  options.handover = handing_over(file, false);
  options.handover->seconds_of_state = 1;
  CHECK_EQUAL(name(explore(machine, options).handover), std::string("none"));
  options.handover = handing_over(file, false);
  options.handover->least_states = 1000;
  CHECK_EQUAL(name(explore(machine, options).handover), std::string("none"));
  CHECK_EQUAL(file.bytes(), 0);
}

void a_handover_that_cannot_be_read_is_lost() {
  const File file;
  Options options = options_for(strategy::BreadthFirst{});
  options.handover = handing_over(file, false);
  const Outcome first = explore(Grid<3, 12, 1, Quirks{.misfit_at = 3}>::machine(), options);
  CHECK_EQUAL(name(first.handover), std::string("left"));
  char byte = 0;
  const off_t place = file.bytes() / 2;
  CHECK_EQUAL(pread(file.number, &byte, 1, place), 1);
  byte = static_cast<char>(byte ^ 4);
  CHECK_EQUAL(pwrite(file.number, &byte, 1, place), 1);
  options.handover = handing_over(file, true);
  const Outcome second = explore(Grid<3, 12, 1>::machine(), options);
  CHECK_EQUAL(name(second.handover), std::string("lost"));
  CHECK_EQUAL(name(second.reason), std::string("disk"));
}

void one_for_which_there_is_no_room_is_lost() {
  const File file;
  Options options = options_for(strategy::BreadthFirst{});
  options.question.traces = 0;
  options.handover = handing_over(file, false);
  const Outcome first = explore(Grid<2, 1000, 2, Quirks{.misfit_at = 990}>::machine(), options);
  CHECK_EQUAL(name(first.handover), std::string("left"));
  options.budget = std::uint64_t{3} << 20;
  options.handover = handing_over(file, true);
  const Outcome second = explore(Grid<2, 1000>::machine(), options);
  CHECK_EQUAL(name(second.handover), std::string("lost"));
  CHECK_EQUAL(name(second.reason), std::string("memory"));
}

}  // namespace

int main() {
  return run_all({
      TEST(a_search_that_was_handed_over_ends_as_if_everything_had_fitted),
      TEST(so_does_one_with_a_depth_limit),
      TEST(so_does_one_of_a_random_system),
      TEST(so_does_one_whose_states_are_on_disk),
      TEST(states_are_translated),
      TEST(nothing_is_left_if_there_is_no_room_on_disk_or_states_are_found_quickly),
      TEST(a_handover_that_cannot_be_read_is_lost),
      TEST(one_for_which_there_is_no_room_is_lost),
  });
}
