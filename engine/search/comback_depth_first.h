// Depth-first search with the ComBack method; with delay, EWK09, section 4.3, "Compatibility with depth-first search".
//
//   1. Enter the initial state: it is the path.
//   2. While the path is not empty:
//   3.   take the next event of its last state; look up the numbers of the states that have the successor's hash;
//   4.     where there is none, or none of them is the successor, it is new: it gets a number and is appended to the
//   path;
//   5.     with delay, where it may be one of them, it becomes a candidate: a marker on the path.
//   6.   When there are enough candidates, and before a state is left that has led to one, duplicates are detected.
//   7.     Those that are new get their numbers. Each is open until the search comes back to its predecessor:
//   8.   once all events of the last state are taken, its open successors are entered, one after the other;
//   9.   a state without such successors is left.
//
// A state's backedge leads to the state before it on the path, so that the numbers of the path need not be stored. A
// candidate's predecessor is on the path: it is not left before the next detection. For an open state nothing is held
// but its number: its predecessor is expanded once more. Candidates and open states lie on the path in the order in
// which they came, so that those of the last state are the last of all.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/hash.h"
#include "core/machine.h"
#include "core/region_vector.h"
#include "observe/observer.h"
#include "search/block_stack.h"
#include "search/comback_replay.h"
#include "search/comback_states.h"
#include "search/expander.h"
#include "search/path.h"
#include "search/step_stack.h"
#include "store/comback/candidate_set.h"

namespace scrimp {

class ComBackDepthFirst {
 public:
  ComBackDepthFirst(Expander& expander, ComBackStates& states, Path<0>& path, Observer& observer, Budget& budget,
                    const ComBack& options)
      : options_(options),
        words_(expander.machine().words),
        expander_(expander),
        states_(states),
        path_(path),
        observer_(observer),
        budget_(budget),
        candidate_budget_(Budget::PartOf{budget}),
        blocks_(budget, expander.machine(), counts_steps(expander.machine())),
        steps_(budget),
        fresh_(budget),
        level_states_(budget),
        candidates_(candidate_budget_, words_),
        checks_(candidate_budget_),
        possible_(budget),
        open_(candidate_budget_),
        rebuilding_(expander, observer, states.backedges(), AtHand{this}, options.distance, candidate_budget_) {}

  void run() {
    if (!blocks_.has_room()) return observer_.end(Reason::memory);
    enter_initial();                                 // L1
    while (observer_.running() && !path_.empty()) {  // L2
      if (!blocks_.exhausted()) {
        take();  // L3
      } else if (!enter_open()) {
        leave();  // L9
      }
    }
    observer_.exhausted();
  }

  const Reconstructions& reconstructions() const { return rebuilding_.counts; }
  std::uint64_t candidate_peak_bytes() const { return candidate_budget_.peak(); }
  std::uint64_t path_bytes() const { return steps_.bytes() + fresh_.bytes() + level_states_.bytes(); }
  std::uint64_t block_bytes() const { return blocks_.bytes() + expander_.passage().bytes(); }

 private:
  static constexpr std::uint64_t transitions_per_pulse = 4096;

  struct AtHand {
    const ComBackDepthFirst* search;
    const Word* operator()(StateId id) const { return search->at_hand(id); }
  };

  const Word* at_hand(StateId id) const { return id == last_ && !path_.empty() ? path_.top() : states_.find(id); }

  Word* successor(std::uint32_t place) { return blocks_.states() + std::size_t{place} * words_; }
  bool are_equal(const Word* a, const Word* b) const { return std::equal(a, a + words_, b); }
  StateId predecessor(StateId id) const { return states_.backedges()[id].predecessor; }

  /// The sum of the steps to the path's last state.
  std::uint64_t depth() const { return path_.size() - 1 + surplus_; }

  /// Whether depth is more than the number of transitions.
  static bool counts_steps(const Machine& machine) {
    return machine.holders != nullptr || machine.offers != nullptr || machine.steps != nullptr;
  }

  void enter_initial() {
    std::vector<Word> initial(words_);
    expander_.machine().initial(initial.data());
    if (!states_.add(hash_words(initial.data(), words_), {0, 0})) return observer_.end(Reason::memory);
    enter(0, initial.data(), 0, 1);
  }

  void take() {
    const std::uint32_t place = blocks_.take();
    const EventId event = blocks_.events()[place];
    if (blocks_.keeps_steps()) reach(blocks_.steps()[place]);
    if (event & fault_flag) [[unlikely]]
      return take_fault(event);
    fired(event);
    insert(place);
  }

  /// All but the last of so many steps are taken whatever they lead to.
  void reach(std::uint32_t steps) {
    if (steps > 1) observer_.deeper(depth() + steps - 1);
  }

  void fired(EventId event) {
    observer_.fired(event);
    if (observer_.counts.transitions % transitions_per_pulse == 0)
      observer_.pulse(depth(), path_.size() - 1, budget_.held());
  }

