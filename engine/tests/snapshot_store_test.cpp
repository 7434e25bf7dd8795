// Which levels the caches take and evict, and which states are therefore known.
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "store/snapshots/cache_stream.h"
#include "store/snapshots/level_bits.h"
#include "store/snapshots/snapshot_set.h"
#include "tests/check.h"
#include "tests/store_keys.h"

namespace {

using namespace scrimp;
using namespace scrimp::testing;

constexpr std::uint64_t plenty = std::uint64_t{64} << 20;

/// Levels that pass through a stream, each with its own bit.
class Stream {
 public:
  explicit Stream(std::vector<LevelCache> caches, bool keeps_some = false)
      : stream_({.caches = {std::move(caches)}, .backtracking = false, .permanent = keeps_some}, bits_, budget_) {}

  void offer(std::uint64_t level, std::uint64_t states = 1) {
    if (!bits_.has_free()) bits_.swept();
    stream_.offer({level, states, bits_.take(level)});
  }
  void offer_all(std::uint64_t levels) {
    for (std::uint64_t level = 0; level < levels; ++level) offer(level);
  }
  void hit(std::uint64_t hit_level, std::uint64_t at_level) {
    stream_.for_each([&](const Snapshot& snapshot, std::size_t) {
      if (snapshot.level != hit_level) return;
      ++bits_[snapshot.bit].hits;
      bits_[snapshot.bit].last_hit = at_level;
    });
  }

  /// The levels in each cache.
  std::string text() const {
    std::string text;
    std::size_t last = 0;
    stream_.for_each([&](const Snapshot& snapshot, std::size_t cache) {
      for (; last < cache; ++last) text += "| ";
      text += std::to_string(snapshot.level) + " ";
    });
    return text;
  }
  int kept() const { return std::popcount(bits_.settling()); }

 private:
  LevelBits bits_;
  Budget budget_{plenty};
  CacheStream stream_;
};

void a_constant_period_samples_levels_at_equal_distances() {
  Stream stream({{3, 0, Leaving::llnr, 10}});
  stream.offer_all(14);
  CHECK_EQUAL(stream.text(), "0 3 6 9 12 ");
}

void a_growing_period_samples_fewer_and_fewer_levels() {
  Stream stream({{2, 2, Leaving::llnr, 10}});
  stream.offer_all(40);
  CHECK_EQUAL(stream.text(), "0 2 6 12 20 30 ");
}

void a_snapshot_that_leaves_a_cache_is_offered_to_the_next() {
  Stream stream({{1, 0, Leaving::llnr, 2}, {3, 0, Leaving::llnr, 5}});
  stream.offer_all(9);
  CHECK_EQUAL(stream.text(), "8 7 | 0 3 6 ");
}

/// Three levels of 5, 9 and 7 states; level 1 was hit twice, level 0 once and later.
void the_policy_determines_which_snapshot_leaves() {
  const std::pair<Leaving, std::string> expected[] = {
      {Leaving::llnr, "3 1 2 "}, {Leaving::lru, "0 1 3 "}, {Leaving::mru, "3 1 2 "},
      {Leaving::lfu, "0 1 3 "},  {Leaving::mfu, "0 3 2 "}, {Leaving::size, "0 3 2 "},
  };
  for (const auto& [policy, left] : expected) {
    Stream stream({{1, 0, policy, 3}});
    stream.offer(0, 5);
    stream.offer(1, 9);
    stream.offer(2, 7);
    stream.hit(1, 3);
    stream.hit(1, 3);
    stream.hit(0, 4);
    stream.offer(3, 1);
    CHECK_EQUAL(stream.text(), left);
  }
}

void at_random_any_snapshot_may_leave() {
  std::array<int, 4> stayed{};
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    LevelBits bits;
    Budget budget(plenty);
    CacheStream stream({.caches = {{{1, 0, Leaving::random, 4}}}, .seed = seed}, bits, budget);
    for (std::uint64_t level = 0; level < 5; ++level) stream.offer({level, 1, bits.take(level)});
    stream.for_each([&](const Snapshot& snapshot, std::size_t) {
      if (snapshot.level < 4) ++stayed[snapshot.level];
    });
  }
  for (const int count : stayed) CHECK(count > 120 && count < 180);
}

/// Of the 20 levels that the last cache takes, the first, second, fourth, eighth and sixteenth are kept; all have left
/// it but the last.
void some_snapshots_that_leave_the_last_cache_are_kept() {
  Stream stream({{1, 0, Leaving::llnr, 4}, {1, 0, Leaving::llnr, 1}}, true);
  stream.offer_all(21);
  CHECK_EQUAL(stream.text(), "20 17 18 19 | 16 ");
  CHECK_EQUAL(stream.kept(), 5);
}

/// A set whose levels are lists of numbers.
class NumberSet {
 public:
  explicit NumberSet(const strategy::Snapshots& options) : set_(layout_.machine(), options, budget_) {}

  /// Collects a level. Returns the numbers that were fresh.
  std::vector<std::uint64_t> collect(std::initializer_list<std::uint64_t> numbers) {
    return collect(std::vector<std::uint64_t>(numbers));
  }
  std::vector<std::uint64_t> collect(const std::vector<std::uint64_t>& numbers) {
    set_.begin_level();
    std::vector<Word> states, keys(numbers.size());
    std::vector<Holders> holders(numbers.size());
    for (const std::uint64_t number : numbers)
      for (const Word word : scattered(layout_, number)) states.push_back(word);
    CHECK(set_.insert(states.data(), static_cast<std::uint32_t>(numbers.size()), keys.data(), holders.data(),
                      [](const auto&) {}));
    std::vector<std::uint64_t> fresh;
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if (holders[i] == 0) fresh.push_back(numbers[i]);
    set_.complete_level();
    return fresh;
  }
  std::uint64_t size_after_sweep() { return set_.sweep(), set_.size(); }

