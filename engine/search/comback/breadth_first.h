// Breadth-first search with the ComBack method and delayed duplicate detection: EWK09, Algorithm 4.
//
//   1. Enter the initial state, number 0.
//   2. While the queue is not empty:
//   3.   take states from the front and expand them until their successors fill a block;
//   4.   insert each successor (search/comback/duplicates.h): a new state gets the next number, a hash and a backedge,
//        and is queued; with delay, a state that may be known becomes a candidate.
//   5.   When there are enough candidates, and at the end of every level, detect duplicates; candidates that are not
//        duplicates are new.
//
//   paper                              here
//   Q                                  ComBackFrontier
//   V.stateTable, V.backedgeTable      ComBackStates
//   newState L11-15                    add_new
//   insert L16-26                      ComBackDuplicates::insert
//   duplicateDetection L33-38          ComBackDuplicates::detect
//
// Deviations. Every level ends with a detection, so that levels are distances and paths are shortest; the printed
// algorithm has none before the queue is empty. Queued states are available and compared at once; the printed algorithm
// does not look at the queue. So a cache F is better used for other states: it holds the states that were met again
// most recently and every k-th of the states reconstructed on the way to them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/hash.h"
#include "core/machine.h"
#include "core/region_vector.h"
#include "observe/observer.h"
#include "observe/transcript.h"
#include "search/breadth_first/block_expansion.h"
#include "search/breadth_first/levels.h"
#include "search/breadth_first/successor_block.h"
#include "search/comback/duplicates.h"
#include "search/comback/frontier.h"
#include "search/comback/states.h"
#include "search/comback/witness.h"
#include "search/expansion/expander.h"

