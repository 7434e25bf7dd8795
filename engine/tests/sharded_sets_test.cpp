// Sets that threads share, against std::set: states of every layout, with the steps of an insertion done by hand, and
// by threads.
#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <vector>

#include "search/shards/workers.h"
#include "store/bitstate_set.h"
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

Workers& workers() {
  static Workers all(3);
  return all;
}

void by_workers(std::uint32_t items, const std::function<void(std::uint32_t)>& work) {
  workers().share(items, [&](unsigned, std::uint32_t item) { work(item); });
}

/// How many states were left undecided by all insertions.
std::uint64_t late_insertions = 0;

/// Inserts the codes of all shards, but leaves some undecided.
template <class Set>
void insert_within_sections(Set& set, const std::vector<Word>& codes, const std::vector<Shard>& shards,
                            Insertion* results) {
  std::array<std::vector<std::uint32_t>, shard_count> boxes;
  for (std::uint32_t i = 0; i < shards.size(); ++i) boxes[shards[i]].push_back(i);
  workers().share(shard_count, [&](unsigned, std::uint32_t shard) {
    const auto section = set.section(shard);
    for (const std::uint32_t i : boxes[shard])
      set.insert(section, Codes{&codes[i * set.code_words()], 1}, results + i, {});
  });
}

/// Inserts states as the threads of a search do; returns false if there is no room.
template <class Set>
bool insert_by_shards(Set& set, const std::vector<Word>& states, std::uint32_t count, Insertion* results) {
  set.review_if_due();
  typename Set::Scratch scratch;
  std::vector<Word> codes(count * set.code_words());
  std::vector<Shard> shards(count);
  set.look_up(states.data(), count, codes.data(), scratch);
  for (std::uint32_t i = 0; !set.codes_at_once() && i < count; ++i)
    if (codes[i] == 0 && !set.number(&states[i * (states.size() / count)], 1, &codes[i])) return false;
  set.place(codes.data(), count, shards.data());
  if (!set.make_room(count, by_workers)) return false;
  insert_within_sections(set, codes, shards, results);
  set.count_inserted(static_cast<std::uint64_t>(std::count(results, results + count, Insertion::fresh)));
  bool has_room = true;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (results[i] != Insertion::no_room) continue;
    ++late_insertions;
    results[i] = set.insert_late(&codes[i * set.code_words()]);
    has_room = has_room && results[i] != Insertion::no_room;
  }
  return has_room;
}

const std::array layouts = {std::vector<std::uint8_t>{40}, std::vector<std::uint8_t>{64},
                            std::vector<std::uint8_t>{30, 34}, std::vector<std::uint8_t>{64, 20},
                            std::vector<std::uint8_t>{64, 64, 64, 17}};

template <class Check>
void for_every_set(const Layout& layout, Check check) {
  const auto with_words = [&]<std::uint32_t words>() {
    check(static_cast<PlainSet<words>*>(nullptr));
    if constexpr (words != 1) check(static_cast<TreeSet<words>*>(nullptr));
    check(static_cast<ClearySet<words>*>(nullptr));
  };
  with_words.template operator()<0>();
  if (layout.words() == 1) with_words.template operator()<1>();
  if (layout.words() == 2) with_words.template operator()<2>();
}

