// Rebuilds states of the ComBack method by firing the events of their backedges once more.
//
// Together (EWK09, section 4: procedures backtrack and dfs of Algorithm 4), with our own numbering:
//
//   1. want(id): follow the backedges from the state upwards, to a state that is noted already or whose descriptor is
//   at
//      hand; note each state among its predecessor's children.
//   2. run: from every state at hand, depth-first:
//   3.   a wanted state is shown;
//   4.   a state with children is expanded once, and each child goes on the stack with the successor it is.
//
// The paper marks states in the backedge table, with a bit and a list for each. Here what is noted is a table of its
// own that has only what is needed, and is empty in between.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>

#include "core/hash.h"
#include "core/machine.h"
#include "core/region_vector.h"
#include "observe/observer.h"
#include "search/expander.h"
#include "store/comback/backedge_table.h"
#include "store/comback/options.h"
#include "store/comback/state_id.h"

namespace scrimp {

/// Thrown where the observer ended the search while states were being rebuilt.
struct Stopped {};

/// All that is listed among a state's successors.
class Successors {
 public:
  Successors(Expander& expander, Observer& observer, Budget& budget)
      : expander_(expander), observer_(observer), states_(budget), events_(budget) {
    states_.resize(std::size_t{expander.machine().max_successors} * expander.machine().words);
    events_.resize(expander.machine().max_successors);
  }

  /// Valid until the next call. Throws std::bad_alloc where the budget is spent.
  const Word* of(const Word* state) {
    if (++calls_ % calls_per_check == 0 && !observer_.may_go_on()) throw Stopped();
    const Expansion expansion = expander_.expand(state, states_.data(), events_.data());
    has_passed_ = leads_on(expansion);
    if (!has_passed_) return states_.data();
    if (!expander_.pass(state, expansion, states_.data(), events_.data(), {})) throw std::bad_alloc();
    return expander_.passage().states();
  }

  /// Of the way to one of them.
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

/// `AtHand` is called with a number and returns the state's descriptor, or null; that of the initial state is at hand.
template <class AtHand>
class Rebuilding {
 public:
  /// Of the states on the way, one in `spacing` is shown.
  Rebuilding(Expander& expander, Observer& observer, const BackedgeTable& backedges, AtHand at_hand,
             std::uint32_t spacing, Budget& budget)
      : words_(expander.machine().words),
        spacing_(std::max(1u, spacing)),
        backedges_(backedges),
        at_hand_(at_hand),
        successors_(expander, observer, budget),
        state_(budget),
        way_(budget),
        nodes_(budget),
        index_(budget),
        roots_(budget),
        stack_(budget),
        stack_states_(budget) {
    state_.resize(words_);
  }

  /// One state; valid until the next call. `show` is called as by `run`.
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

  void want(StateId id) {  // L1
    bool was_noted;
    std::uint32_t node = note(id, was_noted);
    nodes_[node].is_wanted = true;
    while (!was_noted) {
      if (at_hand_(id) != nullptr) return roots_.push(node);
      const Backedge edge = backedges_[id];
      id = edge.predecessor;
      const std::uint32_t parent = note(id, was_noted);
      nodes_[node].ordinal = edge.ordinal;
      nodes_[node].sibling = nodes_[parent].child;
      nodes_[parent].child = node;
      node = parent;
    }
  }

  /// The same for many; in order of their numbers they are found fastest.
  void want(const StateId* ids, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      if (i + ahead < count) backedges_.prefetch(ids[i + ahead]);
      want(ids[i]);
    }
  }

  /// Calls `show` with the number and the descriptor of every wanted state and of some on the way, and with whether it
  /// is wanted; then nothing is wanted any more. What is at hand is read before the first call.
  template <class Show>
  void run(Show show) {
    counts.events += nodes_.size() - roots_.size();
    for (const std::uint32_t root : roots_) push(root, at_hand_(nodes_[root].id));  // L2
    while (!stack_.empty()) step(show);
    nodes_.clear();
    roots_.clear();
    std::fill(index_.begin(), index_.end(), 0);
  }

