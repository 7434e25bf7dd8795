// States on disk: buckets, runs and whole sets against std::set, and what happens when the disk is full.
#include <algorithm>
#include <set>
#include <vector>

#include "store/disk/bucket.h"
#include "store/disk/disk_set.h"
#include "store/disk/run.h"
#include "tests/check.h"
#include "tests/store_keys.h"

namespace {

using namespace scrimp;
using namespace scrimp::testing;

constexpr std::uint64_t plenty = std::uint64_t{1} << 30;

const std::vector<std::vector<std::uint8_t>> layouts = {{1}, {5}, {12}, {40}, {64}, {30, 34}, {64, 20}, {64, 64, 17}};

void a_bucket_contains_the_codes_that_it_was_made_of_and_no_others() {
  for (const std::size_t words : {1u, 3u})
    for (const unsigned rest : {0u, 1u, 7u, 20u, 56u})
      for (const std::uint64_t count : {1u, 2u, 63u, 64u, 500u}) {
        std::set<State> keys;
        const Word common = Word{0xab} << 56;
        for (std::uint64_t i = 0; keys.size() < 2 * count && i < 4 * count; ++i) {
          State code(words, i % 3);
          code[0] = rest == 0 ? common : common | mix(i + 1) >> (64 - rest) << (56 - rest);
          keys.insert(code);
        }
        std::vector<Word> stored, encoded, decoded;
        std::uint64_t number = 0;
        for (const State& code : keys)
          if (number++ % 2 == 0) stored.insert(stored.end(), code.begin(), code.end());
        encode_bucket(stored.data(), stored.size() / words, words, 8, rest, encoded);
        Bucket bucket(encoded.data(), 8, rest, words);
        CHECK_EQUAL(bucket.words(), encoded.size());
        number = 0;
        for (const State& code : keys) CHECK_EQUAL(bucket.contains(code.data()), number++ % 2 == 0);
        bucket.decode(common, decoded);
        CHECK(decoded == stored);
      }
}

void a_code_stands_for_its_state() {
  for (const auto& bits : layouts) {
    const Layout layout(bits);
    StateCodes codes(layout.machine());
    for (std::uint64_t i = 0; i < 1000; ++i) {
      const State state = scattered(layout, i);
      State code(codes.words()), again(layout.words());
      CHECK(codes.code(state.data(), code.data()));
      codes.state(code.data(), again.data());
      CHECK(again == state);
    }
  }
}

/// Loads some states, then inserts others in blocks of `block`, many of them twice.
void insert_and_compare(const Layout& layout, std::uint64_t loaded, std::uint64_t count, std::uint32_t block) {
  Budget budget(std::uint64_t{3} << 20);
  DiskSpace space(temporary_folder(), plenty);
  DiskSet set(budget, space, StateCodes(layout.machine()));
  std::set<State> expected;
  Region buffer(budget);
  CHECK(buffer.resize(1 << 14));
  DiskSet::Loader loader(set, std::move(buffer));
  for (std::uint64_t i = 0; i < loaded; ++i)
    if (expected.insert(scattered(layout, i)).second) loader.add(scattered(layout, i).data());
  loader.finish();
  set.open();
  for (std::uint64_t i = 0; i < count; i += block) {
    std::vector<Word> states;
    std::vector<Insertion> results(block);
    for (std::uint64_t j = i; j < i + block; ++j) {
      const State state = scattered(layout, j % 3 == 0 ? j / 2 : j);
      states.insert(states.end(), state.begin(), state.end());
    }
    set.insert(states.data(), block, results.data());
    for (std::uint32_t j = 0; j < block; ++j) {
      const State state(states.begin() + std::ptrdiff_t(j * layout.words()),
                        states.begin() + std::ptrdiff_t((j + 1) * layout.words()));
      CHECK_EQUAL(results[j] == Insertion::fresh, expected.insert(state).second);
    }
  }
  CHECK_EQUAL(set.size(), expected.size());
  CHECK(budget.peak() <= budget.limit());
}

void a_set_on_disk_knows_the_states_that_it_was_given() {
  for (const auto& bits : layouts)
    for (const std::uint32_t block : {1u, 700u}) {
      const Layout layout(bits);
      insert_and_compare(layout, 5000, block == 1 ? 2000 : 200'000, block);
    }
}

void a_recent_state_is_found_and_others_are_not() {
  for (const std::size_t words : {1u, 3u}) {
    Budget budget(plenty);
    RecentStates recent(budget);
    recent.open(1 << 20, words);
    std::vector<State> codes;
    for (std::uint64_t i = 0; i < 1000; ++i) codes.push_back(State(words, mix(i + 1)));
    for (const State& code : codes) CHECK(!recent.contains(code.data()));
    for (const State& code : codes) recent.add(code.data());
    for (const State& code : codes) CHECK(recent.contains(code.data()));
    State other = codes[0];
    other.back() ^= 1;
    CHECK(!recent.contains(other.data()));
    CHECK(!recent.contains(State(words, 0).data()));
  }
}

void a_full_disk_is_reported() {
  const Layout layout({40});
  Budget budget(std::uint64_t{3} << 20);
  DiskSpace space(temporary_folder(), 100'000);
  DiskSet set(budget, space, StateCodes(layout.machine()));
  Region buffer(budget);
  CHECK(buffer.resize(1 << 16));
  bool failed = false;
  try {
    DiskSet::Loader loader(set, std::move(buffer));
    for (std::uint64_t i = 0; i < 100'000; ++i) loader.add(scattered(layout, i).data());
    loader.finish();
  } catch (const DiskFailure&) {
    failed = true;
  }
  CHECK(failed);
  CHECK(space.has_failed());
  CHECK(space.peak() <= 100'000u);
}

}  // namespace

int main() {
  return run_all({
      TEST(a_bucket_contains_the_codes_that_it_was_made_of_and_no_others),
      TEST(a_code_stands_for_its_state),
      TEST(a_recent_state_is_found_and_others_are_not),
      TEST(a_set_on_disk_knows_the_states_that_it_was_given),
      TEST(a_full_disk_is_reported),
  });
}
