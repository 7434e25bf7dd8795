// Every policy, and cascades of them, against the reference cache; and what holds for all of them: states on the path
// are never evicted, and evicted states are gone.
#include <optional>
#include <vector>

#include "store/cache_set.h"
#include "tests/byte_layout.h"
#include "tests/check.h"
#include "tests/obvious_cache.h"
#include "tests/store_keys.h"

namespace {

using namespace scrimp;
using namespace scrimp::testing;

constexpr std::uint64_t plenty = std::uint64_t{1} << 30;
constexpr StateCode::Kind kinds[] = {StateCode::Kind::huffman, StateCode::Kind::run_length};
constexpr Policy all_policies[] = {Policy::random, Policy::fifo,          Policy::lru,
                                   Policy::mru,    Policy::lfu,           Policy::mfu,
                                   Policy::type,   Policy::largest_class, Policy::smallest_subtree};

strategy::Cache one_cache(Policy policy, std::optional<std::uint64_t> states, std::uint64_t seed = 0) {
  strategy::Cache replacement;
  replacement.states = states;
  replacement.policy = {{policy, 100}};
  replacement.scan = 3;
  replacement.seed = seed;
  return replacement;
}

/// An event is its own type.
constexpr std::uint8_t event_kinds[] = {0, 1, 2, 3, 4, 5};

/// A random walk that enters, meets, pins and unpins states, as a search might, on both caches.
template <class Set>
class Walk {
 public:
  Walk(const Layout& layout, const strategy::Cache& replacement, std::uint64_t seed, const StateCode& code = {})
      : layout_(layout),
        replacement_(replacement),
        set_(layout.machine(), {&replacement, event_kinds, code}, budget_),
        obvious_(replacement),
        random_(mix(seed + 77)) {}

  void run(int steps, std::uint64_t states) {
    for (int i = 0; i < steps; ++i) {
      const std::uint64_t choice = draw(10);
      if (choice < 6) {
        enter(scattered(layout_, draw(states)));
      } else if (choice < 9) {
        leave();
      } else {
        put();
      }
      CHECK_EQUAL(set_.size(), obvious_.states().size());
      if (i % 8 == 0) compare();
    }
    compare();
  }

 private:
  std::uint64_t draw(std::uint64_t range) { return scale(mix(random_ += odd_constants[0]), range); }

  void enter(const State& state) {
    const auto kind = static_cast<std::uint8_t>(1 + draw(5));
    Word key;
    set_.prepare(state.data(), 1, &key);
    if (obvious_.contains(state)) return meet(state, key, kind);
    const std::set<State> off_path = obvious_.off_path();
    const bool is_full = obvious_.is_full();
    State expected;
    if (is_full && !off_path.empty() && !is_random()) expected = obvious_.next_forgotten();
    const auto entered = set_.visit(state.data(), key, kind);
    if (is_full && off_path.empty()) {
      CHECK(entered.insertion == Insertion::no_room);
      CHECK(set_.lack() == Reason::cache);
      return;
    }
    CHECK(entered.insertion == Insertion::fresh);
    if (is_full) obvious_.forget(is_random() ? vanished(off_path) : expected);
    CHECK_EQUAL(entered.annotation(), 0u);
    entered.annotation() = mark_of(state);
    obvious_.add(state, entered.slot, kind);
    path_.push_back(state);
  }

  void meet(const State& state, Word key, std::uint8_t kind) {
    const auto entered = set_.visit(state.data(), key, kind);
    CHECK(entered.insertion == Insertion::known);
    CHECK_EQUAL(entered.slot, obvious_.states().at(state).slot);
    CHECK_EQUAL(set_.annotation(entered.slot), mark_of(state));
    obvious_.meet(state, kind);
  }

  void leave() {
    if (path_.empty()) return;
    const std::size_t place = draw(3) == 0 ? draw(path_.size()) : path_.size() - 1;
    const State state = path_[place];
    path_.erase(path_.begin() + static_cast<std::ptrdiff_t>(place));
    set_.unpin(obvious_.states().at(state).slot);
    obvious_.leave_path(state);
  }

  void put() {
    if (obvious_.states().empty()) return;
    auto chosen = obvious_.states().begin();
    std::advance(chosen, draw(obvious_.states().size()));
    const State state = chosen->first;
    set_.pin(chosen->second.slot);
    obvious_.put_on_path(state);
    path_.push_back(state);
  }

