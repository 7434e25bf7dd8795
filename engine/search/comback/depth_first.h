// Depth-first search with the ComBack method; with delay, EWK09, section 4.3, "Compatibility with depth-first search".
//
//   1. Enter the initial state: it is the path.
//   2. While the path is not empty:
//   3.   take the next event of its last state and insert the successor (search/comback/duplicates.h):
//   4.     a new one gets a number, a hash and a backedge, and is appended to the path;
//   5.     with delay, one that may be known becomes a candidate.
//   6.   When there are enough candidates, and before a state with a candidate successor is left, detect duplicates.
//   7.     Candidates that are new get their numbers. Each is open until the search returns to its predecessor:
//   8.   once all events of the last state are taken, enter its open successors, one after the other;
//   9.   leave a state without such successors.
//
// A state's backedge leads to the previous state on the path, so that the numbers of the path need not be stored. A
// candidate's predecessor is on the path: it is not left before the next detection. Of an open state only the number is
// held: its predecessor is expanded once more. Candidates and open states are kept in the order of discovery, so those
// of the path's last state are the last ones.
//
// Not in the paper: up to half of the descriptors that may be kept are states of the path, evenly spaced
// (search/comback/path_checkpoints.h). A depth-first path is much longer than a breadth-first one, and every
// reconstruction leads along it.
#pragma once

#include <cstdint>
#include <vector>

#include "core/hash.h"
#include "core/machine.h"
#include "core/region_vector.h"
#include "observe/observer.h"
#include "observe/transcript.h"
#include "search/comback/duplicates.h"
#include "search/comback/path_checkpoints.h"
#include "search/comback/states.h"
#include "search/depth_first/path.h"
#include "search/depth_first/path_expansion.h"
#include "search/expansion/expander.h"

namespace scrimp {

class ComBackDepthFirst {
 public:
  ComBackDepthFirst(Expander& expander, ComBackStates& states, Path<0>& path, Observer& observer, Budget& budget,
                    const strategy::Comback& options, Transcript* transcript)
      : options_(options),
        states_(states),
        path_(path),
        observer_(observer),
        candidate_budget_(Budget::PartOf{budget}),
        expansion_(expander, path, observer, budget),
        checkpoints_(budget, expander.machine().words),
        fresh_(budget),
        level_states_(budget),
        open_(candidate_budget_),
        transcript_(transcript),
        duplicates_(*this, expander, states, observer, candidate_budget_, options, transcript) {}

  void run() {
    if (!blocks().has_room()) return observer_.end(Reason::memory);
    enter_initial();                                 // L1
    while (observer_.running() && !path_.empty()) {  // L2
      if (!blocks().exhausted()) {
        take();  // L3
      } else if (!enter_open()) {
        leave();  // L9
      }
    }
    observer_.exhausted();
  }

  const Reconstructions& reconstructions() const { return duplicates_.counts(); }
  std::uint64_t candidate_peak_bytes() const { return candidate_budget_.peak(); }
  std::uint64_t path_bytes() const { return checkpoints_.bytes() + fresh_.bytes() + level_states_.bytes(); }
  std::uint64_t block_bytes() const { return expansion_.bytes(); }

  // For ComBackDuplicates.
  const Word* at_hand(StateId id) const {
    if (id == last_ && !path_.empty()) return path_.top();
    if (const Word* const checkpoint = checkpoints_.find(id)) return checkpoint;
    return states_.find(id);
  }
  void meet(StateId id, const Word* state) {
    if (options_.mode == Mode::exact && id != 0) states_.cache().meet(id, state);
  }

 private:
  static constexpr StateId states_per_adaption = 256;

  BlockStack& blocks() { return expansion_.blocks(); }
  StateId predecessor(StateId id) const { return states_.backedges()[id].predecessor; }

  void enter_initial() {
    const std::uint32_t place = expansion_.place_initial();
    const std::vector<Word> initial(expansion_.successor(place), expansion_.successor(place) + expansion_.words());
    enter_new(initial.data(), hash_words(initial.data(), expansion_.words()), {0, 0}, 0, 1);
  }

  void take() {
    const std::uint32_t place = blocks().take();
    const EventId event = blocks().events()[place];
    expansion_.reach(place);
    if (event & fault_flag) [[unlikely]]
      return expansion_.fault(event);
    expansion_.fired(event);
    insert(place);
  }

  void insert(std::uint32_t place) {
    const Word* const state = expansion_.successor(place);
    const Word hash = blocks().keys()[place];
    const Backedge edge{last_, blocks().taken() - 1};
    const EventId label = transcript_ != nullptr ? expansion_.label(place, *transcript_) : 0;
    switch (duplicates_.insert(state, hash, edge, label)) {
      case Met::known: break;
      case Met::fresh:  // L4
        return enter_new(state, hash, edge, blocks().exhausted() ? all_taken : blocks().taken(),
                         expansion_.steps_to(place));
      case Met::candidate:                                  // L5
        if (duplicates_.has_enough_candidates()) detect();  // L6
    }
  }