/// `alone`: so many states are inserted by one thread. Then blocks are inserted by shards and directly in turns.
template <class Set>
void insert_and_compare(const Layout& layout, Family family, std::uint64_t alone, std::uint64_t count) {
  Budget budget(plenty);
  Set set(layout.machine(), budget);
  std::set<State> expected;
  constexpr std::uint32_t block = 500;
  std::vector<Word> states(block * layout.words());
  std::vector<Insertion> results(block);
  for (std::uint64_t done = 0; done < count; done += block) {
    std::vector<bool> is_fresh;
    for (std::uint32_t i = 0; i < block; ++i) {
      const State state = family(layout, (done + i) * 7 / 10);  // some of them twice
      std::copy(state.begin(), state.end(), &states[i * layout.words()]);
      is_fresh.push_back(expected.insert(state).second);
    }
    if (done < alone || done / block % 5 == 4) {
      set.insert(states.data(), block, results.data());
    } else {
      CHECK(insert_by_shards(set, states, block, results.data()));
    }
    for (std::uint32_t i = 0; i < block; ++i)
      CHECK((results[i] == Insertion::fresh) == is_fresh[i] && results[i] != Insertion::no_room);
  }
  CHECK_EQUAL(set.size(), expected.size());
  for (const State& state : expected) CHECK(set.contains(state.data()));
  std::set<State> listed;
  CHECK(set.for_each_row([&](const Word* row) { listed.emplace(row, row + layout.words()); }));
  CHECK(listed == expected);
  CHECK(set.state_bytes() <= set.bytes());
}