  std::uint64_t bytes() const {
    return successors_.bytes() + way_.bytes() + nodes_.bytes() + index_.bytes() + roots_.bytes() + stack_.bytes() +
           stack_states_.bytes();
  }

  /// To expand a state that is no part of a reconstruction.
  Successors& successors() { return successors_; }

  Reconstructions counts;

 private:
  static constexpr std::uint32_t nobody = ~std::uint32_t{0};
  static constexpr std::uint32_t most_steps = nobody >> 1;
  static constexpr std::size_t least_entries = 1024;
  static constexpr std::size_t ahead = 8;  // backedges fetched before they are followed

  struct Node {
    StateId id;
    std::uint32_t ordinal;
    std::uint32_t child;    // the first one
    std::uint32_t sibling;  // the next one
    std::uint32_t is_wanted : 1;
    std::uint32_t steps : 31;  // from a state at hand
  };

  struct Step {
    StateId id;  // of the state it leads to
    std::uint32_t ordinal;
  };

  template <class Show>
  void step(Show show) {
    const std::uint32_t number = stack_.pop();
    const Node node = nodes_[number];
    const Word* const state = stack_states_.end() - words_;
    counts.states += node.is_wanted;
    if (node.is_wanted || node.steps % spacing_ == 0) show(node.id, state, node.is_wanted);  // L3
    stack_states_.resize(stack_states_.size() - words_);
    if (node.child == nobody) return;
    const Word* const successors = successors_.of(state);
    for (std::uint32_t child = node.child; child != nobody; child = nodes_[child].sibling) {  // L4
      nodes_[child].steps = (node.steps + 1) & most_steps;
      push(child, successors + std::size_t{nodes_[child].ordinal} * words_);
    }
  }

  void push(std::uint32_t node, const Word* state) {
    stack_.push(node);
    stack_states_.resize(stack_states_.size() + words_);
    copy(state, stack_states_.end() - words_);
  }

  void copy(const Word* from, Word* to) const {
    for (std::uint32_t i = 0; i < words_; ++i) to[i] = from[i];
  }

  /// The node of a state, an old one or a new one.
  std::uint32_t note(StateId id, bool& was_noted) {
    if (2 * (nodes_.size() + 1) > index_.size()) grow_index();
    std::uint64_t place = home(id);
    for (; index_[place] != 0; place = (place + 1) & (index_.size() - 1)) {
      if (nodes_[index_[place] - 1].id == id) {
        was_noted = true;
        return index_[place] - 1;
      }
    }
    was_noted = false;
    nodes_.push({id, 0, nobody, nobody, false, 0});
    index_[place] = static_cast<std::uint32_t>(nodes_.size());
    return index_[place] - 1;
  }

  std::uint64_t home(StateId id) const { return mix(id + 1) & (index_.size() - 1); }

  void grow_index() {
    index_.resize(std::max(least_entries, 2 * index_.size()));
    std::fill(index_.begin(), index_.end(), 0);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      std::uint64_t place = home(nodes_[i].id);
      while (index_[place] != 0) place = (place + 1) & (index_.size() - 1);
      index_[place] = static_cast<std::uint32_t>(i + 1);
    }
  }

  const std::uint32_t words_;
  const std::uint32_t spacing_;
  const BackedgeTable& backedges_;
  const AtHand at_hand_;
  Successors successors_;
  RegionVector<Word> state_;  // the one rebuilt last
  RegionVector<Step> way_;    // to it, backwards
  RegionVector<Node> nodes_;
  RegionVector<std::uint32_t> index_;  // numbers of nodes plus one, by the hash of their state's number; zero is free
  RegionVector<std::uint32_t> roots_;
  RegionVector<std::uint32_t> stack_;
  RegionVector<Word> stack_states_;
};

}  // namespace scrimp
