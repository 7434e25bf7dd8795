// Strong bisimilarity, compared with a reference that splits all states again and again.
#include "lts/strong_bisimilarity.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "check.h"

using namespace scrimp;
using namespace scrimp::testing;

namespace {

struct Lts {
  std::uint32_t states;
  std::vector<std::uint32_t> sources, labels, targets;

  LtsColumns columns() const { return {states, sources.data(), labels.data(), targets.data(), sources.size()}; }
};

std::vector<std::uint32_t> obvious(const Lts& lts) {
  std::vector<std::uint32_t> blocks(lts.states, 0);
  for (std::size_t count = 1;;) {
    std::vector<std::set<std::pair<std::uint32_t, std::uint32_t>>> steps(lts.states);
    for (std::size_t i = 0; i < lts.sources.size(); ++i)
      steps[lts.sources[i]].emplace(lts.labels[i], blocks[lts.targets[i]]);
    std::map<std::pair<std::uint32_t, std::set<std::pair<std::uint32_t, std::uint32_t>>>, std::uint32_t> seen;
    for (std::uint32_t state = 0; state < lts.states; ++state)
      blocks[state] =
          seen.try_emplace({blocks[state], steps[state]}, static_cast<std::uint32_t>(seen.size())).first->second;
    if (seen.size() == count) return blocks;
    count = seen.size();
  }
}

Lts random_lts(std::uint32_t seed) {
  std::mt19937 random(seed);
  Lts lts;
  lts.states = 1 + random() % 30;
  const std::uint32_t labels = 1 + random() % 3;
  for (std::uint32_t left = random() % (3 * lts.states); left != 0; --left) {
    lts.sources.push_back(random() % lts.states);
    lts.labels.push_back(random() % labels);
    lts.targets.push_back(random() % lts.states);
  }
  return lts;
}

void random_ltss_have_the_same_blocks_as_the_reference() {
  for (std::uint32_t seed = 0; seed < 20'000; ++seed) {
    const Lts lts = random_lts(seed);
    CHECK(strongly_bisimilar(lts.columns()) == obvious(lts));
  }
}

/// The transitions of all states, between blocks.
std::set<std::array<std::uint32_t, 3>> between_blocks(const Lts& lts) {
  const std::vector<std::uint32_t> blocks = strongly_bisimilar(lts.columns());
  std::set<std::array<std::uint32_t, 3>> edges;
  for (std::size_t i = 0; i < lts.sources.size(); ++i)
    edges.insert({blocks[lts.sources[i]], lts.labels[i], blocks[lts.targets[i]]});
  return edges;
}

void a_minimal_lts_has_each_transition_between_blocks_once_and_in_order() {
  for (std::uint32_t seed = 0; seed < 5'000; ++seed) {
    const Lts lts = random_lts(seed);
    const MinimalLts found = minimised(lts.columns());
    std::vector<std::array<std::uint32_t, 3>> edges;
    for (const LtsEdge& edge : found.edges) edges.push_back({edge.source, edge.label, edge.target});
    const auto expected = between_blocks(lts);
    CHECK(std::equal(edges.begin(), edges.end(), expected.begin(), expected.end()));
    const std::vector<std::uint32_t> blocks = strongly_bisimilar(lts.columns());
    CHECK(found.states == *std::max_element(blocks.begin(), blocks.end()) + 1);
  }
}

void a_poll_can_end_it() {
  Lts lts{1, {}, {}, {}};
  lts.sources = lts.labels = lts.targets = std::vector<std::uint32_t>(3'000'000, 0);
  int polls = 0;
  bool has_ended = false;
  try {
    minimised(lts.columns(), [&] {
      if (++polls == 2) throw std::runtime_error("enough");
    });
  } catch (const std::runtime_error&) {
    has_ended = true;
  }
  CHECK(has_ended && polls == 2);
}

void a_long_path_takes_quasilinear_time() {
  Lts lts{1'000'000, {}, {}, {}};
  for (std::uint32_t state = 0; state + 1 < lts.states; ++state) {
    lts.sources.push_back(state);
    lts.labels.push_back(0);
    lts.targets.push_back(state + 1);
  }
  CHECK(strongly_bisimilar(lts.columns()).back() == lts.states - 1);
}

void an_lts_without_states_has_no_blocks() { CHECK(strongly_bisimilar(Lts{0, {}, {}, {}}.columns()).empty()); }

void a_nonexistent_state_is_refused() {
  bool is_refused = false;
  try {
    strongly_bisimilar(Lts{1, {0}, {0}, {1}}.columns());
  } catch (const std::out_of_range&) {
    is_refused = true;
  }
  CHECK(is_refused);
}

}  // namespace

int main() {
  return run_all({
      TEST(random_ltss_have_the_same_blocks_as_the_reference),
      TEST(a_minimal_lts_has_each_transition_between_blocks_once_and_in_order),
      TEST(a_poll_can_end_it),
      TEST(a_long_path_takes_quasilinear_time),
      TEST(an_lts_without_states_has_no_blocks),
      TEST(a_nonexistent_state_is_refused),
  });
}
