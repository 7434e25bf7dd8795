// Tells new states from known ones by the ComBack method: EWK09, procedures insert and duplicateDetection of
// Algorithm 4, for either order.
//
//   1. insert: look up the numbers of the states that have the successor's hash;
//   2.   where there is none, or none of them is the successor, it is new;
//   3.   those whose descriptors are at hand are compared at once, and without delay the others are rebuilt for it;
//   4.   with delay, where it may be one of the others, it becomes a candidate, and they are to be checked.
//   5. detect: rebuild all states to be checked, together (search/comback_replay.h), and strike each from the
//      candidates;
//   6.   those that are left are new.
//
//   paper                       here
//   V.candidates                CandidateSet
//   check bits                  checks_
//   successor lists             Rebuilding
//   NEW, MAYBE                  Met::fresh, Met::candidate
//
// Deviation. Candidates are keyed by state; the paper's set of triples would enter a state twice that is met twice.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/hash.h"
#include "core/machine.h"
#include "core/region_vector.h"
#include "observe/observer.h"
#include "search/comback_replay.h"
#include "search/comback_states.h"
#include "search/expander.h"
#include "store/comback/candidate_set.h"
#include "store/comback/options.h"
#include "store/comback/plan.h"

namespace scrimp {

/// What a successor was found to be.
enum class Met : std::uint8_t { known, fresh, candidate };

/// `Search` tells the descriptor of a state, or null, by `at_hand`, and is told of states that were met again, and of
/// some on the way to them, by `meet`: their successors are likely to be met next, and rebuilt by the same way.
template <class Search>
class ComBackDuplicates {
 public:
  ComBackDuplicates(Search& search, Expander& expander, const ComBackStates& states, Observer& observer, Budget& budget,
                    const ComBack& options)
      : delays_(options.delays),
        capacity_(options.candidates),
        words_(expander.machine().words),
        search_(search),
        states_(states),
        observer_(observer),
        candidates_(budget, words_),
        checks_(budget),
        possible_(budget),
        rebuilding_(expander, observer, states.backedges(), AtHand{&search}, options.distance, budget) {}

  Met insert(const Word* state, Word hash, const Backedge& edge) {
    const Met met = look_up(state, hash);
    if (met == Met::known) ++observer_.counts.matched;
    if (met == Met::candidate) add_candidate(state, hash, edge);
    return met;
  }

  bool has_candidates() const { return !candidates_.empty(); }
  bool has_enough_candidates() const {
    return candidates_.size() >= in_states(capacity_, CandidateSet::candidate_bytes(words_), states_.size());
  }
  /// Where the last of the candidates was met.
  StateId last_predecessor() const { return candidates_[candidates_.size() - 1].edge.predecessor; }

  /// Calls `add_new` with every candidate that is new, in their order: state, hash, backedge. Then there is none.
  template <class AddNew>
  void detect(AddNew add_new) {
    if (candidates_.empty()) return;
    ++rebuilding_.counts.detections;
    strike_known();
    for (std::uint64_t i = 0; i < candidates_.size() && observer_.running(); ++i) {
      const CandidateSet::Candidate& candidate = candidates_[i];
      if (candidate.is_known) {
        ++observer_.counts.matched;
      } else {
        add_new(candidates_.state(i), candidate.hash, candidate.edge);  // L6
      }
    }
    candidates_.clear();
    checks_.clear();
  }

  struct AtHand {
    const Search* search;
    const Word* operator()(StateId id) const { return search->at_hand(id); }
  };
  Rebuilding<AtHand>& rebuilding() { return rebuilding_; }
  const Reconstructions& counts() const { return rebuilding_.counts; }

 private:
  Met look_up(const Word* state, Word hash) {
    bool is_known = false;
    bool has_rivals = false;
    possible_.clear();
    states_.table().find(hash, [&](StateId id) {  // L1
      if (is_known) return;
      has_rivals = true;
      if (const Word* const descriptor = search_.at_hand(id)) {  // L3
        is_known = are_equal(descriptor, state);
        if (is_known) search_.meet(id, state);
      } else {
        possible_.push(id);
      }
    });
    if (!has_rivals) return Met::fresh;  // L2
    if (is_known || (delays_ ? candidates_.contains(state, hash) : is_possible(state))) return Met::known;
    return delays_ && !possible_.empty() ? Met::candidate : Met::fresh;
  }

  /// Whether a state is one of the possible ones.
  bool is_possible(const Word* state) {
    const auto show = [this](StateId id, const Word* shown, bool) { search_.meet(id, shown); };
    return std::any_of(possible_.begin(), possible_.end(),
                       [&](StateId id) { return are_equal(rebuilding_.rebuild(id, show), state); });
  }

  void add_candidate(const Word* state, Word hash, const Backedge& edge) {  // L4
    candidates_.add(state, hash, edge);
    for (const StateId id : possible_) checks_.push(id);
  }

  void strike_known() {  // L5
    std::sort(checks_.begin(), checks_.end());
    rebuilding_.rebuild_all(checks_, [this](StateId id, const Word* state, bool is_wanted) {
      if (is_wanted) candidates_.discard(state, hash_words(state, words_));
      search_.meet(id, state);
    });
  }

  bool are_equal(const Word* a, const Word* b) const {
    for (std::uint32_t i = 0; i < words_; ++i)
      if (a[i] != b[i]) return false;
    return true;
  }

  const bool delays_;
  const Capacity capacity_;  // of the candidates
  const std::uint32_t words_;
  Search& search_;
  const ComBackStates& states_;
  Observer& observer_;
  CandidateSet candidates_;
  RegionVector<StateId> checks_;    // that may be one of the candidates
  RegionVector<StateId> possible_;  // that may be the state that is being inserted
  Rebuilding<AtHand> rebuilding_;
};

}  // namespace scrimp
