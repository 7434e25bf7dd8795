// Budget and Region: nothing is mapped that was not granted, and everything granted is given back.
#include <utility>

#include "core/memory.h"
#include "tests/check.h"

namespace {

using namespace scrimp;
using namespace scrimp::testing;

void a_budget_grants_up_to_its_limit() {
  Budget budget(100);
  CHECK(budget.take(60));
  CHECK(!budget.take(41));
  CHECK_EQUAL(budget.held(), 60u);
  CHECK(budget.take(40));
  CHECK_EQUAL(budget.left(), 0u);
  budget.give_back(70);
  CHECK_EQUAL(budget.held(), 30u);
  CHECK_EQUAL(budget.peak(), 100u);
}

void a_region_is_zero_and_keeps_its_contents_when_it_grows() {
  Budget budget(std::uint64_t{1} << 30);
  Region region(budget);
  std::size_t written = 0;
  for (std::size_t bytes = 1000; bytes < 40 * huge_page; bytes = bytes * 3 / 2 + 5000) {
    CHECK(region.resize(bytes));
    CHECK_EQUAL(budget.held(), region.bytes());
    for (std::size_t i = 0; i < region.bytes(); i += 4096)
      CHECK(region.data()[i] == (i < written ? std::byte{7} : std::byte{0}));
    for (; written < region.bytes(); written += 4096) region.data()[written] = std::byte{7};
  }
  CHECK(reinterpret_cast<std::uintptr_t>(region.data()) % huge_page == 0);
  region.clear();
  CHECK_EQUAL(budget.held(), 0u);
}

void a_region_that_shrinks_gives_memory_back() {
  Budget budget(std::uint64_t{1} << 30);
  Region region(budget);
  CHECK(region.resize(5 * huge_page));
  region.data()[0] = std::byte{1};
  CHECK(region.resize(small_page));
  CHECK_EQUAL(budget.held(), small_page);
  CHECK(region.data()[0] == std::byte{1});
}

void a_refused_resize_changes_nothing() {
  Budget budget(10 * small_page);
  Region region(budget);
  CHECK(region.resize(8 * small_page));
  region.data()[5] = std::byte{9};
  CHECK(!region.resize(11 * small_page));
  CHECK_EQUAL(region.bytes(), 8 * small_page);
  CHECK_EQUAL(budget.held(), 8 * small_page);
  CHECK(region.data()[5] == std::byte{9});
}

void a_moved_region_is_given_back_once() {
  Budget budget(std::uint64_t{1} << 30);
  {
    Region first(budget), second(budget);
    CHECK(first.resize(small_page));
    CHECK(second.resize(2 * small_page));
    second = std::move(first);
    CHECK_EQUAL(budget.held(), small_page);
    const Region third(std::move(second));
    CHECK_EQUAL(third.bytes(), small_page);
  }
  CHECK_EQUAL(budget.held(), 0u);
}

void a_part_is_taken_from_the_whole_and_knows_its_own_peak() {
  Budget whole(100);
  Budget part(Budget::PartOf{whole});
  CHECK(whole.take(30));
  CHECK(part.take(50));
  CHECK(!part.take(21));
  CHECK_EQUAL(part.left(), 20u);
  CHECK_EQUAL(whole.held(), 80u);
  part.give_back(40);
  CHECK(part.take(10));
  CHECK_EQUAL(part.held(), 20u);
  CHECK_EQUAL(part.peak(), 50u);
  CHECK_EQUAL(whole.held(), 50u);
  CHECK_EQUAL(whole.peak(), 80u);
}

void a_part_may_have_a_limit_of_its_own() {
  Budget whole(100);
  Budget part(Budget::PartOf{whole}, 40);
  CHECK(!part.take(41));
  CHECK(part.take(30));
  CHECK_EQUAL(part.left(), 10u);
  CHECK(whole.take(65));
  CHECK_EQUAL(part.left(), 5u);
  CHECK(!part.take(10));
  CHECK_EQUAL(part.held(), 30u);
  CHECK_EQUAL(whole.held(), 95u);
}

constexpr Test tests[] = {
    TEST(a_budget_grants_up_to_its_limit),         TEST(a_part_is_taken_from_the_whole_and_knows_its_own_peak),
    TEST(a_part_may_have_a_limit_of_its_own),      TEST(a_region_is_zero_and_keeps_its_contents_when_it_grows),
    TEST(a_region_that_shrinks_gives_memory_back), TEST(a_refused_resize_changes_nothing),
    TEST(a_moved_region_is_given_back_once),
};

}  // namespace

int main() { return run_all(tests); }
