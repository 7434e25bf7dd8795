// Numbers are given in order, stay what they are, and lead back to their words.
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

constexpr Test tests[] = {
    TEST(numbers_count_up_and_never_change),
    TEST(every_number_is_listed_with_its_word),
    TEST(words_are_numbered_in_order_until_there_is_no_room),
};

}  // namespace

int main() { return run_all(tests); }
