// The path of a depth-first search against a plain stack of states.
#include "search/depth_first/path.h"

#include <cstdint>
#include <random>
#include <vector>

#include "tests/check.h"

namespace {

using namespace scrimp;
using namespace scrimp::testing;

Machine machine_of(std::uint32_t words) { return {.words = words, .max_successors = 1, .transitions = 1}; }

struct Step {
  std::vector<Word> state;
  Taken taken;  // of the state before it
};

constexpr Taken notable[] = {0, 1, 2, 253, 254, 255, 256, 1'000'000, all_taken - 1, all_taken};

/// A state that differs from `from` in a few bits of a few words.
std::vector<Word> changed(std::vector<Word> from, std::mt19937_64& random) {
  for (std::uint64_t changes = 1 + random() % 3; changes != 0; --changes)
    from[random() % from.size()] ^= Word{1} << random() % 64;
  if (random() % 100 == 0)
    for (Word& word : from) word = random();
  return from;
}

/// Pushes and pops at random, up to some height, and compares with a stack.
template <std::uint32_t fixed_words>
void compare_with_a_stack(std::uint32_t words, std::size_t height) {
  const Machine machine = machine_of(words);
  Budget budget(std::uint64_t{64} << 20);
  Expander expander(machine, std::nullopt, budget);
  Path<fixed_words> path(budget, expander);
  std::mt19937_64 random(words);
  std::vector<Step> stack;
  for (int i = 0; i < 20'000; ++i) {
    if (stack.size() < height && random() % 5 < 3) {
      const std::vector<Word> last = stack.empty() ? std::vector<Word>(words) : stack.back().state;
      const std::vector<Word> next = changed(last, random);
      if (next == last) continue;
      stack.push_back({next, notable[random() % std::size(notable)]});
      CHECK(path.push(next.data(), stack.back().taken));
    } else if (!stack.empty()) {
      const Taken taken = path.pop();
      CHECK_EQUAL(taken, stack.back().taken);
      stack.pop_back();
    }
    CHECK_EQUAL(path.size(), stack.size());
    if (!stack.empty()) CHECK(std::equal(stack.back().state.begin(), stack.back().state.end(), path.top()));
  }
}

void popped_states_of_any_width_equal_the_pushed_ones() {
  compare_with_a_stack<1>(1, 5'000);
  compare_with_a_stack<0>(1, 5'000);
  compare_with_a_stack<3>(3, 5'000);
  compare_with_a_stack<0>(7, 5'000);
  compare_with_a_stack<0>(256, 100);
  compare_with_a_stack<0>(300, 100);
}

void taken_events_can_be_read_from_the_first_state_on() {
  const Machine machine = machine_of(2);
  Budget budget(std::uint64_t{64} << 20);
  Expander expander(machine, std::nullopt, budget);
  Path<2> path(budget, expander);
  for (std::size_t i = 0; i < std::size(notable); ++i) {
    const Word state[] = {1, i + 1};
    CHECK(path.push(state, notable[i]));
  }
  std::size_t next = 1;  // the first one belongs to no state
  path.for_each_taken([&](Taken taken) { CHECK_EQUAL(taken, notable[next++]); });
  CHECK_EQUAL(next, std::size(notable));
}

void a_path_without_room_is_unchanged() {
  const Machine machine = machine_of(1);
  Budget budget(0);
  Expander expander(machine, std::nullopt, budget);
  Path<1> path(budget, expander);
  const Word state = 1;
  CHECK(!path.push(&state, 0));
  CHECK(path.empty());
}

void a_path_frees_all_its_memory() {
  const Machine machine = machine_of(1);
  Budget budget(std::uint64_t{64} << 20);
  Expander expander(machine, std::nullopt, budget);
  {
    Path<1> path(budget, expander);
    for (Word state = 1; state < 100'000; ++state) CHECK(path.push(&state, 1));
    CHECK_EQUAL(path.peak_bytes(), budget.held());
  }
  CHECK_EQUAL(budget.held(), 0u);
}

}  // namespace

int main() {
  return run_all({
      TEST(popped_states_of_any_width_equal_the_pushed_ones),
      TEST(taken_events_can_be_read_from_the_first_state_on),
      TEST(a_path_without_room_is_unchanged),
      TEST(a_path_frees_all_its_memory),
  });
}
