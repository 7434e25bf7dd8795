// The state table and the backedge table of the ComBack method, compared with reference implementations.
#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "core/hash.h"
#include "store/comback/backedge_table.h"
#include "store/comback/state_table.h"
#include "tests/check.h"
#include "tests/random/generate.h"

namespace {

using namespace scrimp;
using namespace scrimp::testing;

constexpr std::uint64_t plenty = std::uint64_t{1} << 30;

std::multiset<StateId> found(const StateTable& table, Word hash) {
  std::multiset<StateId> ids;
  table.find(hash, [&](StateId id) { ids.insert(id); });
  return ids;
}

void every_hash_finds_the_numbers_of_its_states_and_no_others() {
  for (const unsigned bits : {1u, 4u, 8u, 12u, 20u, 31u, 40u, 56u}) {
    Budget budget(plenty);
    StateTable table(budget, bits);
    std::map<Word, std::multiset<StateId>> lists;
    std::vector<Word> hashes;
    Random random(bits);
    const std::uint64_t states = bits < 8 ? 2000 : 100'000;
    for (StateId id = 0; id < states; ++id) {
      const Word hash = random.next();
      hashes.push_back(hash);
      lists[hash >> (64 - bits)].insert(id);
      CHECK(table.insert(hash));
    }
    CHECK_EQUAL(table.size(), states);
    for (StateId id = 0; id < states; id += bits < 8 ? 20 : 1)
      CHECK(found(table, hashes[id]) == lists[hashes[id] >> (64 - bits)]);
    for (int i = 0; i < 1000; ++i) {
      const Word hash = random.next();
      const auto list = lists.find(hash >> (64 - bits));
      CHECK(found(table, hash) == (list == lists.end() ? std::multiset<StateId>() : list->second));
    }
  }
}

void inserted_states_are_found_while_the_table_grows() {
  Budget budget(plenty);
  StateTable table(budget, 16);
  for (StateId id = 0; id < 50'000; ++id) {
    const Word hash = mix(id % 20'000 + 1);
    CHECK_EQUAL(found(table, hash).count(id), 0u);
    CHECK(table.insert(hash));
    CHECK_EQUAL(found(table, hash).count(id), 1u);
    CHECK_EQUAL(found(table, mix(id / 2 % 20'000 + 1)).count(id / 2), 1u);
  }
}

void a_hash_shared_by_many_states_finds_them_all() {
  Budget budget(plenty);
  StateTable table(budget, 0);
  for (StateId id = 0; id < 300; ++id) CHECK(table.insert(id < 40 ? mix(77) : mix(id)));
  CHECK_EQUAL(found(table, mix(77)).size(), 41u);
}

void a_full_budget_refuses_a_state_and_changes_nothing() {
  Budget budget(std::uint64_t{1} << 20);
  StateTable table(budget, 0);
  StateId id = 0;
  while (table.insert(mix(id + 1))) ++id;
  CHECK(id > 150'000);
  CHECK_EQUAL(table.size(), id);
  CHECK(budget.held() <= budget.limit());
  for (StateId each = 0; each < id; ++each) CHECK_EQUAL(found(table, mix(each + 1)).count(each), 1u);
  CHECK_EQUAL(found(table, mix(id + 1)).count(id), 0u);
}

void without_memory_no_state_is_inserted() {
  Budget budget(0);
  StateTable table(budget, 0);
  CHECK(!table.insert(1));
}

void a_state_takes_at_most_seven_bytes() {
  Budget budget(plenty);
  StateTable table(budget, 0);
  double worst = 0;
  for (StateId id = 0; id < 3'000'000; ++id) {
    CHECK(table.insert(mix(id + 1)));
    if (id > 1'000'000) worst = std::max(worst, static_cast<double>(table.bytes()) / static_cast<double>(id + 1));
  }
  CHECK(worst < 7.0);
}

/// Backedges like those of a breadth-first search, and now and then arbitrary ones.
std::vector<Backedge> some_backedges(std::uint64_t states, std::uint32_t wild_percent, std::uint64_t seed) {
  Random random(seed);
  std::vector<Backedge> edges{{0, 0}};
  StateId predecessor = 0;
  for (StateId id = 1; id < states; ++id) {
    predecessor = std::min(id - 1, predecessor + random.below(3));
    Backedge edge{predecessor, random.below(4)};
    if (random.chance(wild_percent)) edge = {random.next() % id, static_cast<std::uint32_t>(random.next() >> 40)};
    edges.push_back(edge);
  }
  return edges;
}

void backedges_are_read_as_appended() {
  for (const std::uint32_t wild : {0u, 1u, 50u, 100u})
    for (const std::uint64_t states : {1u, 127u, 128u, 129u, 256u, 100'000u}) {
      Budget budget(plenty);
      BackedgeTable table(budget);
      const std::vector<Backedge> edges = some_backedges(states, wild, wild + states);
      for (const Backedge& edge : edges) {
        CHECK(table.append(edge));
        CHECK_EQUAL(table[table.size() - 1].predecessor, edge.predecessor);
      }
      CHECK_EQUAL(table.size(), states);
      for (StateId id = 0; id < states; ++id) {
        CHECK_EQUAL(table[id].predecessor, edges[id].predecessor);
        CHECK_EQUAL(table[id].ordinal, edges[id].ordinal);
      }
    }
}

void extreme_backedges_fit() {
  Budget budget(plenty);
  BackedgeTable table(budget);
  for (StateId id = 0; id < 300; ++id)
    CHECK(table.append({id % 2 ? StateId{1} << 39 : 0, id % 3 ? 0 : ~std::uint32_t{0}}));
  for (StateId id = 0; id < 300; ++id) {
    CHECK_EQUAL(table[id].predecessor, id % 2 ? StateId{1} << 39 : 0);
    CHECK_EQUAL(table[id].ordinal, id % 3 ? 0 : ~std::uint32_t{0});
  }
}

void backedges_of_a_breadth_first_search_take_less_than_two_bytes() {
  Budget budget(plenty);
  BackedgeTable table(budget);
  const std::vector<Backedge> edges = some_backedges(1'000'000, 0, 1);
  for (const Backedge& edge : edges) CHECK(table.append(edge));
  CHECK(table.bytes() < 2 * edges.size());
}

void an_exhausted_budget_refuses_a_backedge() {
  Budget budget(std::uint64_t{256} << 10);
  BackedgeTable table(budget);
  const std::vector<Backedge> edges = some_backedges(1'000'000, 0, 1);
  StateId id = 0;
  while (table.append(edges[id])) ++id;
  CHECK_EQUAL(table.size(), id);
  CHECK(!table.append(edges[id]));
  for (StateId each = 0; each < id; ++each) CHECK_EQUAL(table[each].predecessor, edges[each].predecessor);
}

}  // namespace

int main() {
  return run_all({
      TEST(every_hash_finds_the_numbers_of_its_states_and_no_others),
      TEST(inserted_states_are_found_while_the_table_grows),
      TEST(a_hash_shared_by_many_states_finds_them_all),
      TEST(a_full_budget_refuses_a_state_and_changes_nothing),
      TEST(without_memory_no_state_is_inserted),
      TEST(a_state_takes_at_most_seven_bytes),
      TEST(backedges_are_read_as_appended),
      TEST(extreme_backedges_fit),
      TEST(backedges_of_a_breadth_first_search_take_less_than_two_bytes),
      TEST(an_exhausted_budget_refuses_a_backedge),
  });
}
