#include "search/liveness/automaton_components.h"

#include <algorithm>

namespace scrimp {

namespace {

/// R. E. Tarjan, Depth-first search and linear graph algorithms, SIAM Journal on Computing 1 (1972).
class Components {
 public:
  explicit Components(const Automaton& automaton)
      : targets_(automaton.states), index_(automaton.states), component_(automaton.states, none) {
    for (const Automaton::Edge& edge : automaton.edges) targets_[edge.source].push_back(edge.target);
    for (std::uint32_t state = 0; state < automaton.states; ++state)
      if (index_[state] == 0) visit(state);
  }

  std::uint32_t of(std::uint32_t state) const { return component_[state]; }
  std::uint32_t count() const { return count_; }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// Returns the least index of a live state that was found to be reachable.
  std::uint32_t visit(std::uint32_t state) {
    const std::uint32_t own = index_[state] = ++last_index_;
    std::uint32_t low = own;
    live_.push_back(state);
    for (const std::uint32_t target : targets_[state]) {
      if (index_[target] == 0) {
        low = std::min(low, visit(target));
      } else if (component_[target] == none) {
        low = std::min(low, index_[target]);
      }
    }
    if (low == own) complete(state);
    return low;
  }

  void complete(std::uint32_t root) {
    std::uint32_t state;
    do {
      state = live_.back();
      live_.pop_back();
      component_[state] = count_;
    } while (state != root);
    ++count_;
  }

  std::vector<std::vector<std::uint32_t>> targets_;
  std::vector<std::uint32_t> index_;  // from 1 on; 0: not visited
  std::vector<std::uint32_t> component_;
  std::vector<std::uint32_t> live_;
  std::uint32_t last_index_ = 0, count_ = 0;
};

}  // namespace

std::vector<std::uint8_t> passing_states(const Automaton& automaton) {
  const Components components(automaton);
  std::vector<Word> marks(components.count());
  std::vector<std::uint8_t> has_edge(components.count());
  for (const Automaton::Edge& edge : automaton.edges) {
    const std::uint32_t component = components.of(edge.source);
    if (component != components.of(edge.target)) continue;
    marks[component] |= edge.marks;
    has_edge[component] = 1;
  }
  const Word all = automaton.marks == 64 ? ~Word{0} : (Word{1} << automaton.marks) - 1;
  std::vector<std::uint8_t> passing(automaton.states);
  for (std::uint32_t state = 0; state < automaton.states; ++state) {
    const std::uint32_t component = components.of(state);
    passing[state] = has_edge[component] == 0 || (all & ~marks[component]) != 0;
  }
  return passing;
}

}  // namespace scrimp