namespace scrimp {

class ComBackBreadthFirst {
 public:
  ComBackBreadthFirst(Expander& expander, ComBackStates& states, Levels& levels, BackedgeWitness& witness,
                      Observer& observer, Budget& budget, const strategy::Comback& options, Transcript* transcript)
      : options_(options),
        expander_(expander),
        states_(states),
        levels_(levels),
        witness_(witness),
        observer_(observer),
        budget_(budget),
        candidate_budget_(Budget::PartOf{budget}),
        frontier_(budget, expander.machine().words, options.queue == strategy::Comback::Queue::numbers),
        block_(budget, expander.machine(), transcript != nullptr),
        expansion_(expander, observer, block_, transcript),
        ends_(budget),
        hashes_(budget),
        fresh_(budget),
        duplicates_(*this, expander, states, observer, candidate_budget_, options, transcript),
        has_labels_(transcript != nullptr) {}

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
        insert_block();  // L4
        leave_expanded();
        observer_.pulse(levels_.current(), frontier_.size(), budget_.held());
      }
      if (observer_.running() && (options_.mode == Mode::exact || frontier_.size() == 0)) detect();  // L5
    }
    observer_.exhausted();
  }

  const Reconstructions& reconstructions() const { return duplicates_.counts(); }
  std::uint64_t queue_peak_bytes() const { return frontier_.peak_bytes(); }
  std::uint64_t candidate_peak_bytes() const { return candidate_budget_.peak(); }
  std::uint64_t block_bytes() const {
    return block_.bytes() + ends_.bytes() + hashes_.bytes() + fresh_.bytes() + expander_.passage().bytes();
  }

  // For ComBackDuplicates.
  const Word* at_hand(StateId id) const {
    if (options_.mode == Mode::exact || options_.queue == strategy::Comback::Queue::numbers)
      if (const Word* const waiting = frontier_.find(id)) return waiting;
    return states_.find(id);
  }
  void meet(StateId id, const Word* state) {
    if (options_.mode == Mode::exact && id != 0 && id < frontier_.front()) states_.cache().meet(id, state);
  }

 private:
  // So that a level full of dead ends can be interrupted too.
  static constexpr std::uint32_t expansions_per_block = 4096;

  std::uint32_t words() const { return expander_.machine().words; }

  void enter_initial() {
    std::vector<Word> initial(words());
    expander_.machine().initial(initial.data());
    add_new(initial.data(), hash_words(initial.data(), words()), {0, 0});
  }

  void expand_some() {
    block_.count = 0;
    ends_.clear();
    fresh_.clear();
    if (frontier_.needs_group()) frontier_.rebuild_group(group_size(), duplicates_.rebuilding());
    const std::uint64_t most = std::min<std::uint64_t>(level_left_, expansions_per_block);
    const std::uint64_t fired = observer_.counts.transitions;
    while (ends_.size() < most && !block_.has_enough() && observer_.running()) {
      witness_.shown = frontier_.front() + ends_.size();
      const Word* const state = frontier_.find(witness_.shown);
      if (state == nullptr) break;  // it belongs to the next group
      expansion_.expand(state, at_limit_);
      ends_.push(block_.count);
      fresh_.push(0);
    }
    levels_.fired(observer_.counts.transitions - fired);
  }

  std::uint64_t group_size() const {
    return std::min(level_left_, in_states(*options_.group, CandidateSet::candidate_bytes(words()), states_.size()));
  }

  void insert_block() {
    hashes_.resize(block_.count);
    for (std::uint32_t place = 0; place < block_.count; ++place) {
      hashes_[place] = hash_words(expansion_.successor(place), words());
      states_.table().prefetch(hashes_[place]);
    }
    std::uint32_t place = 0;
    for (std::size_t i = 0; i < ends_.size(); ++i)
      for (; place < ends_[i] && observer_.running(); ++place)
        insert(place, {frontier_.front() + i, block_.events()[place]});
  }

  void insert(std::uint32_t place, const Backedge& edge) {
    const EventId label = has_labels_ ? block_.labels()[place] : 0;
    switch (duplicates_.insert(expansion_.successor(place), hashes_[place], edge, label)) {
      case Met::known: break;
      case Met::fresh: return add_new(expansion_.successor(place), hashes_[place], edge);
      case Met::candidate:
        if (duplicates_.has_enough_candidates()) detect();  // L5
    }
  }

  void detect() {
    duplicates_.detect([this](const Word* state, Word hash, const Backedge& edge) { add_new(state, hash, edge); });
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

  /// A queued state is available anyway: a copy in the cache is useful only afterwards.
  bool enters_late() const {
    return options_.queue == strategy::Comback::Queue::states && options_.mode == Mode::exact;
  }

  void leave_expanded() {
    DescriptorCache& cache = states_.cache();
    states_.adapt_cache();
    const bool is_asked = cache.needs_worth() || (enters_late() && cache.takes_new());
    for (std::size_t i = 0; i < ends_.size(); ++i) {
      const StateId id = frontier_.front();
      if (is_asked && id != 0) {
        const Word* const state = frontier_.find(id);
        const bool is_kept = cache.needs_worth() && cache.expanded(id, state, levels_.current(), worth(fresh_[i]));
        if (!is_kept && enters_late()) cache.enter(id, state, levels_.current());
      }
      frontier_.pop();
    }
    level_left_ -= ends_.size();
  }

  /// The heuristic of section 3, H(s) = d(s) r(s) / L(d(s)).
  double worth(std::uint32_t referring) const {
    return static_cast<double>(levels_.current()) * referring / static_cast<double>(levels_.current_states());
  }

  const strategy::Comback& options_;
  Expander& expander_;
  ComBackStates& states_;
  Levels& levels_;
  BackedgeWitness& witness_;
  Observer& observer_;
  Budget& budget_;
  Budget candidate_budget_;
  ComBackFrontier frontier_;
  SuccessorBlock block_;
  BlockExpansion<0, true> expansion_;
  RegionVector<std::uint32_t> ends_;   // in the block: the end of the successors of each expanded state
  RegionVector<Word> hashes_;          // of the successors
  RegionVector<std::uint32_t> fresh_;  // number of each state's new successors
  ComBackDuplicates<ComBackBreadthFirst> duplicates_;
  const bool has_labels_;
  std::uint64_t level_left_ = 0;
  bool at_limit_ = false;
};

}  // namespace scrimp
