// The quotient table on its own: arithmetic, crowded numbers, and codes that widen.
#include <algorithm>
#include <random>
#include <set>
#include <utility>

#include "store/pair_code.h"
#include "store/quotient_ranks.h"
#include "store/quotient_table.h"
#include "tests/check.h"

namespace {

using namespace scrimp;
using namespace scrimp::testing;

constexpr std::uint64_t plenty = std::uint64_t{1} << 30;

/// Ranks follow the order in which numbers are listed.
bool are_ranked(const QuotientTable& table) {
  Budget budget(plenty);
  const QuotientRanks ranks(table, budget);
  bool are_ranked = true;
  std::uint64_t rank = 0;
  table.for_each([&](Word number, Word) { are_ranked = ranks(number) == rank++ && are_ranked; });
  return are_ranked;
}

bool holds_exactly(const QuotientTable& table, const std::set<Word>& expected) {
  std::set<Word> listed;
  table.for_each([&](Word number, Word) { listed.insert(number); });
  for (const Word number : expected)
    if (!table.contains(number)) return false;
  return listed == expected && table.size() == expected.size();
}

void mixing_is_a_bijection_at_every_width() {
  for (unsigned bits = 1; bits <= 64; ++bits) {
    const BitMixer mixer(bits);
    const Word last = ~Word{0} >> (64 - bits);
    for (Word i = 0; i < 2000; ++i) {
      const Word number = (i % 2 == 0 ? i : mix(i)) & last;
      CHECK(mixer(number) <= last);
      CHECK_EQUAL(mixer.inverse(mixer(number)), number);
    }
  }
}

void division_by_multiplication_is_exact() {
  for (Word i = 1; i < 3000; ++i) {
    const Word divisor = std::max<Word>(mix(i) >> (i % 63), 2);
    for (const Word number : {Word{0}, Word{1}, divisor - 1, divisor, divisor * 3 - 1, mix(i * 31), ~Word{0}}) {
      const auto [quotient, remainder] = Divisor(divisor).divide(number);
      CHECK_EQUAL(quotient, number / divisor);
      CHECK_EQUAL(remainder, number % divisor);
    }
  }
}

void numbers_of_every_width_are_stored_at_every_load() {
  for (unsigned bits = 1; bits <= 64; ++bits) {
    Budget budget(plenty);
    QuotientTable table(budget, bits);
    const BitMixer mixer(bits);
    std::set<Word> expected;
    for (Word i = 0; i < 20'000; ++i) {
      const Word number = mixer(i & (~Word{0} >> (64 - bits)));
      CHECK((table.insert(number) == Insertion::fresh) == expected.insert(number).second);
    }
    CHECK(holds_exactly(table, expected));
    CHECK(are_ranked(table));
  }
}

void many_numbers_with_one_home_are_stored_without_growing() {
  Budget budget(plenty);
  QuotientTable table(budget, 30);
  const BitMixer mixer(30);
  std::set<Word> expected;
  for (Word i = 0; i < 140; ++i) expected.insert((Word{7} << 20) + i);  // mixed numbers never do this
  for (Word i = 0; i < 8000; ++i) expected.insert(mixer(i));
  for (const Word number : expected) CHECK(table.insert(number) == Insertion::fresh);
  for (const Word number : expected) CHECK(table.insert(number) == Insertion::known);
  CHECK(holds_exactly(table, expected));
  CHECK(are_ranked(table));
  CHECK(table.bytes() <= first_table_bytes + 4096);
}

void crowded_numbers_are_refused_but_not_lost_when_the_budget_is_exhausted() {
  Budget budget(first_table_bytes + 50'000);
  QuotientTable table(budget, 40);
  std::set<Word> expected;
  for (Word i = 0; i < 5000; ++i)
    if (table.insert(i) == Insertion::fresh) expected.insert(i);
  CHECK(expected.size() < 5000);
  CHECK(holds_exactly(table, expected));
}

void a_dense_set_becomes_a_bitmap() {
  Budget budget(plenty);
  QuotientTable table(budget, 22);
  const BitMixer mixer(22);
  for (Word i = 0; i < Word{1} << 22; ++i) CHECK(table.insert(mixer(i)) == Insertion::fresh);
  for (Word i = 0; i < Word{1} << 22; ++i) CHECK(table.contains(i));
  CHECK_EQUAL(table.bytes(), std::uint64_t{1} << 19);
}

void codes_of_pairs_are_distinct_at_every_width() {
  PairCode code(3, 3);
  for (std::uint32_t limit = 8; limit <= 512; limit *= 2) {
    std::set<Word> codes;
    std::uint64_t pairs = 0;
    for (std::uint32_t left = 0; left < limit; left += limit / 8)
      for (std::uint32_t right = 0; right < limit; ++right, ++pairs) {
        CHECK(code.fits({left, right}));
        codes.insert(code({left, right}));
        CHECK_EQUAL(code.pair(code({left, right})).word(), (Tree::Pair{left, right}.word()));
      }
    CHECK_EQUAL(codes.size(), pairs);
    CHECK(*codes.rbegin() >> code.bits() == 0);
    code = code.widened_for({limit, 0}).widened_for({0, limit});
  }
}

void a_widened_code_of_an_old_pair_is_the_old_code_with_a_bit_more() {
  PairCode code(5, 4);
  for (const Tree::Pair outgrown : {Tree::Pair{32, 0}, Tree::Pair{0, 16}, Tree::Pair{64, 0}, Tree::Pair{0, 32}}) {
    const PairCode wider = code.widened_for(outgrown);
    for (std::uint32_t left = 0; left < 32; ++left)
      for (std::uint32_t right = 0; right < 16; ++right) {
        CHECK_EQUAL(wider({left, right}), wider.recode(code({left, right})));
        CHECK_EQUAL(wider({left, right}) >> 1, code({left, right}));
      }
    code = wider;
  }
}

void a_table_of_codes_is_widened_in_place() {
  Budget budget(plenty);
  PairCode code(12, 12);
  QuotientTable table(budget, code.bits());
  std::set<Word> expected;
  const auto fill = [&](std::uint32_t left_from, std::uint32_t left_to) {
    for (std::uint32_t left = left_from; left < left_to; ++left)
      for (std::uint32_t right = 0; right < 4096; right += 256) {
        CHECK(table.insert(code({left, right})) == Insertion::fresh);
        expected.insert(code({left, right}));
      }
  };
  fill(0, 4096);
  for (std::uint32_t limit = 4096; limit < 32768; limit *= 2) {
    const PairCode wider = code.widened_for({limit, 0});
    CHECK(table.recode(wider.bits(), [&](Word old) { return wider.recode(old); }));
    std::set<Word> recoded;
    for (const Word old : expected) recoded.insert(wider.recode(old));
    expected.swap(recoded);
    code = wider;
    CHECK(holds_exactly(table, expected));
    fill(limit, limit + 500);
  }
  CHECK(holds_exactly(table, expected));
}

void a_dense_table_of_codes_is_widened_in_place() {
  Budget budget(plenty);
  PairCode code(11, 11);
  QuotientTable table(budget, code.bits());
  std::set<Word> expected;
  for (std::uint32_t i = 0; i < 1u << 22; i += 7) {
    table.insert(code({i >> 11, i & 2047}));
    expected.insert(code({i >> 11, i & 2047}));
  }
  CHECK_EQUAL(table.bytes(), std::uint64_t{1} << 19);  // a bitmap
  for (std::uint32_t limit = 2048; limit < 16384; limit *= 2) {
    const PairCode wider = code.widened_for({0, limit});
    CHECK(table.recode(wider.bits(), [&](Word old) { return wider.recode(old); }));
    std::set<Word> recoded;
    for (const Word old : expected) recoded.insert(wider.recode(old));
    expected.swap(recoded);
    code = wider;
    CHECK(holds_exactly(table, expected));
  }
}

/// A table that holds some numbers gets others at once, with the memory that the budget leaves.
void absorb_and_compare(std::uint64_t limit, unsigned bits, const std::set<Word>& held, const std::set<Word>& added) {
  Budget budget(limit);
  QuotientTable table(budget, bits, 0, 0, Growth::ample);
  for (const Word number : held) CHECK(table.insert(number) == Insertion::fresh);
  Region numbers(budget);
  if (!numbers.resize(added.size() * sizeof(Word))) return;
  std::copy(added.begin(), added.end(), numbers.as<Word>());
  std::shuffle(numbers.as<Word>(), numbers.as<Word>() + added.size(), std::mt19937_64(bits));
  const std::uint64_t total = held.size() + added.size();
  const std::size_t bytes = table.bytes_to_absorb(total, budget.left() + table.bytes() + numbers.bytes());
  CHECK(limit < plenty || bytes != 0);
  if (bytes == 0) return;
  CHECK(table.absorb(std::move(numbers), added.size(), bytes));
  CHECK_EQUAL(budget.held(), bytes);
  std::set<Word> expected = held;
  expected.insert(added.begin(), added.end());
  CHECK(holds_exactly(table, expected));
  for (Word i = 0; i < 3000; ++i) {
    const Word number = BitMixer(bits)(i * 5);
    CHECK((table.insert(number) == Insertion::fresh) == expected.insert(number).second || limit < plenty);
  }
  CHECK(limit < plenty || holds_exactly(table, expected));
}

std::set<Word> mixed_numbers(unsigned bits, Word from, Word to) {
  std::set<Word> numbers;
  for (Word i = from; i < to; ++i) numbers.insert(BitMixer(bits)(i));
  return numbers;
}

void many_numbers_are_added_at_once() {
  for (const unsigned bits : {26u, 33u, 50u, 63u, 64u})
    for (const std::uint64_t count : {1u, 700u, 100'000u})
      absorb_and_compare(plenty, bits, mixed_numbers(bits, 0, 500), mixed_numbers(bits, 500, 500 + count));
}

void numbers_are_added_at_once_within_every_budget_that_is_said_to_suffice() {
  const std::set<Word> held = mixed_numbers(44, 0, 5000), added = mixed_numbers(44, 5000, 100'000);
  for (std::uint64_t limit = 600'000; limit < 1'800'000; limit += 10'000) absorb_and_compare(limit, 44, held, added);
}

void crowded_numbers_are_added_at_once() {
  std::set<Word> added = mixed_numbers(30, 0, 8000);
  for (Word i = 0; i < 140; ++i) added.insert((Word{7} << 20) + i);
  absorb_and_compare(plenty, 30, {}, added);
}

constexpr Test tests[] = {
    TEST(mixing_is_a_bijection_at_every_width),
    TEST(division_by_multiplication_is_exact),
    TEST(numbers_of_every_width_are_stored_at_every_load),
    TEST(many_numbers_with_one_home_are_stored_without_growing),
    TEST(crowded_numbers_are_refused_but_not_lost_when_the_budget_is_exhausted),
    TEST(a_dense_set_becomes_a_bitmap),
    TEST(many_numbers_are_added_at_once),
    TEST(numbers_are_added_at_once_within_every_budget_that_is_said_to_suffice),
    TEST(crowded_numbers_are_added_at_once),
    TEST(codes_of_pairs_are_distinct_at_every_width),
    TEST(a_widened_code_of_an_old_pair_is_the_old_code_with_a_bit_more),
    TEST(a_table_of_codes_is_widened_in_place),
    TEST(a_dense_table_of_codes_is_widened_in_place),
};

}  // namespace

int main() { return run_all(tests); }