  [[gnu::noinline]] void take_fault(EventId event) {
    if (is_transition(event)) fired(event);
    observer_.fault(path_.top(), event, [this](std::vector<EventId>& way) {
      return expander_.list(path_.top(), blocks_.taken() - 1, way);
    });
  }

  void insert(std::uint32_t place) {
    const Word* const state = successor(place);
    const Word hash = blocks_.keys()[place];
    const Backedge edge{last_, blocks_.taken() - 1};
    bool is_known = false;
    bool has_rivals = false;
    possible_.clear();
    states_.table().find(hash, [&](StateId id) {
      if (is_known) return;
      has_rivals = true;
      if (const Word* const descriptor = at_hand(id)) {
        is_known = are_equal(descriptor, state);
        if (is_known) keep_met(id, state);
      } else {
        possible_.push(id);
      }
    });
    if (has_rivals && !is_known) is_known = options_.delays ? candidates_.contains(state, hash) : is_possible(state);
    if (is_known) {
      ++observer_.counts.matched;
    } else if (options_.delays && !possible_.empty()) {
      add_candidate(state, hash, edge);  // L5
    } else {
      enter_new(place, hash, edge);  // L4
    }
  }

  /// Whether a state is one of the possible ones.
  bool is_possible(const Word* state) {
    const auto show = [this](StateId id, const Word* shown, bool) { keep_met(id, shown); };
    return std::any_of(possible_.begin(), possible_.end(),
                       [&](StateId id) { return are_equal(rebuilding_.rebuild(id, show), state); });
  }

  /// Where an old state was met, its successors are likely to be met next, and rebuilt by the same way.
  void keep_met(StateId id, const Word* state) {
    if (!options_.as_printed && id != 0) states_.cache().meet(id, state);
  }

  void add_candidate(const Word* state, Word hash, const Backedge& edge) {
    candidates_.add(state, hash, edge);
    for (const StateId id : possible_) checks_.push(id);
    if (candidates_.size() >= in_states(options_.candidates, CandidateSet::candidate_bytes(words_), states_.size()))
      detect();  // L6
  }

  void detect() {
    ++rebuilding_.counts.detections;
    std::sort(checks_.begin(), checks_.end());
    rebuilding_.want(checks_.data(), checks_.size());
    rebuilding_.run([this](StateId id, const Word* state, bool is_wanted) {
      if (is_wanted) candidates_.discard(state, hash_words(state, words_));
      keep_met(id, state);
    });
    for (std::uint64_t i = 0; i < candidates_.size() && observer_.running(); ++i) {
      const CandidateSet::Candidate& candidate = candidates_[i];
      if (candidate.is_known) {
        ++observer_.counts.matched;
      } else {
        open(candidate);  // L7
      }
    }
    candidates_.clear();
    checks_.clear();
  }

  void open(const CandidateSet::Candidate& candidate) {
    const StateId id = states_.size();
    if (!states_.add(candidate.hash, candidate.edge)) return observer_.end(Reason::memory);
    if (candidate.edge.predecessor == last_ && !fresh_.empty()) ++fresh_.back();
    open_.push(id);
  }

  /// Enters an open successor of the last state, all of whose events are taken. Returns false where there is none.
  bool enter_open() {
    const bool has_candidate = !candidates_.empty() && candidates_[candidates_.size() - 1].edge.predecessor == last_;
    if (has_candidate) detect();  // L6
    if (open_.empty() || predecessor(open_.back()) != last_) return false;
    const StateId id = open_.back();
    const std::uint32_t ordinal = states_.backedges()[id].ordinal;
    Successors& successors = rebuilding_.successors();
    const Word* const state = successors.of(path_.top()) + std::size_t{ordinal} * words_;
    ++rebuilding_.counts.events;
    enter(id, state, ordinal + 1, blocks_.keeps_steps() ? successors.steps(ordinal) : 1);  // L8
    return true;
  }

  void enter_new(std::uint32_t place, Word hash, const Backedge& edge) {
    const StateId id = states_.size();
    if (!states_.add(hash, edge)) return observer_.end(Reason::memory);
    if (!fresh_.empty()) ++fresh_.back();
    enter(id, successor(place), blocks_.exhausted() ? all_taken : blocks_.taken(),
          blocks_.keeps_steps() ? blocks_.steps()[place] : 1);
  }

  /// Appends a state to the path; of the one before it `taken` events were taken.
  void enter(StateId id, const Word* state, Taken taken, std::uint32_t steps) {
    ++observer_.counts.states;
    if (!path_.push(state, taken)) return observer_.end(Reason::memory);
    last_ = id;
    if (blocks_.keeps_steps()) advance(steps);
    if (states_.cache().needs_worth()) begin_worth();
    if (id != 0) states_.cache().enter(id, path_.top(), path_.size() - 1);
    if (id % states_per_adaption == 0) states_.adapt_cache();
    observer_.deeper(depth());
    observer_.entered(path_.top());
    list_successors(0);
  }

