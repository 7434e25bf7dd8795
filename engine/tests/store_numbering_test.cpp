// Numbers are given in order, never change, and lead back to their words.
#include <vector>

#include "store/numbering.h"
#include "tests/check.h"

namespace {

using namespace scrimp;
using namespace scrimp::testing;

constexpr std::uint64_t plenty = std::uint64_t{1} << 30;

Word word(std::uint64_t i) { return i % 3 == 0 ? i / 3 : mix(i); }

void numbers_count_up_and_never_change() {
  Budget budget(plenty);
  Numbering numbering(budget);
  for (std::uint32_t i = 0; i < 700'000; ++i) {
    CHECK_EQUAL(numbering.find(word(i)), Numbering::none);
    CHECK_EQUAL(numbering.number(word(i)), i + 1);
  }
  for (std::uint32_t i = 0; i < 700'000; ++i) {
    CHECK_EQUAL(numbering.find(word(i)), i + 1);
    CHECK_EQUAL(numbering.number(word(i)), i + 1);
  }
  CHECK_EQUAL(numbering.size(), 700'000u);
}

void every_number_is_listed_with_its_word() {
  Budget budget(plenty);
  Numbering numbering(budget);
  for (std::uint32_t i = 0; i < 5000; ++i) numbering.number(word(i));
  std::vector<bool> seen(5000);
  numbering.for_each([&](Word listed, std::uint32_t number) {
    CHECK_EQUAL(listed, word(number - 1));
    seen[number - 1] = true;
  });
  for (const bool each : seen) CHECK(each);
}

void words_are_numbered_in_order_until_there_is_no_room() {
  Budget budget(100'000);
  Numbering numbering(budget);
  std::vector<Word> words;
  for (std::uint64_t i = 0; i < 20'000; ++i) words.push_back(word(i));
  std::vector<std::uint32_t> numbers(words.size());
  const std::uint32_t numbered = numbering.number(words.data(), 20'000, numbers.data());
  CHECK(numbered > 4000 && numbered < 9000);
  for (std::uint32_t i = 0; i < numbered; ++i) CHECK_EQUAL(numbering.number(words[i]), i + 1);
  CHECK_EQUAL(numbering.number(words[numbered]), Numbering::none);
  CHECK_EQUAL(numbering.size(), numbered);
}

// A table at its maximal load has words that lie several buckets after their home. When it then grows by a page, the
// homes move by less than that: some words are still in another chunk of the pass than their home.
void words_far_from_home_survive_growing_by_one_page() {
  Budget budget(plenty);
  CHECK(budget.take(plenty - 2 * small_page));
  Numbering numbering(budget);
  std::uint32_t numbered = 0;
  for (std::uint64_t bytes = 0; bytes != numbering.bytes();) {
    bytes = numbering.bytes();
    while (numbering.number(word(numbered)) == numbered + 1) ++numbered;
    CHECK(budget.take(budget.left()));
    budget.give_back(2 * small_page);  // a growing table takes one of these
    while (numbering.bytes() == bytes && numbering.number(word(numbered)) == numbered + 1) ++numbered;
    for (std::uint32_t i = 0; i < numbered; ++i) CHECK_EQUAL(numbering.find(word(i)), i + 1);
  }
  CHECK(numbering.bytes() >= 30 * small_page);
}

constexpr Test tests[] = {
    TEST(numbers_count_up_and_never_change),
    TEST(every_number_is_listed_with_its_word),
    TEST(words_are_numbered_in_order_until_there_is_no_room),
    TEST(words_far_from_home_survive_growing_by_one_page),
};

}  // namespace

int main() { return run_all(tests); }
