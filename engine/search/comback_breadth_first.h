// Breadth-first search with the ComBack method and delayed duplicate detection: EWK09, Algorithm 4.
//
//    1. Enter the initial state, number 0.
//    2. While states wait:
//    3.   take states from the front and expand them, until their successors fill a block; for each successor:
//    4.     look up the numbers of the states that have its hash;
//    5.     where there is none, the successor is new: it gets the next number, a hash, a backedge, and waits;
//    6.     else it may be one of them. Without delay each is rebuilt and compared;
//    7.     with delay it becomes a candidate, and those states are to be checked.
//    8.   When there are enough candidates, and at the end of every level, duplicates are detected:
//    9.     rebuild all states to be checked, together (search/comback_replay.h), and strike each from the candidates;
//   10.     those that are left are new.
//
//   paper                              here
//   Q                                  ComBackFrontier
//   V.stateTable, V.backedgeTable      ComBackStates
//   V.candidates                       CandidateSet
//   check bits, successor lists        Rebuilding
//   newState L11-15, insert L16-26     add_new, insert
//   duplicateDetection L33-38          detect
//
// Deviations. Candidates are keyed by state; the paper's set of triples would enter a state twice that is met twice. A
// detection closes every level, so that levels are distances and paths are shortest; as printed there is none before
// the queue is empty. States whose descriptors are at hand, in the cache or in the queue, are compared at once (L4); as
// printed the queue is not looked at. A state that waits is at hand, so that a cache F is better used for others: it
// has the states that were met again most recently and, of what was rebuilt on the way to them, every k-th state.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/hash.h"
#include "core/machine.h"
#include "core/region_vector.h"
#include "observe/observer.h"
#include "search/comback_frontier.h"
#include "search/comback_replay.h"
#include "search/comback_states.h"
#include "search/comback_witness.h"
#include "search/expander.h"
#include "search/levels.h"
#include "search/successor_block.h"
#include "store/comback/candidate_set.h"

namespace scrimp {

class ComBackBreadthFirst {
 public:
  ComBackBreadthFirst(Expander& expander, ComBackStates& states, Levels& levels, BackedgeWitness& witness,
                      Observer& observer, Budget& budget, const ComBack& options)
      : options_(options),
        words_(expander.machine().words),
        expander_(expander),
        states_(states),
        levels_(levels),
        witness_(witness),
        observer_(observer),
        budget_(budget),
        candidate_budget_(Budget::PartOf{budget}),
        frontier_(budget, words_, options.queues_numbers),
        block_(budget, expander.machine()),
        edges_(budget),
        hashes_(budget),
        fresh_(budget),
        candidates_(candidate_budget_, words_),
        checks_(candidate_budget_),
        possible_(budget),
        rebuilding_(expander, observer, states.backedges(), AtHand{this}, options.distance, candidate_budget_) {}

  void run() {
    if (!block_.has_room()) return observer_.end(Reason::memory);
    enter_initial();                                        // L1
    while (observer_.running() && frontier_.size() != 0) {  // L2
      level_left_ = frontier_.size();
      if (!levels_.begin_next()) return observer_.end(Reason::memory);
      observer_.deeper(levels_.current());
      at_limit_ = observer_.at_depth_limit(levels_.current());
      while (observer_.running() && level_left_ != 0) {
        expand_some();   // L3
        insert_block();  // L4 to L8
        leave_expanded();
        observer_.pulse(levels_.current(), frontier_.size(), budget_.held());
      }
      if (observer_.running() && (!options_.as_printed || frontier_.size() == 0)) detect();  // L8
    }
    observer_.exhausted();
  }

  const Reconstructions& reconstructions() const { return rebuilding_.counts; }
  std::uint64_t queue_peak_bytes() const { return frontier_.peak_bytes(); }
  std::uint64_t candidate_peak_bytes() const { return candidate_budget_.peak(); }
  std::uint64_t block_bytes() const {
    return block_.bytes() + edges_.bytes() + hashes_.bytes() + fresh_.bytes() + expander_.passage().bytes();
  }

 private:
  static constexpr std::uint32_t expansions_per_block = 4096;  // so that a level of dead ends is interrupted too
  static constexpr std::uint32_t ahead = 16;                   // states of a block fetched before they are inserted

  struct AtHand {
    const ComBackBreadthFirst* search;
    const Word* operator()(StateId id) const { return search->at_hand(id); }
  };

