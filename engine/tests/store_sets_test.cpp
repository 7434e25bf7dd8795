// Every set of visited states against std::set: on states of every length and width, with every way of inserting, and
// when memory runs out at any moment.
#include <set>

#include "store/cleary_set.h"
#include "store/plain_set.h"
#include "store/tree_set.h"
#include "tests/check.h"
#include "tests/store_keys.h"

namespace {

using namespace scrimp;
using namespace scrimp::testing;

constexpr std::uint64_t plenty = std::uint64_t{1} << 30;

template <class Set>
bool holds_exactly(const Set& set, const std::set<State>& expected) {
  if (set.size() != expected.size()) return false;
  for (const State& state : expected)
    if (!set.contains(state.data())) return false;
  return true;
}

/// Calls `check` with each set that can hold states of the layout: as a type, through a null pointer.
template <class Check>
void for_every_set(const Layout& layout, Check check) {
  const auto with_words = [&]<std::uint32_t words>() {
    check(static_cast<PlainSet<words>*>(nullptr));
    check(static_cast<TreeSet<words>*>(nullptr));
    check(static_cast<ClearySet<words>*>(nullptr));
  };
  with_words.template operator()<0>();
  if (layout.words() == 1) with_words.template operator()<1>();
  if (layout.words() == 2) with_words.template operator()<2>();
}

template <class Set>
void insert_and_compare(const Layout& layout, Family family, std::uint64_t count) {
  Budget budget(plenty);
  Set set(layout.machine(), budget);
  std::set<State> expected;
  for (std::uint64_t i = 0; i < count; ++i) {
    const State state = family(layout, i);
    const bool is_fresh = expected.insert(state).second;
    CHECK(set.insert(state.data()) == (is_fresh ? Insertion::fresh : Insertion::known));
    CHECK(set.insert(state.data()) == Insertion::known);
  }
  CHECK(holds_exactly(set, expected));
  for (std::uint64_t i = count; i < 2 * count; ++i) {
    const State state = family(layout, i);
    CHECK_EQUAL(set.contains(state.data()), expected.contains(state));
  }
  CHECK(set.state_bytes() <= set.bytes());
  CHECK(set.bytes() <= budget.held() + 4096);
}

void states_of_every_width_are_distinguished() {
  for (unsigned bits = 2; bits <= 64; ++bits) {
    const Layout layout({static_cast<std::uint8_t>(bits)});
    for (const Family family : families)
      for_every_set(layout, [&]<class Set>(Set*) { insert_and_compare<Set>(layout, family, 700); });
  }
}

void states_of_every_length_are_distinguished() {
  for (std::size_t words = 1; words <= 6; ++words)
    for (const std::uint8_t bits : {std::uint8_t{5}, std::uint8_t{30}, std::uint8_t{33}, std::uint8_t{64}}) {
      const Layout layout(std::vector<std::uint8_t>(words, bits));
      for (const Family family : families)
        for_every_set(layout, [&]<class Set>(Set*) { insert_and_compare<Set>(layout, family, 2000); });
    }
}

void words_of_very_different_widths_are_cut_into_halves() {
  for (const std::vector<std::uint8_t>& bits : std::vector<std::vector<std::uint8_t>>{
           {64, 1}, {1, 64}, {64, 3, 64}, {2, 2, 2, 60}, {64, 64, 64, 64, 1}, {7, 40, 13, 64, 2, 31, 9}}) {
    const Layout layout(bits);
    for (const Family family : families)
      for_every_set(layout, [&]<class Set>(Set*) { insert_and_compare<Set>(layout, family, 2000); });
  }
}

/// Compares after every growth, and between.
template <class Set>
void grow_and_compare(const Layout& layout, Family family, std::uint64_t count) {
  Budget budget(plenty);
  Set set(layout.machine(), budget);
  std::set<State> expected;
  std::uint64_t bytes = set.bytes();
  for (std::uint64_t i = 0; i < count; ++i) {
    const State state = family(layout, i);
    expected.insert(state);
    set.insert(state.data());
    if (set.bytes() == bytes) continue;
    bytes = set.bytes();
    CHECK(holds_exactly(set, expected));
  }
}

void no_state_is_lost_when_a_table_grows() {
  for (const std::vector<std::uint8_t>& bits :
       std::vector<std::vector<std::uint8_t>>{{24}, {41}, {64}, {50, 50}, {64, 64, 64}}) {
    const Layout layout(bits);
    for (const Family family : {scattered, counted, halved})
      for_every_set(layout, [&]<class Set>(Set*) { grow_and_compare<Set>(layout, family, 70'000); });
  }
}

template <class Set>
void insert_blocks_and_compare(const Layout& layout, Family family) {
  Budget one_budget(plenty), block_budget(plenty);
  Set one_by_one(layout.machine(), one_budget), in_blocks(layout.machine(), block_budget);
  std::uint64_t number = 0;
  for (std::uint32_t size = 0; size < 700; size = size * 5 / 4 + 1) {
    std::vector<Word> block;
    for (std::uint32_t i = 0; i < size; ++i) {
      const State state = family(layout, number - number % 3);  // each state three times, also within a block
      ++number;
      block.insert(block.end(), state.begin(), state.end());
    }
    std::vector<Insertion> results(size);
    in_blocks.insert(block.data(), size, results.data());
    for (std::uint32_t i = 0; i < size; ++i) CHECK(one_by_one.insert(&block[i * layout.words()]) == results[i]);
  }
  CHECK_EQUAL(in_blocks.size(), one_by_one.size());
}

void a_block_is_inserted_like_its_states_one_by_one() {
  for (std::size_t words = 1; words <= 4; ++words) {
    const Layout layout(std::vector<std::uint8_t>(words, 45));
    for (const Family family : families)
      for_every_set(layout, [&]<class Set>(Set*) { insert_blocks_and_compare<Set>(layout, family); });
  }
}

/// Prepares states while a set grows and inserts them with their keys much later.
template <class Set>
void prepare_and_compare(const Layout& layout, Family family) {
  constexpr std::uint64_t count = 40'000;
  Budget budget(plenty);
  Set set(layout.machine(), budget);
  std::set<State> expected;
  std::vector<std::pair<State, Word>> prepared;
  for (std::uint64_t i = 0; i < count; ++i) {
    State state = family(layout, i);
    Word key;
    set.prepare(state.data(), 1, &key);
    CHECK_EQUAL(set.size(), expected.size());
    if (i % 8 == 0) {
      prepared.emplace_back(std::move(state), key);
    } else {
      CHECK((set.visit(state.data(), key).insertion == Insertion::fresh) == expected.insert(state).second);
    }
  }
  for (const auto& [state, key] : prepared)
    CHECK((set.visit(state.data(), key).insertion == Insertion::fresh) == expected.insert(state).second);
  CHECK(holds_exactly(set, expected));
}

void a_prepared_state_can_be_inserted_at_any_later_time() {
  for (const std::vector<std::uint8_t>& bits :
       std::vector<std::vector<std::uint8_t>>{{41}, {20, 20}, {50, 50}, {64, 10, 64}, {64, 64, 64, 64, 64}}) {
    const Layout layout(bits);
    for (const Family family : {scattered, halved})
      for_every_set(layout, [&]<class Set>(Set*) { prepare_and_compare<Set>(layout, family); });
  }
}

/// Inserts until there has been no room for long, then compares: accepted states are there, refused ones are not.
template <class Set>
void fill_and_compare(const Layout& layout, Family family, std::uint64_t limit) {
  Budget budget(limit);
  Set set(layout.machine(), budget);
  std::set<State> expected, refused;
  std::vector<Insertion> results(32);
  for (std::uint64_t i = 0; i < 12'000 && refused.size() < 200; i += 32) {
    std::vector<Word> block;
    for (std::uint64_t j = i; j < i + 32; ++j) {
      const State state = family(layout, j);
      block.insert(block.end(), state.begin(), state.end());
    }
    set.insert(block.data(), 32, results.data());
    for (std::uint64_t j = 0; j < 32; ++j) {
      const State state = family(layout, i + j);
      if (results[j] == Insertion::no_room) {
        refused.insert(state);
      } else {
        CHECK_EQUAL(expected.insert(state).second, results[j] == Insertion::fresh);
      }
    }
    CHECK(budget.held() <= limit);
  }
  CHECK(holds_exactly(set, expected));
  for (const State& state : refused) CHECK(expected.contains(state) || !set.contains(state.data()));
  for (const State& state : expected) CHECK(set.insert(state.data()) == Insertion::known);
}

void an_exhausted_budget_leaves_the_set_unchanged() {
  for (const std::vector<std::uint8_t>& bits :
       std::vector<std::vector<std::uint8_t>>{{12}, {20}, {41}, {64}, {60, 60}, {64, 64, 64, 64}}) {
    const Layout layout(bits);
    for (std::uint64_t limit = 0; limit < 200'000; limit = limit * 3 / 2 + 3000)
      for (const Family family : families)
        for_every_set(layout, [&]<class Set>(Set*) { fill_and_compare<Set>(layout, family, limit); });
  }
}

void a_state_whose_halves_recur_takes_little_more_than_a_byte() {
  const Layout layout({61});
  Budget budget(plenty);
  ClearySet<1> set(layout.machine(), budget);
  std::uint64_t fresh = 0;
  for (std::uint64_t i = 0; i < 512 * 512; ++i) fresh += set.insert(halved(layout, i).data()) == Insertion::fresh;
  CHECK_EQUAL(set.size(), fresh);
  CHECK_EQUAL(fresh, std::uint64_t{512 * 512});
  CHECK(set.state_bytes() * 10 < fresh * 15);
  for (std::uint64_t i = 0; i < 512 * 512; ++i) CHECK(set.contains(halved(layout, i).data()));
}

void a_state_whose_halves_do_not_recur_takes_no_more_than_its_bits() {
  const Layout layout({61});
  Budget budget(plenty);
  ClearySet<1> set(layout.machine(), budget);
  for (std::uint64_t i = 0; i < 200'000; ++i) set.insert(scattered(layout, i).data());
  CHECK(set.state_bytes() * 8 < set.size() * 60);
}

void a_tree_finds_the_cut_that_balances_its_parts() {
  const Layout layout({64, 64});  // only the last 24 bits ever change
  const auto state = [](std::uint64_t number) { return State{1, BitMixer(24)(number) << 40}; };
  Budget budget(plenty);
  TreeSet<2> set(layout.machine(), budget);
  for (std::uint64_t i = 0; i < 300'000; ++i) CHECK(set.insert(state(i).data()) == Insertion::fresh);
  for (std::uint64_t i = 0; i < 300'000; ++i) CHECK(set.contains(state(i).data()));
  CHECK(set.state_bytes() < set.size() * 10);
}

void a_table_is_filled_to_its_last_load_before_it_refuses() {
  const Layout layout({41});
  Budget budget(std::uint64_t{1} << 20);
  PlainSet<1> set(layout.machine(), budget);
  for (std::uint64_t i = 0;; ++i)
    if (set.insert(scattered(layout, i).data()) == Insertion::no_room) break;
  CHECK(set.state_bytes() * 100 > budget.limit() * 80);
}

/// The maximal ratio of a set's memory to that of its states, once it has at least `from` of them.
template <class Set>
double worst_overhead(std::uint64_t budget_bytes, std::uint64_t from, std::uint64_t to) {
  const Layout layout({41});
  Budget budget(budget_bytes);
  Set set(layout.machine(), budget);
  double worst = 0;
  for (std::uint64_t i = 0; i < to; ++i) {
    set.insert(scattered(layout, i).data());
    if (i > from) worst = std::max(worst, double(set.bytes()) / double(set.state_bytes()));
  }
  return std::max(worst, double(budget.peak()) / double(set.state_bytes()));
}

void large_tables_take_little_more_memory_than_their_states() {
  CHECK(worst_overhead<PlainSet<1>>(plenty / 2, 8'000'000, 9'000'000) < 1.45);
}

void tables_take_more_if_memory_is_plentiful() {
  CHECK(worst_overhead<PlainSet<1>>(plenty, 8'000'000, 9'000'000) < 1.75);
}

void small_tables_do_so_if_memory_is_scarce() {
  CHECK(worst_overhead<PlainSet<1>>(16 << 20, 700'000, 1'200'000) < 1.45);
  CHECK(worst_overhead<ClearySet<1>>(12 << 20, 900'000, 1'200'000) < 1.6);
}

constexpr Test tests[] = {
    TEST(states_of_every_width_are_distinguished),
    TEST(states_of_every_length_are_distinguished),
    TEST(words_of_very_different_widths_are_cut_into_halves),
    TEST(no_state_is_lost_when_a_table_grows),
    TEST(a_block_is_inserted_like_its_states_one_by_one),
    TEST(a_prepared_state_can_be_inserted_at_any_later_time),
    TEST(an_exhausted_budget_leaves_the_set_unchanged),
    TEST(a_state_whose_halves_recur_takes_little_more_than_a_byte),
    TEST(a_state_whose_halves_do_not_recur_takes_no_more_than_its_bits),
    TEST(a_tree_finds_the_cut_that_balances_its_parts),
    TEST(a_table_is_filled_to_its_last_load_before_it_refuses),
    TEST(large_tables_take_little_more_memory_than_their_states),
    TEST(tables_take_more_if_memory_is_plentiful),
    TEST(small_tables_do_so_if_memory_is_scarce),
};

}  // namespace

int main() { return run_all(tests); }
