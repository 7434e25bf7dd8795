// Strong bisimilarity, compared with a reference that splits all states again and again.
#include "lts/strong_bisimilarity.h"

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
      TEST(a_long_path_takes_quasilinear_time),
      TEST(an_lts_without_states_has_no_blocks),
      TEST(a_nonexistent_state_is_refused),
  });
}