  void detect() {
    duplicates_.detect([this](const Word*, Word hash, const Backedge& edge) { open(hash, edge); });  // L7
  }

  void open(Word hash, const Backedge& edge) {
    const StateId id = states_.size();
    if (!states_.add(hash, edge)) return observer_.end(Reason::memory);
    if (edge.predecessor == last_ && !fresh_.empty()) ++fresh_.back();
    open_.push(id);
  }

  /// Enters an open successor of the last state, all of whose events are taken. Returns false if there is none.
  bool enter_open() {
    if (duplicates_.has_candidates() && duplicates_.last_predecessor() == last_) detect();  // L6
    if (open_.empty() || predecessor(open_.back()) != last_) return false;
    const StateId id = open_.back();
    const std::uint32_t ordinal = states_.backedges()[id].ordinal;
    Successors& successors = duplicates_.rebuilding().successors();
    const Word* const state = successors.of(path_.top()) + std::size_t{ordinal} * expansion_.words();
    ++duplicates_.rebuilding().counts.events;
    enter(id, state, ordinal + 1, blocks().keeps_steps() ? successors.steps(ordinal) : 1);  // L8
    return true;
  }

  void enter_new(const Word* state, Word hash, const Backedge& edge, Taken taken, std::uint32_t steps) {
    const StateId id = states_.size();
    if (!states_.add(hash, edge)) return observer_.end(Reason::memory);
    if (!fresh_.empty()) ++fresh_.back();
    enter(id, state, taken, steps);
  }

  /// Appends a state to the path, after `taken` events of the previous one were taken.
  void enter(StateId id, const Word* state, Taken taken, std::uint32_t steps) {
    ++observer_.counts.states;
    if (!path_.push(state, taken)) return observer_.end(Reason::memory);
    last_ = id;
    expansion_.advance(steps);
    if (states_.cache().needs_worth()) begin_worth();
    if (options_.mode == Mode::exact) checkpoints_.entered(id, path_.size() - 1, path_.top(), states_.capacity() / 2);
    if (id != 0) states_.cache().enter(id, path_.top(), path_.size() - 1);
    if (id % states_per_adaption == 0) states_.adapt_cache(checkpoints_.size());
    observer_.deeper(expansion_.depth());
    observer_.entered(path_.top());
    list_successors(0);
  }

  /// Hashes the successors, except faults, whose words are meaningless.
  void list_successors(Taken taken) {
    const Listing listed = expansion_.list(taken, taken == 0);
    for (std::uint32_t place = listed.place; place < listed.place + listed.count; ++place)
      if (!(blocks().events()[place] & fault_flag)) prepare(place);
  }

  void prepare(std::uint32_t place) {
    const Word hash = hash_words(expansion_.successor(place), expansion_.words());
    blocks().keys()[place] = hash;
    states_.table().prefetch(hash);
  }

  void leave() {
    const bool was_open = !open_.empty() && open_.back() == last_;
    if (states_.cache().needs_worth()) end_worth();
    checkpoints_.left(path_.size() - 1);
    const Taken taken = path_.pop();
    expansion_.retreat();
    last_ = predecessor(last_);
    if (was_open) open_.pop();
    if (path_.empty() || taken == all_taken || was_open) return;
    if (blocks().live()) {
      blocks().resume(taken);
    } else {
      list_successors(taken);
    }
  }

  void begin_worth() {
    fresh_.push(0);
    while (level_states_.size() < path_.size()) level_states_.push(0);
    ++level_states_[path_.size() - 1];
  }

  /// The heuristic of section 3, H(s) = d(s) r(s) / L(d(s)), with the values known when the state is left.
  void end_worth() {
    const std::uint64_t level = path_.size() - 1;
    const double worth = static_cast<double>(level) * fresh_.pop() / level_states_[level];
    if (last_ != 0) states_.cache().expanded(last_, path_.top(), level, worth);
  }

  const strategy::Comback& options_;
  ComBackStates& states_;
  Path<0>& path_;
  Observer& observer_;
  Budget candidate_budget_;
  PathExpansion<0> expansion_;
  PathCheckpoints checkpoints_;
  // Number of new successors of each state of the path, if the cache orders by worth.
  RegionVector<std::uint32_t> fresh_;
  RegionVector<std::uint32_t> level_states_;  // number of states entered at each distance, likewise
  RegionVector<StateId> open_;                // new, and not on the path yet or just entered
  Transcript* const transcript_;
  ComBackDuplicates<ComBackDepthFirst> duplicates_;
  StateId last_ = 0;  // of the path
};

}  // namespace scrimp
