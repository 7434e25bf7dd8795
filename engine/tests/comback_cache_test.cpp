// The cache of full descriptors: which states each strategy keeps.
#include <set>
#include <vector>

#include "store/comback/descriptor_cache.h"
#include "store/comback/plan.h"
#include "tests/check.h"
#include "tests/random/generate.h"

namespace {

using namespace scrimp;
using namespace scrimp::testing;

using Parts = std::vector<KeptShare>;

strategy::Comback options_with(const Parts& parts, std::uint32_t distance = 5) {
  strategy::Comback options;
  options.strategy = parts;
  options.k = distance;
  options.seed = 7;
  return options;
}

/// A cache of states of two words that encode their number, all on one path: each is the predecessor of the next.
struct Scene {
  Scene(const strategy::Comback& options, std::uint64_t capacity, bool new_are_at_hand = false,
        std::uint64_t bytes = std::uint64_t{64} << 20)
      : budget(bytes), backedges(table_budget), cache(budget, 2, options, new_are_at_hand, backedges) {
    for (StateId id = 0; id < path; ++id) CHECK(backedges.append({id == 0 ? 0 : id - 1, 0}));
    cache.set_capacity(capacity);
  }

  static std::vector<Word> state(StateId id) { return {id * 2 + 1, ~id}; }
  void enter(StateId id) { cache.enter(id, state(id).data(), id); }
  void expand(StateId id, double worth) { cache.expanded(id, state(id).data(), id, worth); }
  void meet(StateId id) { cache.meet(id, state(id).data()); }

  /// The cached states; checks the descriptor of each.
  std::set<StateId> kept() const {
    std::set<StateId> ids;
    for (StateId id = 0; id < path; ++id) {
      const Word* const found = cache.find(id);
      if (found == nullptr) continue;
      ids.insert(id);
      CHECK(std::vector<Word>(found, found + 2) == state(id));
    }
    CHECK_EQUAL(ids.size(), cache.size());
    return ids;
  }

