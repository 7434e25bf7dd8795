// States on disk as the numbers of their parts: codes, tables and whole sets, through widenings and recodings.
#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "store/disk/code_tree.h"
#include "store/disk/disk_set.h"
#include "store/disk/parts_code.h"
#include "store/disk/reversible_numbering.h"
#include "tests/check.h"
#include "tests/store_keys.h"

namespace {

using namespace scrimp;
using namespace scrimp::testing;

constexpr std::uint64_t plenty = std::uint64_t{1} << 30;

const std::vector<std::vector<std::uint8_t>> layouts = {{64, 20}, {64, 64, 17}, {40, 50, 60, 64, 64, 64, 30}};

void words_get_numbers_that_lead_back_to_them() {
  Budget budget(plenty);
  ReversibleNumbering numbers(budget);
  CHECK(numbers.make_index());
  for (std::uint32_t i = 1; i <= 100'000; ++i) {
    CHECK_EQUAL(numbers.find(mix(i)), ReversibleNumbering::none);
    CHECK_EQUAL(numbers.add(mix(i)), i);
  }
  for (std::uint32_t i = 1; i <= 100'000; ++i) {
    CHECK_EQUAL(numbers.find(mix(i)), i);
    CHECK_EQUAL(numbers.word(i), mix(i));
  }
  CHECK(numbers.bytes() <= 100'000 * CodeTree::bytes_per_number + 64 * small_page);
}

void a_full_budget_leaves_all_numbers_as_they_are() {
  Budget budget(64 * small_page);
  ReversibleNumbering numbers(budget);
  CHECK(numbers.make_index());
  std::uint32_t last = 0;
  while (numbers.add(mix(last + 1)) != ReversibleNumbering::none) ++last;
  CHECK(last > 10'000);
  for (std::uint32_t i = 1; i <= last; ++i) CHECK_EQUAL(numbers.find(mix(i)), i);
}

/// Random numbers of which the greatest have so many bits more than the base.
PartsCode::Numbers numbers_of(const std::vector<unsigned>& widths, unsigned more, std::uint64_t seed) {
  PartsCode::Numbers numbers{};
  for (std::size_t i = 0; i < widths.size(); ++i)
    numbers[i] = static_cast<std::uint32_t>(mix(seed * 16 + i + 1) >> (64 - widths[i] - seed % (more + 1)));
  return numbers;
}

void a_code_of_parts_leads_back_to_them_and_outlives_every_widening() {
  for (const std::vector<unsigned>& widths : std::vector<std::vector<unsigned>>{{16}, {9, 8}, {20, 1, 14, 7}, {31, 31}})
    for (const unsigned more : {0u, 1u, 5u}) {
      PartsCode code(widths);
      if (code.bits() + widths.size() * more > 64) continue;
      struct Written {
        PartsCode::Numbers numbers;
        Word code;
        unsigned bits;
      };
      std::vector<Written> all;
      for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        const PartsCode::Numbers numbers = numbers_of(widths, seed < 1000 ? 0 : more, seed);
        CHECK(code.make_fit(numbers));
        all.push_back({numbers, code(numbers), code.bits()});
      }
      for (const Written& each : all) {
        PartsCode::Numbers again{};
        code.numbers(each.code, again);
        CHECK(again == each.numbers);
        CHECK_EQUAL(code(each.numbers), each.code);
        CHECK(PartsCode::is_within(each.code, code.base_bits(), each.bits));
        const Word written = each.bits == 64 ? each.code : each.code >> (64 - each.bits) << (64 - each.bits);
        CHECK_EQUAL(PartsCode::extended(written, code.base_bits(), each.bits), each.code);
      }
    }
}

void a_code_has_at_most_64_bits() {
  PartsCode code(std::vector<unsigned>{31, 31});
  CHECK(code.make_fit({~0u, (1u << 31) - 1}));
  CHECK(code.make_fit({~0u, ~0u}));
  PartsCode full(std::vector<unsigned>{31, 31, 2});
  CHECK(!full.make_fit({1, 1, 4}));
  CHECK(full.make_fit({1, 1, 3}));
}

/// The codes of states by a tree of some of them, which are loaded into a set.
struct Loaded {
  Loaded(const Layout& layout, Family family, std::uint64_t count)
      : budget(std::uint64_t{16} << 20), space(temporary_folder(), plenty) {
    Tree tree(layout.machine(), budget, Numbers::narrow);
    std::vector<Word> pairs;
    for (std::uint64_t i = 0; i < count; ++i) {
      const State state = family(layout, i);
      Tree::Pair pair;
      if (!states.insert(state).second) continue;
      CHECK_EQUAL(tree.number(state.data(), 1, &pair), 1u);
      pairs.push_back(pair.word());
    }
    set.emplace(budget, space,
                StateCodes(layout.machine(), std::make_unique<CodeTree>(layout.machine(), tree, budget)));
    Region buffer(budget);
    CHECK(buffer.resize(1 << 14));
    DiskSet::Loader loader(*set, std::move(buffer));
    State scratch(layout.words());
    for (const Word pair : pairs)
      loader.add_code([&](Word* code) { set->codes().code(Tree::pair_of(pair), scratch.data(), code); });
    loader.complete_coded();
    loader.finish().clear();
  }

  /// Inserts states in blocks of `block`, many of them twice.
  void insert_and_compare(const Layout& layout, Family family, std::uint64_t count, std::uint32_t block) {
    for (std::uint64_t i = 0; i < count; i += block) {
      std::vector<Word> words;
      std::vector<Insertion> results(block);
      for (std::uint64_t j = i; j < i + block; ++j) {
        const State state = family(layout, j % 3 == 0 ? j / 2 : j);
        words.insert(words.end(), state.begin(), state.end());
      }
      set->insert(words.data(), block, results.data());
      for (std::uint32_t j = 0; j < block; ++j) {
        const auto first = words.begin() + std::ptrdiff_t(j * layout.words());
        const State state(first, first + std::ptrdiff_t(layout.words()));
        CHECK_EQUAL(results[j] == Insertion::fresh, states.insert(state).second);
      }
    }
    CHECK_EQUAL(set->size(), states.size());
    CHECK(budget.peak() <= budget.limit());
  }

  Budget budget;
  DiskSpace space;
  std::optional<DiskSet> set;
  std::set<State> states;
};

/// Enough states for several runs, whose codes have different lengths.
void a_set_knows_its_states_while_their_codes_are_widened() {
  const Layout layout({64, 20});
  for (const Family family : {counted, recurring, halved}) {
    Loaded loaded(layout, family, 3000);
    const std::uint64_t bits_before = loaded.set->code_bits();
    loaded.set->open();
    loaded.insert_and_compare(layout, family, 150'000, 1000);
    CHECK_EQUAL(loaded.set->recodings(), 0u);
    CHECK(loaded.set->codes().is_by_parts());
    if (family == counted) CHECK(loaded.set->code_bits() > bits_before && loaded.set->merged() != 0);
  }
}

void a_set_knows_its_states_through_recodings() {
  for (const auto& bits : layouts)
    for (const std::uint64_t more : {1u, 500u, 5000u}) {
      const Layout layout(bits);
      Loaded loaded(layout, counted, 3000);
      loaded.set->open(more + 3000);
      loaded.insert_and_compare(layout, counted, 20'000, 500);
      CHECK(loaded.set->recodings() != 0);
    }
}

void states_without_common_parts_are_coded_whole_in_the_end() {
  const Layout layout({64, 64, 64, 64});
  Loaded loaded(layout, scattered, 2000);
  loaded.set->open(20'000);
  loaded.insert_and_compare(layout, scattered, 20'000, 500);
  CHECK(!loaded.set->codes().is_by_parts());
  CHECK_EQUAL(loaded.set->code_bits(), 256u);
}

/// More numbers than a third of the memory has room for.
void tables_get_more_room_if_no_part_can_be_split() {
  const Layout layout({64, 64});
  Loaded loaded(layout, scattered, 2000);
  loaded.set->open();
  loaded.insert_and_compare(layout, scattered, 250'000, 1000);
  CHECK(loaded.set->codes().bytes() > loaded.budget.limit() / 3);
  CHECK(loaded.set->codes().is_by_parts());
  CHECK_EQUAL(loaded.set->recodings(), 0u);
}

}  // namespace

int main() {
  return run_all({
      TEST(words_get_numbers_that_lead_back_to_them),
      TEST(a_full_budget_leaves_all_numbers_as_they_are),
      TEST(a_code_of_parts_leads_back_to_them_and_outlives_every_widening),
      TEST(a_code_has_at_most_64_bits),
      TEST(a_set_knows_its_states_while_their_codes_are_widened),
      TEST(a_set_knows_its_states_through_recodings),
      TEST(states_without_common_parts_are_coded_whole_in_the_end),
      TEST(tables_get_more_room_if_no_part_can_be_split),
  });
}