  const Word* at_hand(StateId id) const {
    if (!options_.as_printed || options_.queues_numbers)
      if (const Word* const waiting = frontier_.find(id)) return waiting;
    return states_.find(id);
  }

  Word* successor(std::uint32_t place) { return block_.states() + std::size_t{place} * words_; }
  bool are_equal(const Word* a, const Word* b) const {
    for (std::uint32_t i = 0; i < words_; ++i)
      if (a[i] != b[i]) return false;
    return true;
  }

  void enter_initial() {
    std::vector<Word> initial(words_);
    expander_.machine().initial(initial.data());
    add_new(initial.data(), hash_words(initial.data(), words_), {0, 0});
  }

  void expand_some() {
    block_.count = 0;
    expanded_ = 0;
    fresh_.clear();
    if (frontier_.needs_group()) frontier_.rebuild_group(std::min(level_left_, capacity(options_.group)), rebuilding_);
    const std::uint64_t most = std::min<std::uint64_t>(level_left_, expansions_per_block);
    while (expanded_ < most && !block_.has_enough() && observer_.running()) {
      const StateId id = frontier_.front() + expanded_;
      const Word* const state = frontier_.find(id);
      if (state == nullptr) break;
      expand(id, state);
      ++expanded_;
      fresh_.push(0);
    }
  }

  void expand(StateId id, const Word* state) {
    witness_.shown = id;
    EventId* const events = block_.events() + block_.count;
    const Expansion expansion = expander_.expand(state, successor(block_.count), events);
    if (expansion.count == 0) [[unlikely]]
      return observer_.dead_end(state);
    if (at_limit_) [[unlikely]]
      return observer_.cut();
    if (expansion.flags != 0) [[unlikely]]
      return leads_on(expansion) ? pass(id, state, expansion) : add_faultless(id, state, expansion.count, false);
    observer_.fired(events, expansion.count);
    add(id, expansion.count);
  }

  /// Puts what the listed events lead to, through transient states, into their place at the block's end.
  void pass(StateId id, const Word* state, const Expansion& expansion) {
    const Escort escort{&observer_, true, std::nullopt};
    if (!expander_.pass(state, expansion, successor(block_.count), block_.events() + block_.count, escort))
      return observer_.end(Reason::memory);
    const Passage& passage = expander_.passage();
    const std::uint32_t count = passage.count();
    if (!block_.make_room(count)) return observer_.end(Reason::memory);
    std::copy_n(passage.states(), std::size_t{count} * words_, successor(block_.count));
    if (passage.flags() == 0) {
      observer_.counts.transitions += count;
      return add(id, count);
    }
    std::copy_n(passage.events(), count, block_.events() + block_.count);
    add_faultless(id, state, count, true);
  }

  /// Takes in so many successors that were written at the block's end.
  void add(StateId id, std::uint32_t count) {
    levels_.fired(count);
    edges_.resize(block_.count + count);
    for (std::uint32_t ordinal = 0; ordinal < count; ++ordinal) edges_[block_.count + ordinal] = {id, ordinal};
    block_.count += count;
  }

  /// Takes in what was written at the block's end: reports what is no successor and closes the gaps.
  void add_faultless(StateId id, const Word* state, std::uint32_t count, bool passed) {
    const std::uint32_t begin = block_.count;
    edges_.resize(begin + count);
    for (std::uint32_t i = 0; i < count; ++i) {
      const EventId event = block_.events()[begin + i];
      if (event & misfit_flag) return observer_.misfit(passed ? successor(begin + i) : state, event);
      if (is_transition(event)) {
        observer_.fired(event);
        levels_.fired(1);
      }
      if (event & fault_flag) {
        observer_.fault(state, event, [&](std::vector<EventId>& way) { return expander_.list(state, i, way); });
      } else {
        std::copy_n(successor(begin + i), words_, successor(block_.count));
        edges_[block_.count++] = {id, i};
      }
    }
  }

  void insert_block() {
    hashes_.resize(block_.count);
    for (std::uint32_t i = 0; i < block_.count; ++i) {
      hashes_[i] = hash_words(successor(i), words_);
      states_.table().prefetch(hashes_[i]);
    }
    for (std::uint32_t i = 0; i < block_.count && observer_.running(); ++i) insert(successor(i), hashes_[i], edges_[i]);
  }

