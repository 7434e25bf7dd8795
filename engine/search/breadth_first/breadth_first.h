// Breadth-first search.
//
//   1. Enter the initial state: level 0.
//   2. While the level is not empty:
//   3.   take states from the level and expand them until their successors fill a block;
//   4.   insert the block into the set of states; append the fresh ones to the next level;
//   5.   when the level is used up, continue with the next one.
#pragma once

#include <cstdint>

#include "core/machine.h"
#include "core/region_vector.h"
#include "observe/observer.h"
#include "search/breadth_first/block_expansion.h"
#include "search/breadth_first/levels.h"
#include "search/breadth_first/state_queue.h"
#include "search/breadth_first/successor_block.h"
#include "search/expansion/expander.h"
#include "search/listeners/listener.h"
#include "store/state_set.h"

namespace scrimp {

/// `fixed_words` is the machine's number of words if the loop is compiled for that number, else 0. The set is annotated
/// if the listener needs its entries.
template <StateSet Set, std::uint32_t fixed_words, class Listener = Silent>
class BreadthFirst {
 public:
  BreadthFirst(Expander& expander, Set& set, Levels& levels, Observer& observer, Budget& budget, Listener& listener,
               Transcript* labels = nullptr)
      : expander_(expander),
        set_(set),
        levels_(levels),
        observer_(observer),
        budget_(budget),
        listener_(listener),
        queue_(budget, expander.machine().words),
        block_(budget, expander.machine()),
        expansion_(expander, observer, levels, block_, labels),
        keys_(budget) {}

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
  // So that a level full of dead ends can be interrupted too.
  static constexpr std::uint32_t expansions_per_block = 4096;

  void enter_initial() {
    expander_.machine().initial(block_.states());
    block_.count = 1;
    insert_block();
  }

  void expand_some() {
    block_.count = 0;
    for (std::uint32_t left = expansions_per_block; left != 0 && level_left_ != 0 && !block_.has_enough(); --left) {
      expansion_.expand(queue_.front(), at_limit_);
      queue_.pop();
      --level_left_;
      listener_.expanded(block_.count);
      if (!observer_.running()) break;
    }
  }

  void insert_block() {
    visit_block();
    listener_.settled(block_);
    std::uint32_t fresh = 0;
    std::uint32_t known = 0;
    for (std::uint32_t i = 0; i < block_.count; ++i) {  // branch-free: which states are fresh is unpredictable
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
  }

  void visit_block() {
    if constexpr (is_annotated<Set>) {
      keys_.resize(block_.count);
      const auto meet = [&](std::uint32_t place, const auto& entry) {
        block_.results()[place] = entry.insertion;
        listener_.met(entry);
        return true;
      };
      visit_all(set_, block_.states(), block_.count, expansion_.words(), keys_.data(), meet);
    } else {
      set_.insert(block_.states(), block_.count, block_.results());
    }
  }

  Expander& expander_;
  Set& set_;
  Levels& levels_;
  Observer& observer_;
  Budget& budget_;
  Listener& listener_;
  StateQueue queue_;
  SuccessorBlock block_;
  BlockExpansion<fixed_words> expansion_;
  std::uint64_t level_left_ = 0;
  bool at_limit_ = false;
  RegionVector<Word> keys_;  // of the successors, if the set is annotated
};

}  // namespace scrimp