void states_are_distinguished_by_one_thread_and_by_several() {
  for (const auto& bits : layouts) {
    const Layout layout(bits);
    for (const Family family : families)
      for_every_set(layout, [&]<class Set>(Set*) {
        insert_and_compare<Set>(layout, family, 0, 10'000);
        insert_and_compare<Set>(layout, family, 4'000, 25'000);
      });
  }
}

void hashes_are_distinguished_by_one_thread_and_by_several() {
  const Layout layout({64, 20});
  for (const bool is_shared : {false, true}) {
    Budget budget(plenty);
    CompactSet<2> compact(layout.machine(), strategy::Compact{60}, budget);
    BitstateSet<2> bitstate(layout.machine(), strategy::Bitstate{1 << 22, 3}, budget);
    std::vector<Word> states(20'000);
    std::vector<Insertion> results(10'000);
    for (std::uint64_t i = 0; i < 10'000; ++i) {
      const State state = scattered(layout, i % 6000);
      std::copy(state.begin(), state.end(), &states[2 * i]);
    }
    const auto check = [&](auto& set) {
      if (is_shared) {
        CHECK(insert_by_shards(set, states, 10'000, results.data()));
      } else {
        set.insert(states.data(), 10'000, results.data());
      }
      CHECK_EQUAL(set.size(), 6000u);
      for (std::uint64_t i = 0; i < 10'000; ++i) CHECK((results[i] == Insertion::fresh) == (i < 6000));
    };
    check(compact);
    check(bitstate);
  }
}

/// The same states lost, and the same expectation of how many.
void a_bit_table_loses_the_same_states_however_they_are_inserted() {
  const Layout layout({64});
  Budget budget(plenty);
  BitstateSet<1> direct(layout.machine(), strategy::Bitstate{1 << 15, 3}, budget);
  BitstateSet<1> shared(layout.machine(), strategy::Bitstate{1 << 15, 3}, budget);
  std::vector<Word> states;
  for (std::uint64_t i = 0; i < 30'000; ++i) states.push_back(scattered(layout, i)[0]);
  std::vector<Insertion> by_one(states.size()), by_shards(states.size());
  direct.insert(states.data(), 30'000, by_one.data());
  CHECK(insert_by_shards(shared, states, 30'000, by_shards.data()));
  CHECK(by_one == by_shards);
  direct.complete_round();
  shared.complete_round();
  CHECK(direct.size() < 30'000u);
  CHECK_EQUAL(direct.expected_omissions(), shared.expected_omissions());
}

struct Growth {
  std::uint64_t peak, late;
};

/// A table of 3 million states grows often, and in several waves.
template <class Set>
Growth grow(bool is_shared) {
  constexpr std::uint32_t block = 50'000;
  constexpr std::uint64_t count = 60 * block;
  const Layout layout({64});
  Budget budget(plenty);
  Set set(layout.machine(), budget);
  std::vector<Word> states(block);
  std::vector<Insertion> results(block);
  late_insertions = 0;
  for (std::uint64_t done = 0; done < count; done += block) {
    for (std::uint64_t i = 0; i < block; ++i) states[i] = scattered(layout, done + i)[0];
    if (is_shared && done != 0)
      CHECK(insert_by_shards(set, states, block, results.data()));
    else
      set.insert(states.data(), block, results.data());
    CHECK_EQUAL(std::count(results.begin(), results.end(), Insertion::fresh), block);
  }
  CHECK_EQUAL(set.size(), count);
  for (std::uint64_t i = 0; i < count; i += 7) CHECK(set.contains(scattered(layout, i).data()));
  return {budget.peak(), late_insertions};
}

/// Some states are left undecided, or else nothing is shown about them; but few, because one thread inserts them.
template <class Set>
void grow_alone_and_shared() {
  const Growth alone = grow<Set>(false), shared = grow<Set>(true);
  CHECK(shared.peak <= alone.peak);
  CHECK(shared.late > 100 && shared.late < 100'000);
}

void a_shared_set_grows_like_one_that_is_not() {
  grow_alone_and_shared<PlainSet<1>>();
  grow_alone_and_shared<ClearySet<1>>();
}

void a_set_without_room_keeps_what_it_has() {
  const Layout layout({64, 20});
  for_every_set(layout, [&]<class Set>(Set*) {
    Budget budget(8 << 20);
    Set set(layout.machine(), budget);
    std::vector<Word> states(2000);
    std::vector<Insertion> results(1000);
    std::uint64_t fresh = 0, done = 0;
    bool has_room = true;
    for (; has_room && done < 5'000'000; done += 1000) {
      for (std::uint64_t i = 0; i < 1000; ++i) {
        const State state = scattered(layout, done + i);
        std::copy(state.begin(), state.end(), &states[2 * i]);
      }
      std::fill(results.begin(), results.end(), Insertion::no_room);
      has_room = insert_by_shards(set, states, 1000, results.data());
      for (const Insertion result : results) fresh += result == Insertion::fresh;
    }
    CHECK(!has_room);
    CHECK_EQUAL(set.size(), fresh);
    CHECK(budget.held() <= 8u << 20);
    for (std::uint64_t i = 0; i + 1000 < done; ++i) CHECK(set.contains(scattered(layout, i).data()));
  });
}

void a_shared_set_is_saved_and_loaded() {
  for (const auto& bits : layouts) {
    const Layout layout(bits);
    for_every_set(layout, [&]<class Set>(Set*) {
      Budget budget(plenty);
      Set set(layout.machine(), budget), loaded(layout.machine(), budget);
      for (std::uint64_t i = 0; i < 3000; ++i) {
        const State state = recurring(layout, i);
        Insertion result = Insertion::no_room;
        CHECK(insert_by_shards(set, state, 1, &result));
      }
      std::vector<Word> file;
      CHECK(save(set, [&](const Word* words, std::size_t count) {
        file.insert(file.end(), words, words + count);
        return true;
      }));
      std::size_t place = 0;
      CHECK(load(loaded, [&](Word* words, std::size_t count) {
        if (place + count > file.size()) return false;
        std::copy_n(&file[place], count, words);
        place += count;
        return true;
      }));
      CHECK_EQUAL(loaded.size(), set.size());
      for (std::uint64_t i = 0; i < 3000; ++i) CHECK(loaded.contains(recurring(layout, i).data()));
    });
  }
}

}  // namespace

int main() {
  return run_all({
      TEST(states_are_distinguished_by_one_thread_and_by_several),
      TEST(hashes_are_distinguished_by_one_thread_and_by_several),
      TEST(a_bit_table_loses_the_same_states_however_they_are_inserted),
      TEST(a_shared_set_grows_like_one_that_is_not),
      TEST(a_set_without_room_keeps_what_it_has),
      TEST(a_shared_set_is_saved_and_loaded),
  });
}
