// Successors met a moment ago are omitted, and no others.
#include "search/breadth_first/last_successors.h"

#include <set>
#include <vector>

#include "tests/check.h"

namespace {

using namespace scrimp;
using namespace scrimp::testing;

constexpr std::uint64_t plenty = std::uint64_t{64} << 20;

/// States in which single words are equal often. As in a search, the lowest bit of the first word is set.
std::vector<Word> many_states(std::size_t words, std::size_t count) {
  std::vector<Word> states;
  Word seed = 7;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t w = 0; w < words; ++w) {
      seed = mix(seed + 1);
      states.push_back(seed % 30 << 1 | (w == 0));
    }
  return states;
}

template <std::uint32_t fixed_words>
void expect_only_repetitions_omitted(std::uint32_t words) {
  Budget budget(plenty);
  LastSuccessors<fixed_words> last(budget, words);
  const std::vector<Word> all = many_states(words, 20'000);
  std::set<std::vector<Word>> met;
  std::uint64_t omitted = 0;
  constexpr std::uint32_t block = 500, before = 3;
  for (std::size_t done = 0; done < all.size(); done += block * words) {
    std::vector<Word> states(before * words, 5);  // these belong to an earlier call
    states.insert(states.end(), all.data() + done, all.data() + done + block * words);
    const std::uint32_t end = last.omit_repeated(states.data(), before, before + block);
    omitted += before + block - end;
    for (std::size_t i = 0; i < before * words; ++i) CHECK_EQUAL(states[i], 5u);
    const Word* kept = states.data() + before * words;
    for (std::size_t i = 0; i < block; ++i) {
      const Word* const state = all.data() + done + i * words;
      const bool is_new = met.insert({state, state + words}).second;
      const bool is_kept = kept != states.data() + end * words && std::equal(state, state + words, kept);
      CHECK(is_kept || !is_new);
      if (is_kept) kept += words;
    }
    CHECK(kept == states.data() + end * words);  // nothing else, and in order
  }
  CHECK(omitted > 0);
}

void only_states_met_before_are_omitted() {
  expect_only_repetitions_omitted<1>(1);
  expect_only_repetitions_omitted<2>(2);
  expect_only_repetitions_omitted<0>(2);
  expect_only_repetitions_omitted<0>(3);
}

void a_state_met_just_before_is_always_omitted() {
  Budget budget(plenty);
  LastSuccessors<0> last(budget, 5);
  std::vector<Word> states = many_states(5, 100);
  const std::vector<Word> again = states;
  CHECK_EQUAL(last.omit_repeated(states.data(), 0, 100), 100u);
  states = again;
  CHECK(last.omit_repeated(states.data(), 0, 100) < 20);
}

void without_memory_nothing_is_omitted() {
  Budget budget(100'000);
  LastSuccessors<1> last(budget, 1);
  std::vector<Word> states(10, 3);
  CHECK_EQUAL(last.omit_repeated(states.data(), 0, 10), 10u);
  CHECK_EQUAL(budget.held(), 0u);
}

}  // namespace

int main() {
  return run_all({
      TEST(only_states_met_before_are_omitted),
      TEST(a_state_met_just_before_is_always_omitted),
      TEST(without_memory_nothing_is_omitted),
  });
}