  static constexpr StateId path = 5000;
  Budget table_budget{std::uint64_t{64} << 20};
  Budget budget;
  BackedgeTable backedges;
  DescriptorCache cache;
};

using Ids = std::set<StateId>;

void fifo_keeps_the_newest() {
  Scene scene(options_with({{Keeping::fifo, 100}}), 3);
  for (StateId id = 1; id <= 5; ++id) scene.enter(id);
  CHECK((scene.kept() == Ids{3, 4, 5}));
}

void a_state_met_again_counts_as_new() {
  Scene scene(options_with({{Keeping::fifo, 100}}), 3);
  for (StateId id = 1; id <= 3; ++id) scene.enter(id);
  scene.meet(1);
  scene.enter(4);
  CHECK((scene.kept() == Ids{1, 3, 4}));
  scene.meet(2);
  CHECK((scene.kept() == Ids{1, 2, 4}));
}

void if_new_states_are_available_only_states_met_again_are_cached() {
  Scene scene(options_with({{Keeping::fifo, 100}}), 3, true);
  for (StateId id = 1; id <= 5; ++id) scene.enter(id);
  CHECK(scene.kept().empty());
  scene.meet(2);
  CHECK((scene.kept() == Ids{2}));
}

void random_keeps_old_and_new() {
  Scene scene(options_with({{Keeping::random, 100}}), 1000);
  for (StateId id = 1; id < 3000; ++id) scene.enter(id);
  const Ids kept = scene.kept();
  CHECK_EQUAL(kept.size(), 1000u);
  const auto old = static_cast<std::uint64_t>(std::distance(kept.begin(), kept.lower_bound(1000)));
  // Each of 1,000 replacements spares an old one with probability 999/1000: about 1/e survive.
  CHECK(old > 250 && old < 450);
}

void the_heuristic_keeps_the_states_with_the_most_worth() {
  Scene scene(options_with({{Keeping::heuristic, 100}}), 3);
  scene.enter(9);
  for (const StateId id : {3, 8, 1, 7, 2, 5}) scene.expand(id, static_cast<double>(id));
  CHECK((scene.kept() == Ids{5, 7, 8}));
  scene.expand(6, 5);
  CHECK((scene.kept() == Ids{5, 7, 8}));
}

void with_a_distance_no_near_descendant_is_cached() {
  Scene scene(options_with({{Keeping::distance, 100}}, 2), 100);
  for (StateId id = 1; id <= 9; ++id) scene.expand(id, 1);
  CHECK((scene.kept() == Ids{1, 4, 7}));
}

void every_kth_level_is_cached_and_fewer_if_there_are_too_many_states() {
  Scene scene(options_with({{Keeping::level, 100}}, 2), 4);
  for (StateId id = 1; id <= 9; ++id) scene.enter(id);
  CHECK((scene.kept() == Ids{2, 4, 6, 8}));
  for (StateId id = 10; id <= 16; ++id) scene.enter(id);
  CHECK((scene.kept() == Ids{4, 8, 12, 16}));
}

void a_state_that_leaves_the_first_part_enters_the_second() {
  Scene scene(options_with({{Keeping::fifo, 50}, {Keeping::heuristic, 50}}), 4);
  for (StateId id = 1; id <= 2; ++id) scene.enter(id);
  scene.expand(1, 10);
  CHECK((scene.kept() == Ids{1, 2}));
  for (StateId id = 3; id <= 6; ++id) scene.enter(id);
  CHECK((scene.kept() == Ids{1, 5, 6}));
  scene.expand(2, 1);
  scene.expand(3, 5);
  CHECK((scene.kept() == Ids{1, 3, 5, 6}));
}

void a_cache_of_capacity_one_holds_one_state() {
  for (const Keeping keeping : {Keeping::random, Keeping::fifo, Keeping::heuristic, Keeping::distance}) {
    Scene scene(options_with({{keeping, 20}, {Keeping::fifo, 80}}), 1);
    for (StateId id = 1; id <= 20; ++id) {
      scene.enter(id);
      scene.expand(id, 1.0 / static_cast<double>(id));
    }
    CHECK_EQUAL(scene.kept().size(), 1u);
  }
}

/// Whatever happens, descriptors are right and the capacity is not exceeded.
void any_two_parts_keep_their_capacity() {
  using enum Keeping;
  for (const Keeping one : {random, fifo, heuristic, distance, level})
    for (const Keeping other : {random, fifo, heuristic, distance, level}) {
      Random dice(static_cast<std::uint64_t>(one) * 8 + static_cast<std::uint64_t>(other));
      Scene scene(options_with({{one, 30}, {other, 70}}, 3), 40);
      StateId next = 1;
      for (int i = 0; i < 4000; ++i) {
        const StateId old = 1 + dice.below(static_cast<std::uint32_t>(next));
        switch (dice.below(4)) {
          case 0: scene.meet(old); break;
          case 1: scene.expand(old, dice.below(50)); break;
          case 2: scene.cache.set_capacity(1 + dice.below(80)); break;
          default: scene.enter(++next);
        }
        CHECK(scene.cache.size() <= scene.cache.capacity());
        if (i % 400 == 0) scene.kept();
      }
      scene.kept();
    }
}

void halving_a_cache_frees_memory() {
  Scene scene(options_with({{Keeping::fifo, 80}, {Keeping::distance, 20}}), 4000);
  for (StateId id = 1; id < 4500; ++id) scene.enter(id);
  const std::uint64_t before = scene.budget.held();
  const std::uint64_t size = scene.cache.size();
  CHECK(scene.cache.halve());
  CHECK(scene.budget.held() < before / 4);
  for (StateId id = 1; id < 4500; ++id) scene.enter(id);
  CHECK(scene.cache.size() <= size / 2);
  CHECK(scene.cache.find(4499) != nullptr);
}

void an_exhausted_budget_leaves_a_smaller_cache() {
  Scene scene(options_with({{Keeping::fifo, 100}}), 4000, false, 80 << 10);
  for (StateId id = 1; id < 4500; ++id) scene.enter(id);
  CHECK(scene.cache.size() > 100);
  CHECK(scene.cache.size() < 4000);
  CHECK(scene.cache.find(4498) != nullptr);
  scene.kept();
}

void capacities_in_states_bytes_and_shares() {
  CHECK_EQUAL(in_states({.states = 7}, 100, 1000), 7u);
  CHECK_EQUAL(in_states({.bytes = 1000}, 100, 1000), 10u);
  CHECK_EQUAL(in_states({.share = 0.01}, 100, 1000), 10u);
  CHECK_EQUAL(in_states({.share = 0.01}, 100, 10), 1u);
}

void without_a_capacity_the_budget_is_split_as_recommended() {
  const strategy::Comback open = planned({}, 4'000'000);
  CHECK_EQUAL(open.cache->bytes, 600'000u);
  CHECK_EQUAL(open.candidates->bytes, 300'000u);
  CHECK_EQUAL(open.group->bytes, 100'000u);
  strategy::Comback given;
  given.cache = Capacity{.states = 100};
  given.group = Capacity{.share = 0.2};
  const strategy::Comback shared = planned(given, 4'000'000);
  CHECK_EQUAL(shared.candidates->states, 50u);
  CHECK_EQUAL(shared.group->states, 20u);
}

}  // namespace

int main() {
  return run_all({
      TEST(fifo_keeps_the_newest),
      TEST(a_state_met_again_counts_as_new),
      TEST(if_new_states_are_available_only_states_met_again_are_cached),
      TEST(random_keeps_old_and_new),
      TEST(the_heuristic_keeps_the_states_with_the_most_worth),
      TEST(with_a_distance_no_near_descendant_is_cached),
      TEST(every_kth_level_is_cached_and_fewer_if_there_are_too_many_states),
      TEST(a_state_that_leaves_the_first_part_enters_the_second),
      TEST(a_cache_of_capacity_one_holds_one_state),
      TEST(any_two_parts_keep_their_capacity),
      TEST(halving_a_cache_frees_memory),
      TEST(an_exhausted_budget_leaves_a_smaller_cache),
      TEST(capacities_in_states_bytes_and_shares),
      TEST(without_a_capacity_the_budget_is_split_as_recommended),
  });
}