  bool is_random() const { return replacement_.policy[0].policy == Policy::random; }
  static Word mark_of(const State& state) { return mix(state[0]) >> 40; }

  State vanished(const std::set<State>& candidates) const {
    std::set<State> gone = candidates;
    set_.for_each([&](Slot, const Word* words) { gone.erase(State(words, words + layout_.words())); });
    CHECK_EQUAL(gone.size(), 1u);
    return gone.empty() ? *candidates.begin() : *gone.begin();
  }

  void compare() const {
    std::map<State, Slot> found, expected;
    set_.for_each([&](Slot slot, const Word* words) { found[State(words, words + layout_.words())] = slot; });
    for (const auto& [state, stored] : obvious_.states()) expected[state] = stored.slot;
    CHECK(found == expected);
  }

  const Layout& layout_;
  const strategy::Cache& replacement_;
  Budget budget_{plenty};
  Set set_;
  ObviousCache obvious_;
  std::vector<State> path_;
  Word random_;
};

void walk_both(const strategy::Cache& replacement, std::uint64_t seed) {
  const Layout one({41}), two({41, 30}), five({20, 64, 3, 50, 9});
  const std::uint64_t states = replacement.states.value() * 2 + 5;
  Walk<CacheSet<1, Word>>(one, replacement, seed).run(1500, states);
  Walk<CacheSet<2, Word>>(two, replacement, seed).run(300, states);
  Walk<CacheSet<0, Word>>(five, replacement, seed).run(300, states);
  const ByteFields fields = byte_fields(five);
  for (const StateCode::Kind kind : kinds)
    Walk<CodedCacheSet<Word>>(five, replacement, seed, {kind, &fields}).run(300, states);
}

void every_policy_evicts_the_states_that_the_reference_cache_evicts() {
  for (const Policy policy : all_policies)
    for (const std::uint64_t capacity : {1, 2, 3, 7, 20, 65})
      for (std::uint64_t seed = 0; seed < 3; ++seed) walk_both(one_cache(policy, capacity, seed), seed);
}

void a_cascade_moves_states_like_the_reference_cascade() {
  const std::vector<std::vector<Share>> cascades = {
      {{Policy::mfu, 25}, {Policy::lru, 75}},
      {{Policy::lru, 75}, {Policy::lfu, 25}},
      {{Policy::fifo, 50}, {Policy::smallest_subtree, 50}},
      {{Policy::type, 40}, {Policy::largest_class, 30}, {Policy::mru, 30}},
      {{Policy::smallest_subtree, 10}, {Policy::fifo, 90}},
      {{Policy::lfu, 0}, {Policy::mru, 100}},
  };
  for (const std::vector<Share>& parts : cascades)
    for (const std::uint64_t capacity : {1, 2, 5, 20, 50})
      for (std::uint64_t seed = 0; seed < 4; ++seed) {
        strategy::Cache replacement = one_cache(Policy::lru, capacity);
        replacement.policy = parts;
        walk_both(replacement, seed);
      }
}

/// A cache driven by the numbers of its states.
template <class Set>
class Driven {
 public:
  Driven(const Layout& layout, Family family, const CacheOptions& options, std::uint64_t budget = plenty)
      : layout_(layout), family_(family), budget_(budget), set_(layout.machine(), options, budget_) {}

  auto enter(std::uint64_t number, std::uint8_t kind = 1) {
    const State state = family_(layout_, number);
    Word key;
    set_.prepare(state.data(), 1, &key);
    return set_.visit(state.data(), key, kind);
  }
  void enter_and_leave(std::uint64_t number, std::uint8_t kind = 1) {
    const auto entered = enter(number, kind);
    if (entered.insertion == Insertion::fresh) set_.unpin(entered.slot);
  }
  std::uint64_t stored_states() const {
    std::set<State> states;
    set_.for_each([&](Slot, const Word* state) { states.insert(State(state, state + layout_.words())); });
    return states.size();
  }
  Set& set() { return set_; }
  const Budget& budget() const { return budget_; }

 private:
  const Layout& layout_;
  Family family_;
  Budget budget_;
  Set set_;
};

const Layout one_word({64});

/// A cache of states of one word, which are their numbers.
class Numbered : public Driven<CacheSet<1>> {
 public:
  explicit Numbered(const strategy::Cache& replacement, std::uint64_t budget = plenty)
      : Driven(one_word, counted, {&replacement, event_kinds}, budget) {}

