// Breadth-first search.
//
//   1. Enter the initial state: level 0.
//   2. While the level is not empty:
//   3.   take states from the level and expand them, until their successors fill a block;
//   4.   insert the block into the set of states; the fresh ones are appended to the next level;
//   5.   once the level is used up, the next one takes its place.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/machine.h"
#include "observe/observer.h"
#include "search/expander.h"
#include "search/levels.h"
#include "search/state_queue.h"
#include "search/successor_block.h"
#include "store/state_set.h"

namespace scrimp {

/// `fixed_words` is the machine's number of words where the loop is compiled for it, else 0.
template <StateSet Set, std::uint32_t fixed_words>
class BreadthFirst {
 public:
  BreadthFirst(Expander& expander, Set& set, Levels& levels, Observer& observer, Budget& budget)
      : expander_(expander),
        set_(set),
        levels_(levels),
        observer_(observer),
        budget_(budget),
        queue_(budget, expander.machine().words),
        block_(budget, expander.machine()) {}

  void run() {
    if (!block_.has_room()) return observer_.end(Reason::memory);
    enter_initial();                                     // L1
    while (observer_.running() && queue_.size() != 0) {  // L2
      level_left_ = queue_.size();                       // L5
      if (!levels_.begin_next()) return observer_.end(Reason::memory);
      observer_.deeper(levels_.current());
      at_limit_ = observer_.at_depth_limit(levels_.current());
      while (observer_.running() && level_left_ != 0) {
        expand_some();   // L3
        insert_block();  // L4
        observer_.pulse(levels_.current(), queue_.size(), budget_.held());
      }
    }
    observer_.exhausted();
  }

  std::uint64_t queue_peak_bytes() const { return queue_.peak_bytes(); }
  std::uint64_t block_bytes() const { return block_.bytes() + expander_.passage().bytes(); }

 private:
  static constexpr std::uint32_t expansions_per_block = 4096;  // so that a level of dead ends is interrupted too

  std::uint32_t words() const { return fixed_words != 0 ? fixed_words : expander_.machine().words; }
  Word* successor(std::uint32_t ordinal) { return block_.states() + std::size_t{ordinal} * words(); }

  void enter_initial() {
    expander_.machine().initial(block_.states());
    block_.count = 1;
    insert_block();
  }

  void expand_some() {
    block_.count = 0;
    for (std::uint32_t left = expansions_per_block; left != 0 && level_left_ != 0 && !block_.has_enough(); --left) {
      expand_front();
      queue_.pop();
      --level_left_;
      if (!observer_.running()) break;
    }
  }

  void expand_front() {
    const Word* const state = queue_.front();
    EventId* const events = block_.events() + block_.count;
    const Expansion expansion = expander_.expand(state, successor(block_.count), events);
    if (expansion.count == 0) [[unlikely]]
      return observer_.dead_end(state);
    if (at_limit_) [[unlikely]]
      return observer_.cut();
    if (expansion.flags != 0) [[unlikely]]
      return leads_on(expansion) ? pass(state, expansion) : add_faultless(state, expansion.count, false);
    observer_.fired(events, expansion.count);
    levels_.fired(expansion.count);
    block_.count += expansion.count;
  }

  /// Puts what the listed events lead to, through transient states, into their place at the block's end.
  void pass(const Word* state, const Expansion& expansion) {
    const Escort escort{&observer_, true, std::nullopt};
    if (!expander_.pass(state, expansion, successor(block_.count), block_.events() + block_.count, escort))
      return observer_.end(Reason::memory);
    const Passage& passage = expander_.passage();
    const std::uint32_t count = passage.count();
    if (!block_.make_room(count)) return observer_.end(Reason::memory);
    copy(passage.states(), count, successor(block_.count));
    if (passage.flags() == 0) return add(count);
    std::copy_n(passage.events(), count, block_.events() + block_.count);
    add_faultless(state, count, true);
  }

  /// Takes in so many successors, whose events are known to have been fired, that were written at the block's end.
  void add(std::uint32_t count) {
    observer_.counts.transitions += count;
    levels_.fired(count);
    block_.count += count;
  }

  /// Takes in what was written at the block's end: reports what is no successor and closes the gaps.
  void add_faultless(const Word* state, std::uint32_t count, bool passed) {
    const std::uint32_t begin = block_.count;
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
        move(begin + i, block_.count++);
      }
    }
  }

  void move(std::uint32_t from, std::uint32_t to) { copy(successor(from), 1, successor(to)); }

  /// There are few of them, as a rule: to call a function for it would take longer.
  void copy(const Word* from, std::uint32_t states, Word* to) {
    for (std::size_t i = 0; i < std::size_t{states} * words(); ++i) to[i] = from[i];
  }

  void insert_block() {
    set_.insert(block_.states(), block_.count, block_.results());
    std::uint32_t fresh = 0;
    std::uint32_t known = 0;
    for (std::uint32_t i = 0; i < block_.count; ++i) {  // without branches: which are fresh cannot be predicted
      const Insertion result = block_.results()[i];
      move(i, fresh);
      fresh += result == Insertion::fresh;
      known += result == Insertion::known;
    }
    observer_.counts.states += fresh;
    observer_.counts.matched += known;
    levels_.append(block_.states(), fresh);
    if (observer_.watching()) {
      for (std::uint32_t i = 0; i < fresh; ++i) observer_.entered(successor(i));
    }
    if (fresh + known != block_.count || !queue_.append(block_.states(), fresh)) observer_.end(Reason::memory);
    if (!levels_.good()) observer_.end(Reason::disk);
  }

  Expander& expander_;
  Set& set_;
  Levels& levels_;
  Observer& observer_;
  Budget& budget_;
  StateQueue queue_;
  SuccessorBlock block_;
  std::uint64_t level_left_ = 0;
  bool at_limit_ = false;
};

}  // namespace scrimp
