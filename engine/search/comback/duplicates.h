// Distinguishes new states from known ones by the ComBack method: EWK09, procedures insert and duplicateDetection of
// Algorithm 4, for either order.
//
//   1. insert: look up the numbers of the states that have the successor's hash;
//   2.   if there is none, or none of them is the successor, it is new;
//   3.   states whose descriptors are available are compared at once; without delay, the others are reconstructed for
//        it;
//   4.   with delay, if the successor may be one of the others, it becomes a candidate, and they are to be checked.
//   5. detect: reconstruct all states to be checked, together (search/comback/replay.h), and remove each from the
//      candidates;
//   6.   the remaining candidates are new.
//
// If an LTS is written, a transition to a candidate is deferred with it: its target is known only at line 6.
//
//   paper                       here
//   V.candidates                CandidateSet
//   check bits                  checks_
//   successor lists             Rebuilding
//   NEW, MAYBE                  Met::fresh, Met::candidate
//
// Deviation. Candidates are keyed by state; the paper's set of triples would contain a state twice if it is met twice.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/hash.h"
#include "core/machine.h"
#include "core/region_vector.h"
#include "observe/observer.h"
#include "observe/transcript.h"
#include "search/comback/replay.h"
#include "search/comback/states.h"
#include "search/expansion/expander.h"
#include "store/comback/candidate_set.h"
#include "store/comback/options.h"
#include "store/comback/plan.h"

namespace scrimp {

/// The result of inserting a successor; a `candidate` may have been one already.
enum class Met : std::uint8_t { known, fresh, candidate };

/// `Search::at_hand` returns the descriptor of a state, or null. `Search::meet` is called with states that were met
/// again and with some of those reconstructed on the way to them: their successors are likely to be met next, and to be
/// reconstructed along the same path.
template <class Search>
class ComBackDuplicates {
 public:
  ComBackDuplicates(Search& search, Expander& expander, const ComBackStates& states, Observer& observer, Budget& budget,
                    const strategy::Comback& options, Transcript* transcript)
      : delays_(options.delay),
        capacity_(*options.candidates),
        words_(expander.machine().words),
        search_(search),
        states_(states),
        observer_(observer),
        candidates_(budget, words_),
        checks_(budget),
        possible_(budget),
        transcript_(transcript),
        undecided_(budget),
        rebuilding_(expander, observer, states.backedges(), AtHand{&search}, options.k, budget) {}

  /// The caller must add a fresh state next. `label` is the transcript's label of the edge.
  Met insert(const Word* state, Word hash, const Backedge& edge, EventId label) {
    Found found = look_up(state, hash);
    if (found.met == Met::candidate && found.candidate == CandidateSet::nowhere) {
      found.candidate = add_candidate(state, hash, edge);
    } else if (found.met != Met::fresh) {
      ++observer_.counts.matched;
    }
    if (transcript_ != nullptr) transcribe(edge.predecessor, label, found);
    return found.met;
  }

  bool has_candidates() const { return !candidates_.empty(); }
  bool has_enough_candidates() const {
    const std::uint64_t enough = in_states(capacity_, CandidateSet::candidate_bytes(words_), states_.size());
    return candidates_.size() >= enough || undecided_.size() >= edges_per_candidate * enough;
  }
  /// The predecessor of the last candidate.
  StateId last_predecessor() const { return candidates_[candidates_.size() - 1].edge.predecessor; }

  /// Calls `add_new` with state, hash and backedge of every candidate that is new, in order; then removes all
  /// candidates.
  template <class AddNew>
  void detect(AddNew add_new) {
    if (candidates_.empty()) return;
    ++rebuilding_.counts.detections;
    strike_known();
    for (std::uint64_t i = 0; i < candidates_.size() && observer_.running(); ++i) {
      const CandidateSet::Candidate& candidate = candidates_[i];
      if (candidate.is_known()) {
        ++observer_.counts.matched;
      } else {
        candidates_.number(i, states_.size());
        add_new(candidates_.state(i), candidate.hash, candidate.edge);  // L6
      }
    }
    if (transcript_ != nullptr) transcribe_decided();
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
  static constexpr std::uint64_t edges_per_candidate = 2;  // that are deferred with it, on average

  struct Found {
    Met met;
    StateId id = 0;                                   // of a known state, or the next number
    std::uint32_t candidate = CandidateSet::nowhere;  // `nowhere` if it was not a candidate before
  };

  /// A transition to a candidate.
  struct Undecided {
    StateId source;
    EventId label;
    std::uint32_t candidate;
  };

  Found look_up(const Word* state, Word hash) {
    StateId known = CandidateSet::nobody;
    bool has_rivals = false;
    possible_.clear();
    states_.table().find(hash, [&](StateId id) {  // L1
      if (known != CandidateSet::nobody) return;
      has_rivals = true;
      const Word* const descriptor = search_.at_hand(id);
      if (descriptor == nullptr) return possible_.push(id);
      if (!are_equal(descriptor, state)) return;  // L3
      known = id;
      search_.meet(id, state);
    });
    if (!has_rivals) return {Met::fresh, states_.size()};  // L2
    if (known == CandidateSet::nobody && !delays_) known = find_possible(state);
    if (known != CandidateSet::nobody) return {Met::known, known};
    const std::uint32_t candidate = delays_ ? candidates_.find(state, hash) : CandidateSet::nowhere;
    if (candidate != CandidateSet::nowhere || (delays_ && !possible_.empty())) return {Met::candidate, 0, candidate};
    return {Met::fresh, states_.size()};
  }

  /// Which of the possible states this one is, or `nobody`.
  StateId find_possible(const Word* state) {
    const auto show = [this](StateId id, const Word* shown, bool) { search_.meet(id, shown); };
    const StateId* const found = std::find_if(possible_.begin(), possible_.end(), [&](StateId id) {
      return are_equal(rebuilding_.rebuild(id, show), state);
    });
    return found == possible_.end() ? CandidateSet::nobody : *found;
  }

  std::uint32_t add_candidate(const Word* state, Word hash, const Backedge& edge) {  // L4
    candidates_.add(state, hash, edge);
    for (const StateId id : possible_) checks_.push(id);
    return static_cast<std::uint32_t>(candidates_.size() - 1);
  }

  void transcribe(StateId source, EventId label, const Found& found) {
    if (found.met == Met::candidate) return undecided_.push({source, label, found.candidate});
    transcript_->add(source, label, found.id);
    if (!transcript_->may_go_on()) observer_.end(Reason::disk);
  }

  void transcribe_decided() {
    for (const Undecided& edge : undecided_) transcript_->add(edge.source, edge.label, candidates_[edge.candidate].id);
    undecided_.clear();
    if (!transcript_->may_go_on()) observer_.end(Reason::disk);
  }

  void strike_known() {  // L5
    std::sort(checks_.begin(), checks_.end());
    rebuilding_.rebuild_all(checks_, [this](StateId id, const Word* state, bool is_wanted) {
      if (is_wanted) candidates_.discard(state, hash_words(state, words_), id);
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
  RegionVector<StateId> checks_;    // states that may equal one of the candidates
  RegionVector<StateId> possible_;  // states that may equal the one being inserted
  Transcript* const transcript_;
  RegionVector<Undecided> undecided_;
  Rebuilding<AtHand> rebuilding_;
};

}  // namespace scrimp