  void advance(std::uint32_t steps) {
    surplus_ += std::uint64_t{steps} - 1;
    if (!observer_.at_depth_limit(depth())) observer_.met(path_.top(), anybody, depth());
    if (!steps_.push(steps)) observer_.end(Reason::memory);
  }

  void retreat() { surplus_ -= std::uint64_t{steps_.pop()} - 1; }

  /// Puts the successors of the path's last state on the stack of blocks; `taken` of them were taken before.
  void list_successors(Taken taken) {
    const std::uint32_t place = blocks_.prepare();
    Expansion expansion = expander_.expand(path_.top(), successor(place), blocks_.events() + place);
    if (expansion.count == 0) {
      observer_.dead_end(path_.top());
    } else if (observer_.at_depth_limit(depth())) {
      observer_.cut();
      expansion = {};
    }
    if (leads_on(expansion)) [[unlikely]]
      return pass(place, expansion, taken);
    blocks_.push(expansion.count, taken);
    if (blocks_.keeps_steps())
      for (std::uint32_t i = 0; i < expansion.count; ++i)
        blocks_.steps()[place + i] = expander_.steps(blocks_.events()[place + i]);
    prepare(place + taken, expansion.count - taken, false);
  }

  /// Puts what the listed events lead to, through transient states, into their place.
  void pass(std::uint32_t place, const Expansion& expansion, Taken taken) {
    const Escort escort{&observer_, taken == 0, depth()};
    if (!expander_.pass(path_.top(), expansion, successor(place), blocks_.events() + place, escort))
      return observer_.end(Reason::memory);
    const Passage& passage = expander_.passage();
    const std::uint32_t count = passage.count();
    if (!blocks_.prepare(count, place)) return observer_.end(Reason::memory);
    std::copy_n(passage.states(), std::size_t{count} * words_, successor(place));
    std::copy_n(passage.events(), count, blocks_.events() + place);
    blocks_.push(count, taken);
    if (blocks_.keeps_steps()) std::copy_n(passage.steps(), count, blocks_.steps() + place);
    prepare(place + taken, count - taken, true);
  }

  /// Hashes the successors; the words of one that is none mean nothing.
  void prepare(std::uint32_t place, std::uint32_t count, bool passed) {
    for (std::uint32_t i = place; i < place + count; ++i) {
      const EventId event = blocks_.events()[i];
      if (event & misfit_flag) [[unlikely]] {
        observer_.misfit(passed ? successor(i) : path_.top(), event);
      } else if (!(event & fault_flag)) {
        states_.table().prefetch(blocks_.keys()[i] = hash_words(successor(i), words_));
      }
    }
  }

  void leave() {
    const bool was_open = !open_.empty() && open_.back() == last_;
    if (states_.cache().needs_worth()) end_worth();
    const Taken taken = path_.pop();
    if (blocks_.keeps_steps()) retreat();
    blocks_.pop();
    last_ = predecessor(last_);
    if (was_open) open_.pop();
    if (path_.empty() || taken == all_taken || was_open) return;
    if (blocks_.live()) {
      blocks_.resume(taken);
    } else {
      list_successors(taken);
    }
  }

  void begin_worth() {
    fresh_.push(0);
    while (level_states_.size() < path_.size()) level_states_.push(0);
    ++level_states_[path_.size() - 1];
  }

  /// The heuristic of section 3, H(s) = d(s) r(s) / L(d(s)), with what is known when the state is left.
  void end_worth() {
    const std::uint64_t level = path_.size() - 1;
    const double worth = static_cast<double>(level) * fresh_.pop() / level_states_[level];
    if (last_ != 0) states_.cache().expanded(last_, path_.top(), level, worth);
  }

  static constexpr StateId states_per_adaption = 256;

  const ComBack& options_;
  const std::uint32_t words_;
  Expander& expander_;
  ComBackStates& states_;
  Path<0>& path_;
  Observer& observer_;
  Budget& budget_;
  Budget candidate_budget_;
  BlockStack blocks_;
  StepStack steps_;                           // to the states of the path, where blocks keep steps
  RegionVector<std::uint32_t> fresh_;         // successors of each state of the path, where the cache goes by worth
  RegionVector<std::uint32_t> level_states_;  // entered at each distance, likewise
  CandidateSet candidates_;
  RegionVector<StateId> checks_;    // that may be one of the candidates
  RegionVector<StateId> possible_;  // that may be the state that is being inserted
  RegionVector<StateId> open_;      // new, and not on the path yet or just entered
  Rebuilding<AtHand> rebuilding_;
  StateId last_ = 0;           // of the path
  std::uint64_t surplus_ = 0;  // steps beyond one for each state, modulo 2^64: they may be fewer
};

}  // namespace scrimp
