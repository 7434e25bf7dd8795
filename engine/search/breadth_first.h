// Breadth-first search.
//
//   1. Enter the initial state: level 0.
//   2. While the level is not empty:
//   3.   take states from the level and expand them, until their successors fill a block;
//   4.   insert the block into the set of states; the fresh ones are appended to the next level;
//   5.   once the level is used up, the next one takes its place.
#pragma once

#include <cstdint>

#include "core/machine.h"
#include "core/region_vector.h"
#include "observe/observer.h"
#include "observe/transcript.h"
#include "search/block_expansion.h"
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
  /// What has numbers is written to `transcript`.
  BreadthFirst(Expander& expander, Set& set, Levels& levels, Observer& observer, Budget& budget,
               Transcript* transcript = nullptr)
      : expander_(expander),
        set_(set),
        levels_(levels),
        observer_(observer),
        budget_(budget),
        queue_(budget, expander.machine().words),
        block_(budget, expander.machine()),
        expansion_(expander, observer, levels, block_, transcript),
        transcript_(transcript),
        ends_(budget) {}

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
  static constexpr bool has_numbers = requires(const Set& set) { set.numbers(); };
  static constexpr std::uint32_t expansions_per_block = 4096;  // so that a level of dead ends is interrupted too

  void enter_initial() {
    expander_.machine().initial(block_.states());
    block_.count = 1;
    insert_block();
  }

  void expand_some() {
    block_.count = 0;
    if constexpr (has_numbers) ends_.clear();
    for (std::uint32_t left = expansions_per_block; left != 0 && level_left_ != 0 && !block_.has_enough(); --left) {
      expansion_.expand(queue_.front(), at_limit_);
      queue_.pop();
      --level_left_;
      if constexpr (has_numbers) ends_.push(block_.count);
      if (!observer_.running()) break;
    }
  }

  void insert_block() {
    set_.insert(block_.states(), block_.count, block_.results());
    if constexpr (has_numbers) transcribe();
    std::uint32_t fresh = 0;
    std::uint32_t known = 0;
    for (std::uint32_t i = 0; i < block_.count; ++i) {  // without branches: which are fresh cannot be predicted
      const Insertion result = block_.results()[i];
      expansion_.move(i, fresh);
      fresh += result == Insertion::fresh;
      known += result == Insertion::known;
    }
    observer_.counts.states += fresh;
    observer_.counts.matched += known;
    levels_.append(block_.states(), fresh);
    if (observer_.watching()) {
      for (std::uint32_t i = 0; i < fresh; ++i) observer_.entered(expansion_.successor(i));
    }
    if (fresh + known != block_.count || !queue_.append(block_.states(), fresh)) observer_.end(Reason::memory);
    if (!levels_.good()) observer_.end(Reason::disk);
  }

  void transcribe() {
    std::uint32_t place = 0;
    for (const std::uint32_t end : ends_) {
      for (; place < end; ++place) transcript_->add(expanded_, block_.events()[place], set_.numbers()[place]);
      ++expanded_;
    }
    if (!transcript_->may_go_on()) observer_.end(Reason::disk);
  }

  Expander& expander_;
  Set& set_;
  Levels& levels_;
  Observer& observer_;
  Budget& budget_;
  StateQueue queue_;
  SuccessorBlock block_;
  BlockExpansion<fixed_words> expansion_;
  std::uint64_t level_left_ = 0;
  bool at_limit_ = false;
  Transcript* const transcript_;
  RegionVector<std::uint32_t> ends_;  // of the successors of each state that is expanded, in the block
  StateNumber expanded_ = 0;          // states leave the queue as they entered the set
};

}  // namespace scrimp
