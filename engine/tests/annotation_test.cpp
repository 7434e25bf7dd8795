// The annotations of every set against std::map: while the set grows and is laid out again, when it is listed, and when
// it is saved and loaded.
#include <map>
#include <vector>

#include "store/cache_set.h"
#include "store/cleary_set.h"
#include "store/compact_set.h"
#include "store/plain_set.h"
#include "store/saved_set.h"
#include "store/tree_set.h"
#include "tests/check.h"
#include "tests/store_keys.h"

namespace {

using namespace scrimp;
using namespace scrimp::testing;

constexpr std::uint64_t plenty = std::uint64_t{1} << 30;
constexpr std::uint64_t count = 60'000;  // so that sets grow, and trees are reviewed

using Annotated = std::map<State, std::vector<Word>>;

/// Calls `check` with sets that have annotations, as types, and the largest value that these can have.
template <class Check>
void for_every_annotated_set(const Layout& layout, Check check) {
  const auto with_words = [&]<std::uint32_t words>() {
    check(static_cast<PlainSet<words, Word>*>(nullptr), ~Word{0});
    check(static_cast<TreeSet<words, Word>*>(nullptr), ~Word{0});
    check(static_cast<ClearySet<words, 2>*>(nullptr), Word{3});
    check(static_cast<ClearySet<words, 8>*>(nullptr), Word{255});
  };
  with_words.template operator()<0>();
  if (layout.words() == 1) with_words.template operator()<1>();
  if (layout.words() == 2) with_words.template operator()<2>();
}

/// Half of the states are visited again, and annotated again.
template <class Set>
void annotate(Set& set, const Layout& layout, Family family, Word most, Annotated& expected) {
  for (std::uint64_t i = 0; i < count; ++i) {
    const State state = family(layout, i * 7 % (count / 2 + 1));
    const auto entry = visit(set, state.data());
    const auto [place, is_fresh] = expected.try_emplace(state, std::vector<Word>{0});
    CHECK(entry.insertion == (is_fresh ? Insertion::fresh : Insertion::known));
    CHECK_EQUAL(Word{entry.annotation()}, place->second[0]);
    entry.annotation() = place->second[0] = mix(i + 1) & most;
    CHECK_EQUAL(Word{entry.annotation()}, place->second[0]);
  }
}

template <class Set>
bool lists_exactly(const Set& set, const Layout& layout, const Annotated& expected) {
  std::size_t listed = 0;
  bool is_right = set.size() == expected.size();
  const bool is_read = set.for_each_row([&](const Word* row) {
    const auto found = expected.find(State(row, row + layout.words()));
    is_right = is_right && found != expected.end();
    for (std::size_t i = 0; is_right && i < Set::annotations; ++i)
      is_right = row[layout.words() + i] == found->second[i];
    ++listed;
  });
  return is_read && is_right && listed == expected.size();
}

const std::vector<std::vector<std::uint8_t>> widths = {{41}, {64}, {20, 20}, {50, 50}, {64, 10, 64}};

void every_set_keeps_the_annotations_of_its_states() {
  for (const std::vector<std::uint8_t>& bits : widths) {
    const Layout layout(bits);
    for (const Family family : {scattered, halved})
      for_every_annotated_set(layout, [&]<class Set>(Set*, Word most) {
        Budget budget(plenty);
        Set set(layout.machine(), budget);
        Annotated expected;
        annotate(set, layout, family, most, expected);
        CHECK(lists_exactly(set, layout, expected));
      });
  }
}

void two_annotations_are_kept_apart() {
  const Layout layout({64, 30});
  Budget budget(plenty);
  PlainSet<2, Word, Word> set(layout.machine(), budget);
  Annotated expected;
  for (std::uint64_t i = 0; i < count; ++i) {
    const State state = scattered(layout, i);
    const auto entry = visit(set, state.data());
    CHECK_EQUAL(entry.annotation<0>() | entry.annotation<1>(), 0u);
    entry.annotation<0>() = i;
    entry.annotation<1>() = ~i;
    expected[state] = {i, ~i};
  }
  CHECK(lists_exactly(set, layout, expected));
}

/// A table that cannot grow is filled until numbers are displaced from line to line, and some wait.
void annotations_move_with_displaced_entries() {
  for (const unsigned bits : {16u, 20u, 34u, 64u}) {
    Budget budget(std::uint64_t{128} << 10);
    QuotientTable table(budget, bits, 0, 3);
    std::map<Word, Word> expected;
    const BitMixer mixer(bits);
    for (std::uint64_t i = 0; i < 60'000; ++i) {
      const Word number = mixer(i * 5 % 65521);
      const Insertion insertion = table.insert(number);
      CHECK((insertion == Insertion::known) == expected.contains(number));
      if (insertion == Insertion::no_room) continue;
      CHECK_EQUAL(Word{QuotientTable::Entry(table, number)}, expected[number]);
      QuotientTable::Entry(table, number) = expected[number] = i % 8;
    }
    CHECK(expected.size() > 10'000);
    std::map<Word, Word> listed;
    table.for_each([&](Word number, Word annotation) { listed[number] = annotation; });
    CHECK(listed == expected);
  }
}

void saving_and_loading_a_set_preserves_its_contents() {
  for (const std::vector<std::uint8_t>& bits : widths) {
    const Layout layout(bits);
    for_every_annotated_set(layout, [&]<class Set>(Set*, Word most) {
      Budget budget(plenty);
      Set set(layout.machine(), budget), loaded(layout.machine(), budget);
      Annotated expected;
      annotate(set, layout, halved, most, expected);
      std::vector<Word> words;
      CHECK(save(set, [&](const Word* row, std::size_t size) {
        words.insert(words.end(), row, row + size);
        return true;
      }));
      std::size_t read = 0;
      const auto reading = [&](Word* row, std::size_t size) {
        if (read + size > words.size()) return false;
        std::copy_n(words.data() + read, size, row);
        read += size;
        return true;
      };
      CHECK(load(loaded, reading));
      CHECK(lists_exactly(loaded, layout, expected));
      words.pop_back();
      read = 0;
      Set cut_short(layout.machine(), budget);
      CHECK(!load(cut_short, reading));
    });
  }
}

void a_cache_lists_and_loads_its_states() {
  const Layout layout({41, 30});
  Budget budget(plenty);
  CacheSet<2, Word> set(layout.machine(), {}, budget), loaded(layout.machine(), {}, budget);
  Annotated expected;
  annotate(set, layout, scattered, ~Word{0}, expected);
  CHECK(lists_exactly(set, layout, expected));
  set.for_each_row([&](const Word* row) { CHECK(loaded.add_row(row)); });
  CHECK(lists_exactly(loaded, layout, expected));
}

void a_set_of_hashes_saves_its_hashes() {
  const Layout layout({41});
  Budget budget(plenty);
  CompactSet<1> set(layout.machine(), strategy::Compact{40}, budget), loaded(layout.machine(), {40}, budget);
  for (std::uint64_t i = 0; i < count; ++i) set.insert(scattered(layout, i).data());
  set.for_each_row([&](const Word* row) { CHECK(loaded.add_row(row)); });
  CHECK_EQUAL(loaded.size(), set.size());
  for (std::uint64_t i = 0; i < count; ++i) CHECK(loaded.insert(scattered(layout, i).data()) == Insertion::known);
}

}  // namespace

int main() {
  return run_all({
      TEST(every_set_keeps_the_annotations_of_its_states),
      TEST(two_annotations_are_kept_apart),
      TEST(annotations_move_with_displaced_entries),
      TEST(saving_and_loading_a_set_preserves_its_contents),
      TEST(a_cache_lists_and_loads_its_states),
      TEST(a_set_of_hashes_saves_its_hashes),
  });
}