  std::set<std::uint64_t> stored() {
    std::set<std::uint64_t> numbers;
    set().for_each([&](Slot, const Word* state) { numbers.insert(*state >> 1); });
    return numbers;
  }
};

using Numbers = std::set<std::uint64_t>;

void a_single_type_is_kept_as_long_as_other_types_are_inspected() {
  strategy::Cache replacement = one_cache(Policy::type, 6);
  replacement.type = 2;
  replacement.scan = 6;
  Numbered cache(replacement);
  for (std::uint64_t i = 0; i < 6; ++i) cache.enter_and_leave(i, i % 2 == 0 ? 2 : 5);
  for (std::uint64_t i = 6; i < 9; ++i) cache.enter_and_leave(i, 2);
  CHECK((cache.stored() == Numbers{0, 2, 4, 6, 7, 8}));
  cache.enter_and_leave(9, 2);
  CHECK_EQUAL(cache.stored().size(), 6u);
  CHECK(cache.stored().contains(9));
}

void a_state_is_tagged_with_the_smallest_type_that_led_to_it() {
  strategy::Cache replacement = one_cache(Policy::type, 3);
  replacement.scan = 3;
  Numbered cache(replacement);
  for (const std::uint8_t kind : {4, 3, 5}) cache.enter_and_leave(kind, kind);
  cache.enter_and_leave(5, 1);
  cache.enter_and_leave(3, 5);
  cache.enter_and_leave(10, 1);
  CHECK((cache.stored() == Numbers{3, 5, 10}));
}

void a_state_that_is_met_on_the_path_counts_the_visit() {
  Numbered cache(one_cache(Policy::lfu, 3));
  const auto first = cache.enter(0);
  cache.enter(0);
  cache.set().unpin(first.slot);
  cache.enter_and_leave(1);
  cache.enter_and_leave(2);
  cache.enter_and_leave(3);
  CHECK((cache.stored() == Numbers{0, 2, 3}));
}

void visits_beyond_what_is_counted_change_nothing() {
  Numbered cache(one_cache(Policy::mfu, 2));
  for (int i = 0; i < 1000; ++i) cache.enter_and_leave(0);
  for (int i = 0; i < 10; ++i) cache.enter_and_leave(1);
  cache.enter_and_leave(2);
  CHECK((cache.stored() == Numbers{1, 2}));
}

void the_same_seed_evicts_the_same_states() {
  const auto stored_with = [](std::uint64_t seed) {
    Numbered cache(one_cache(Policy::random, 50, seed));
    for (std::uint64_t i = 0; i < 500; ++i) cache.enter_and_leave(i);
    return cache.stored();
  };
  CHECK(stored_with(1) == stored_with(1));
  CHECK(stored_with(1) != stored_with(2));
}

void random_replacement_spares_no_slot() {
  Numbered cache(one_cache(Policy::random, 20));
  for (std::uint64_t i = 0; i < 1000; ++i) cache.enter_and_leave(i);
  for (const std::uint64_t number : cache.stored()) CHECK(number > 500);
}

void a_path_that_fills_the_cache_is_kept_and_the_next_state_is_refused() {
  for (const Policy policy : all_policies)
    for (const std::uint64_t capacity : {1, 10, 300}) {
      Numbered cache(one_cache(policy, capacity));
      std::vector<Slot> path;
      for (std::uint64_t i = 0; i < capacity; ++i) path.push_back(cache.enter(i).slot);
      CHECK(cache.enter(capacity).insertion == Insertion::no_room);
      CHECK(cache.set().lack() == Reason::cache);
      for (std::uint64_t i = 0; i < capacity; ++i) CHECK_EQUAL(cache.enter(i).slot, path[i]);
      cache.set().unpin(path.back());
      const auto entered = cache.enter(capacity);
      CHECK(entered.insertion == Insertion::fresh);
      CHECK_EQUAL(entered.slot, path.back());
      CHECK_EQUAL(cache.set().size(), capacity);
      CHECK_EQUAL(cache.set().stored_peak(), capacity);
    }
}

void a_state_stays_pinned_until_it_was_unpinned_as_often_as_it_was_pinned() {
  Numbered cache(one_cache(Policy::lru, 1));
  const Slot slot = cache.enter(7).slot;
  cache.set().pin(slot);
  cache.set().unpin(slot);
  CHECK(cache.enter(8).insertion == Insertion::no_room);
  cache.set().unpin(slot);
  CHECK(cache.enter(8).insertion == Insertion::fresh);
}

void a_state_may_be_on_the_path_very_often() {
  Numbered cache(one_cache(Policy::fifo, 1));
  const Slot slot = cache.enter(7).slot;
  for (int i = 0; i < 70'000; ++i) cache.set().pin(slot);
  for (int i = 0; i < 70'000; ++i) cache.set().unpin(slot);
  CHECK(cache.enter(8).insertion == Insertion::no_room);
}

/// Enters many states, keeping the last few of them on the path.
void fill(auto& cache, std::uint64_t count, std::size_t path_length) {
  std::vector<std::pair<std::uint64_t, Slot>> path;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto entered = cache.enter(i, static_cast<std::uint8_t>(1 + i % 5));
    CHECK(entered.insertion == Insertion::fresh);
    if (entered.insertion != Insertion::fresh) return;
    path.emplace_back(i, entered.slot);
    if (path.size() > path_length) {
      cache.set().unpin(path.front().second);
      path.erase(path.begin());
    }
    if (i % 64 == 0)
      for (const auto& [number, slot] : path) CHECK_EQUAL(cache.enter(number).slot, slot);
  }
}

/// Fills a cache of coded states whose codes become longer and shorter again.
void a_coded_cache_of_some_bytes_reuses_them_for_codes_of_all_lengths() {
  const Layout layout({64, 64, 64});
  const ByteFields fields = byte_fields(layout);
  const Family changing = [](const Layout& states, std::uint64_t number) {
    State state = counted(states, number);
    for (std::size_t i = 0; i < number / 5000 % 3; ++i) state[i] |= mix(number + i);
    return state;
  };
  for (const StateCode::Kind kind : kinds)
    for (const std::uint64_t bytes : {100'000, 400'000}) {
      strategy::Cache replacement = one_cache(Policy::random, std::nullopt);
      replacement.bytes = bytes;
      Driven<CodedCacheSet<>> cache(layout, changing, {&replacement, event_kinds, {kind, &fields}});
      fill(cache, 60'000, 50);
      CHECK(cache.budget().peak() <= bytes);
      CHECK(cache.set().size() * 200 > bytes);
      CHECK_EQUAL(cache.set().size(), cache.stored_states());
    }
}

void a_set_without_replacement_keeps_everything() {
  const Layout layout({64, 20});
  const ByteFields fields = byte_fields(layout);
  for (const StateCode::Kind kind : kinds) {
    Driven<CodedCacheSet<>> set(layout, scattered, {nullptr, nullptr, {kind, &fields}});
    for (std::uint64_t i = 0; i < 20'000; ++i) set.enter_and_leave(i);
    for (std::uint64_t i = 0; i < 20'000; ++i) CHECK(set.enter(i).insertion == Insertion::known);
    CHECK_EQUAL(set.set().size(), 20'000u);
    CHECK(set.set().state_bytes() < set.set().bytes());
  }
}

void a_set_without_replacement_is_limited_by_memory() {
  const Layout layout({64, 20});
  const ByteFields fields = byte_fields(layout);
  for (const StateCode::Kind kind : kinds)
    for (std::uint64_t limit = 0; limit < 200'000; limit += 9'000) {
      Driven<CodedCacheSet<>> set(layout, scattered, {nullptr, nullptr, {kind, &fields}}, limit);
      std::uint64_t entered = 0;
      while (set.enter(entered).insertion == Insertion::fresh) ++entered;
      CHECK(set.set().lack() == Reason::memory);
      CHECK_EQUAL(set.set().size(), entered);
      for (std::uint64_t i = 0; i < entered; ++i) CHECK(set.enter(i).insertion == Insertion::known);
      CHECK(set.budget().held() <= limit);
    }
}

void a_capacity_in_bytes_is_used_and_never_exceeded() {
  for (const Policy policy : all_policies)
    for (const std::uint64_t bytes : {100'000, 400'000, 3'000'000}) {
      strategy::Cache replacement = one_cache(policy, std::nullopt);
      replacement.bytes = bytes;
      Numbered cache(replacement);
      fill(cache, 200'000, 50);
      CHECK(cache.set().bytes() <= bytes);
      CHECK(cache.set().bytes() * 10 > bytes * 6);
      CHECK(cache.budget().peak() <= bytes);
      CHECK_EQUAL(cache.set().size(), cache.stored().size());
    }
}

void without_a_capacity_a_cache_uses_most_of_the_budget() {
  for (const Policy policy : all_policies) {
    Numbered cache(one_cache(policy, std::nullopt), 500'000);
    fill(cache, 60'000, 50);
    CHECK(cache.set().size() > 5'000);
    CHECK(cache.set().size() < 60'000);
  }
}

void a_cascade_divides_bytes_too() {
  strategy::Cache replacement = one_cache(Policy::mfu, std::nullopt);
  replacement.bytes = 300'000;
  replacement.policy = {{Policy::mfu, 25}, {Policy::lru, 75}};
  Numbered cache(replacement);
  fill(cache, 50'000, 50);
  CHECK(cache.set().bytes() <= 300'000);
}

void a_path_that_exhausts_the_bytes_ends_with_the_right_reason() {
  strategy::Cache replacement = one_cache(Policy::fifo, std::nullopt);
  const auto lack = [](auto& cache) {
    for (std::uint64_t i = 0; i < 1'000'000; ++i)
      if (cache.enter(i).insertion == Insertion::no_room) break;
    return cache.set().lack();
  };
  Numbered within_budget(replacement, 300'000);
  CHECK(lack(within_budget) == Reason::memory);
  replacement.bytes = 300'000;
  Numbered within_bytes(replacement);
  CHECK(lack(within_bytes) == Reason::cache);
  Numbered within_both(replacement, 200'000);
  CHECK(lack(within_both) == Reason::memory);
}

void tiny_budgets_refuse_states_and_lose_none() {
  for (const Policy policy : all_policies)
    for (std::uint64_t limit = 0; limit < 70'000; limit += 4096) {
      Numbered cache(one_cache(policy, std::nullopt), limit);
      std::uint64_t entered = 0;
      while (entered < 20'000 && cache.enter(entered).insertion == Insertion::fresh) ++entered;
      CHECK(cache.enter(20'000).insertion == Insertion::no_room);
      CHECK_EQUAL(cache.stored().size(), entered);
      for (std::uint64_t i = 0; i < entered; ++i) CHECK(cache.enter(i).insertion == Insertion::known);
      CHECK(cache.budget().held() <= limit);
    }
}

void a_cache_frees_all_its_memory() {
  Budget budget(plenty);
  const Layout layout({41});
  for (const Policy policy : all_policies) {
    const strategy::Cache replacement = one_cache(policy, 100);
    CacheSet<1> set(layout.machine(), {&replacement, event_kinds}, budget);
    const State state = scattered(layout, 1);
    Word key;
    set.prepare(state.data(), 1, &key);
    set.visit(state.data(), key, 1);
    CHECK_EQUAL(budget.held(), set.bytes());
  }
  CHECK_EQUAL(budget.held(), 0u);
}

constexpr Test tests[] = {
    TEST(every_policy_evicts_the_states_that_the_reference_cache_evicts),
    TEST(a_cascade_moves_states_like_the_reference_cascade),
    TEST(a_single_type_is_kept_as_long_as_other_types_are_inspected),
    TEST(a_state_is_tagged_with_the_smallest_type_that_led_to_it),
    TEST(a_state_that_is_met_on_the_path_counts_the_visit),
    TEST(visits_beyond_what_is_counted_change_nothing),
    TEST(the_same_seed_evicts_the_same_states),
    TEST(random_replacement_spares_no_slot),
    TEST(a_path_that_fills_the_cache_is_kept_and_the_next_state_is_refused),
    TEST(a_state_stays_pinned_until_it_was_unpinned_as_often_as_it_was_pinned),
    TEST(a_state_may_be_on_the_path_very_often),
    TEST(a_coded_cache_of_some_bytes_reuses_them_for_codes_of_all_lengths),
    TEST(a_set_without_replacement_keeps_everything),
    TEST(a_set_without_replacement_is_limited_by_memory),
    TEST(a_capacity_in_bytes_is_used_and_never_exceeded),
    TEST(without_a_capacity_a_cache_uses_most_of_the_budget),
    TEST(a_cascade_divides_bytes_too),
    TEST(a_path_that_exhausts_the_bytes_ends_with_the_right_reason),
    TEST(tiny_budgets_refuse_states_and_lose_none),
    TEST(a_cache_frees_all_its_memory),
};

}  // namespace

int main() { return run_all(tests); }