 private:
  Layout layout_{{64, 40}};
  Budget budget_{plenty};
  SnapshotSet<2> set_;
};

using Numbers = std::vector<std::uint64_t>;

strategy::Snapshots stream_of(std::vector<LevelCache> caches) {
  return {.caches = {std::move(caches)}, .backtracking = false, .permanent = false};
}

void a_state_is_known_as_long_as_a_snapshot_holds_it() {
  NumberSet set(stream_of({{1, 0, Leaving::llnr, 2}}));
  CHECK(set.collect({1, 2, 2}) == (Numbers{1, 2}));
  CHECK(set.collect({2, 3}) == Numbers{3});
  CHECK(set.collect({4}) == Numbers{4});
  CHECK(set.collect({1, 2}) == Numbers{1});
  CHECK(set.collect({2, 3}) == Numbers{3});
  CHECK_EQUAL(set.size_after_sweep(), 3u);
}

void a_level_that_is_not_sampled_is_known_while_it_is_expanded() {
  NumberSet set(stream_of({{10, 0, Leaving::llnr, 1}}));
  set.collect({0});
  CHECK(set.collect({1}) == Numbers{1});
  CHECK(set.collect({1, 2}) == Numbers{2});
  CHECK(set.collect({3}) == Numbers{3});
  CHECK(set.collect({0, 1, 2}) == (Numbers{1, 2}));
}

/// New levels, for longer than there are bits: only the states of the remaining levels stay.
void sweeps_remove_forgotten_states_from_the_table() {
  NumberSet set(stream_of({{1, 0, Leaving::llnr, 3}, {1, 0, Leaving::llnr, 2}}));
  for (std::uint64_t level = 0; level < 1000; ++level) {
    Numbers numbers;
    for (std::uint64_t i = 0; i < 50; ++i) numbers.push_back(level * 50 + i);
    CHECK(set.collect(numbers) == numbers);
    if (level > 5 && level % 100 == 0) CHECK_EQUAL(set.size_after_sweep(), 5u * 50);
  }
}

void levels_that_share_a_bit_are_forgotten_together() {
  LevelBits bits;
  const unsigned first = bits.take(0), second = bits.take(1), third = bits.take(2);
  const Holders of_first = LevelBits::only(first), of_second = LevelBits::only(second),
                of_third = LevelBits::only(third);
  const LevelBits::Renaming renaming = bits.merge(0, 2);
  CHECK_EQUAL(renaming[first], second);
  CHECK_EQUAL(renaming[second], second);
  CHECK_EQUAL(renaming[third], third);
  CHECK_EQUAL(bits.renewed(of_first | of_third), of_second | of_third);
  bits.swept();
  bits.let_go(second);
  CHECK_EQUAL(bits.renewed(of_second), of_second);
  bits.let_go(second);
  CHECK_EQUAL(bits.renewed(of_second | of_third), of_third);
  CHECK_EQUAL(bits.renewed(of_second), 0u);
}

void a_kept_level_moves_to_for_good_and_its_bit_is_reused() {
  LevelBits bits;
  const unsigned bit = bits.take(7);
  bits[bit].is_kept = true;
  bits.let_go(bit);
  CHECK_EQUAL(bits.renewed(LevelBits::only(bit)), LevelBits::for_good);
  bits.swept();
  CHECK_EQUAL(bits.take(8), bit);
}

template <std::uint32_t Words>
void sweep_some(const std::vector<std::uint8_t>& widths) {
  const Layout layout(widths);
  Budget budget(plenty);
  PlainSet<Words, Word> set(layout.machine(), budget);
  const auto place = [&](std::uint64_t number) {
    const State state = scattered(layout, number);
    return visit(set, state.data());
  };
  constexpr std::uint64_t count = 20'000;
  for (std::uint64_t round = 0; round < 4; ++round) {
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto placed = place(i);
      CHECK((placed.insertion == Insertion::known) == (round != 0 && i % 3 == 0));
      placed.annotation() = i + 1;
    }
    CHECK_EQUAL(set.size(), count);
    set.sweep([](Word annotation) { return annotation % 3 == 1 ? annotation : 0; });
    CHECK_EQUAL(set.size(), (count + 2) / 3);
    for (std::uint64_t i = 0; i < count; ++i) CHECK_EQUAL(set.contains(scattered(layout, i).data()), i % 3 == 0);
    for (std::uint64_t i = 0; i < count; i += 3) CHECK_EQUAL(place(i).annotation(), i + 1);
  }
}

void a_sweep_removes_exactly_the_given_states() {
  sweep_some<1>({64});
  sweep_some<2>({64, 64});
  sweep_some<3>({64, 64, 9});
  sweep_some<0>({64, 9, 64, 64, 20});
}

}  // namespace

int main() {
  return run_all({
      TEST(a_constant_period_samples_levels_at_equal_distances),
      TEST(a_growing_period_samples_fewer_and_fewer_levels),
      TEST(a_snapshot_that_leaves_a_cache_is_offered_to_the_next),
      TEST(the_policy_determines_which_snapshot_leaves),
      TEST(at_random_any_snapshot_may_leave),
      TEST(some_snapshots_that_leave_the_last_cache_are_kept),
      TEST(a_state_is_known_as_long_as_a_snapshot_holds_it),
      TEST(a_level_that_is_not_sampled_is_known_while_it_is_expanded),
      TEST(sweeps_remove_forgotten_states_from_the_table),
      TEST(levels_that_share_a_bit_are_forgotten_together),
      TEST(a_kept_level_moves_to_for_good_and_its_bit_is_reused),
      TEST(a_sweep_removes_exactly_the_given_states),
  });
}