  void insert(const Word* state, Word hash, const Backedge& edge) {
    bool is_known = false;
    bool has_rivals = false;
    possible_.clear();
    states_.table().find(hash, [&](StateId id) {  // L4
      if (is_known) return;
      has_rivals = true;
      if (const Word* const descriptor = at_hand(id)) {
        is_known = are_equal(descriptor, state);
        if (is_known) keep_met(id, state);
      } else {
        possible_.push(id);
      }
    });
    if (has_rivals && !is_known)
      is_known = options_.delays ? candidates_.contains(state, hash) : is_possible(state);  // L6
    if (is_known) {
      ++observer_.counts.matched;
    } else if (options_.delays && !possible_.empty()) {
      add_candidate(state, hash, edge);  // L7
    } else {
      add_new(state, hash, edge);  // L5
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
    if (!options_.as_printed && id != 0 && id < frontier_.front()) states_.cache().meet(id, state);
  }

  void add_candidate(const Word* state, Word hash, const Backedge& edge) {
    candidates_.add(state, hash, edge);
    for (const StateId id : possible_) checks_.push(id);
    if (candidates_.size() >= capacity(options_.candidates)) detect();  // L8
  }

  void detect() {
    if (candidates_.empty()) return;
    ++rebuilding_.counts.detections;
    std::sort(checks_.begin(), checks_.end());
    rebuilding_.want(checks_.data(), checks_.size());
    rebuilding_.run([this](StateId id, const Word* state, bool is_wanted) {  // L9
      if (is_wanted) candidates_.discard(state, hash_words(state, words_));
      keep_met(id, state);
    });
    for (std::uint64_t i = 0; i < candidates_.size() && observer_.running(); ++i) {
      const CandidateSet::Candidate& candidate = candidates_[i];
      if (candidate.is_known) {
        ++observer_.counts.matched;
      } else {
        add_new(candidates_.state(i), candidate.hash, candidate.edge);  // L10
      }
    }
    candidates_.clear();
    checks_.clear();
  }

  void add_new(const Word* state, Word hash, const Backedge& edge) {
    const StateId id = states_.size();
    if (!states_.add(hash, edge) || !frontier_.append(state)) return observer_.end(Reason::memory);
    ++observer_.counts.states;
    levels_.append(state, 1);
    if (edge.predecessor - frontier_.front() < fresh_.size() && id != 0) ++fresh_[edge.predecessor - frontier_.front()];
    if (!enters_late() && id != 0) states_.cache().enter(id, state, levels_.next());
    if (!observer_.watching()) return;
    witness_.shown = id;
    observer_.entered(state);
  }

  /// A state that waits is at hand: only afterwards is there a use for a copy.
  bool enters_late() const { return !options_.queues_numbers && !options_.as_printed; }

  void leave_expanded() {
    DescriptorCache& cache = states_.cache();
    states_.adapt_cache();
    const bool is_asked = cache.needs_worth() || (enters_late() && cache.takes_new());
    for (std::uint64_t i = 0; i < expanded_; ++i) {
      const StateId id = frontier_.front();
      if (is_asked && id != 0) {
        const Word* const state = frontier_.find(id);
        const bool is_kept = cache.needs_worth() && cache.expanded(id, state, levels_.current(), worth(fresh_[i]));
        if (!is_kept && enters_late()) cache.enter(id, state, levels_.current());
      }
      frontier_.pop();
    }
    level_left_ -= expanded_;
  }

  /// The heuristic of section 3, H(s) = d(s) r(s) / L(d(s)).
  double worth(std::uint32_t referring) const {
    return static_cast<double>(levels_.current()) * referring / static_cast<double>(levels_.current_states());
  }

  std::uint64_t capacity(const Capacity& capacity) const {
    return in_states(capacity, CandidateSet::candidate_bytes(words_), states_.size());
  }

  const ComBack& options_;
  const std::uint32_t words_;
  Expander& expander_;
  ComBackStates& states_;
  Levels& levels_;
  BackedgeWitness& witness_;
  Observer& observer_;
  Budget& budget_;
  Budget candidate_budget_;
  ComBackFrontier frontier_;
  SuccessorBlock block_;
  RegionVector<Backedge> edges_;       // to the states of the block
  RegionVector<Word> hashes_;          // of them
  RegionVector<std::uint32_t> fresh_;  // successors of each state that was expanded for the block
  CandidateSet candidates_;
  RegionVector<StateId> checks_;    // that may be one of the candidates
  RegionVector<StateId> possible_;  // that may be the state that is being inserted
  Rebuilding<AtHand> rebuilding_;
  std::uint64_t expanded_ = 0;  // states at the front, for the block
  std::uint64_t level_left_ = 0;
  bool at_limit_ = false;
};

}  // namespace scrimp
