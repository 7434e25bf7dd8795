// Reconstructs states of the ComBack method by firing the events of their backedges again.
//
// Several states together (EWK09, section 4: procedures backtrack and dfs of Algorithm 4):
//
//   1. From the wanted states, follow the backedges up to states whose descriptors are available
//      (search/comback/backedge_forest.h).
//   2. From each of those, depth-first:
//   3.   report a wanted state to the caller;
//   4.   expand a state with children once, and push each child on the stack with its state.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>

#include "core/machine.h"
#include "core/region_vector.h"
#include "observe/observer.h"
#include "search/comback/backedge_forest.h"
#include "search/expansion/expander.h"
#include "store/comback/backedge_table.h"
#include "store/comback/options.h"
#include "store/comback/state_id.h"

namespace scrimp {

/// Thrown if the observer ended the search while states were being reconstructed.
struct Stopped {};

/// Lists all successors of a state.
class Successors {
 public:
  Successors(Expander& expander, Observer& observer, Budget& budget)
      : expander_(expander), observer_(observer), states_(budget), events_(budget) {
    states_.resize(std::size_t{expander.machine().max_successors} * expander.machine().words);
    events_.resize(expander.machine().max_successors);
  }

  /// Valid until the next call. Throws std::bad_alloc if the budget is exhausted.
  const Word* of(const Word* state) {
    if (++calls_ % calls_per_check == 0 && !observer_.may_go_on()) throw Stopped();
    const Expansion expansion = expander_.expand(state, states_.data(), events_.data());
    has_passed_ = leads_on(expansion);
    if (!has_passed_) return states_.data();
    if (!expander_.pass(state, expansion, states_.data(), events_.data(), {})) throw std::bad_alloc();
    return expander_.passage().states();
  }

  /// The number of steps to one of them.
  std::uint32_t steps(std::uint32_t ordinal) const {
    return has_passed_ ? expander_.passage().steps()[ordinal] : expander_.steps(events_[ordinal]);
  }

  std::uint64_t bytes() const { return states_.bytes() + events_.bytes(); }

 private:
  static constexpr std::uint64_t calls_per_check = 4096;

  Expander& expander_;
  Observer& observer_;
  RegionVector<Word> states_;
  RegionVector<EventId> events_;
  std::uint64_t calls_ = 0;
  bool has_passed_ = false;
};

/// `AtHand` is called with a number and returns the state's descriptor, or null; it must have that of the initial
/// state.
template <class AtHand>
class Rebuilding {
 public:
  /// Of the states between an available state and a wanted one, every `spacing`-th is passed to `show`.
  Rebuilding(Expander& expander, Observer& observer, const BackedgeTable& backedges, AtHand at_hand,
             std::uint32_t spacing, Budget& budget)
      : words_(expander.machine().words),
        spacing_(std::max(1u, spacing)),
        backedges_(backedges),
        at_hand_(at_hand),
        successors_(expander, observer, budget),
        state_(budget),
        way_(budget),
        forest_(budget),
        stack_(budget),
        stack_states_(budget) {
    state_.resize(words_);
  }

  /// Reconstructs one state; valid until the next call. `show` is called as by `rebuild_all`.
  template <class Show>
  const Word* rebuild(StateId id, Show show) {
    way_.clear();
    const Word* start;
    while ((start = at_hand_(id)) == nullptr) {
      const Backedge edge = backedges_[id];
      way_.push({id, edge.ordinal});
      id = edge.predecessor;
    }
    ++counts.states;
    counts.events += way_.size();
    copy(start, state_.data());
    for (std::uint32_t steps = 0;; ++steps) {
      if (steps % spacing_ == 0 || way_.empty()) show(id, state_.data(), way_.empty());
      if (way_.empty()) return state_.data();
      const Step step = way_.pop();
      id = step.id;
      copy(successors_.of(state_.data()) + std::size_t{step.ordinal} * words_, state_.data());
    }
  }

  /// Reconstructs all these states, whose numbers ascend. Calls `show` with the number and the descriptor of each one
  /// and of some between, and with whether it is wanted. Available descriptors are read before the first call.
  template <class Ids, class Show>
  void rebuild_all(const Ids& ids, Show show) {
    forest_.grow(ids, backedges_, at_hand_);  // L1
    counts.events += forest_.size() - forest_.roots().size();
    for (std::size_t i = forest_.roots().size(); i-- > 0;) {  // L2
      const Number root = forest_.roots()[i];
      push(root, at_hand_(forest_[root].id));
    }
    while (!stack_.empty()) step(show);
    forest_.clear();
  }

  std::uint64_t bytes() const {
    return successors_.bytes() + way_.bytes() + forest_.bytes() + stack_.bytes() + stack_states_.bytes();
  }

  /// For expanding a state outside a reconstruction.
  Successors& successors() { return successors_; }

  Reconstructions counts;

 private:
  using Number = BackedgeForest::Number;
  using Node = BackedgeForest::Node;

  struct Step {
    StateId id;  // number of the target state
    std::uint32_t ordinal;
  };

  template <class Show>
  void step(Show show) {
    const Node node = forest_[stack_.pop()];
    const Word* const state = stack_states_.end() - words_;
    counts.states += node.is_wanted;
    if (node.is_wanted || node.steps % spacing_ == 0) show(node.id, state, node.is_wanted);  // L3
    stack_states_.resize(stack_states_.size() - words_);
    if (node.child == BackedgeForest::nobody) return;
    const Word* const successors = successors_.of(state);
    for (Number child = node.child; child != BackedgeForest::nobody; child = forest_[child].sibling) {  // L4
      forest_[child].steps = (node.steps + 1) & BackedgeForest::most_steps;
      push(child, successors + std::size_t{forest_[child].ordinal} * words_);
    }
  }

  void push(Number node, const Word* state) {
    stack_.push(node);
    stack_states_.resize(stack_states_.size() + words_);
    copy(state, stack_states_.end() - words_);
  }

  void copy(const Word* from, Word* to) const {
    for (std::uint32_t i = 0; i < words_; ++i) to[i] = from[i];
  }

  const std::uint32_t words_;
  const std::uint32_t spacing_;
  const BackedgeTable& backedges_;
  const AtHand at_hand_;
  Successors successors_;
  RegionVector<Word> state_;  // the state reconstructed last
  RegionVector<Step> way_;    // the steps to it, in reverse order
  BackedgeForest forest_;
  RegionVector<Number> stack_;
  RegionVector<Word> stack_states_;
};

}  // namespace scrimp
