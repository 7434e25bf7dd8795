// Breadth-first search with snapshots: MW09, Algorithm 1, with a stream of caches and the backtracking set (section
// 3.2).
//
//    1. The first level, Open, is the initial state.
//    2. It is the first snapshot.
//    3. While Open is not empty:
//    4.   Next is empty;
//    5.   for all states of Open:
//    6.     add their successors to Next;
//    7.     if a state has several successors and one old snapshot, or the backtracking set, contains all of them, add
//           the state to the backtracking set.
//    8.   The states of Next that are in no snapshot and not in the backtracking set become Open.
//    9.   Next, complete, is offered to the caches.
//
//   paper                                   here
//   Open, Next                              StateQueue, a bit of SnapshotSet each
//   S_0 ... S_n-1, f, R, n                  CacheStream
//   Backtrack, "very old snapshots"         LevelBits::backtracking, SnapshotSet::old
//
// Deviations. A successor that is in Open is not added to the next Open: it is being expanded. A level that is not
// sampled is still kept until its successors are known and, if it is small, a little longer. Snapshots that are kept
// for good (store/snapshots/cache_stream.h) count as one in L7. Successors are inserted by blocks; those found in no
// snapshot are appended to the queue at once, because no snapshot is made or forgotten before the level ends.
//
// Every state is found at its distance, because a state is skipped only if it has been expanded or is queued: paths are
// shortest. A search that closes has visited every state and fired every transition.
#pragma once

#include <algorithm>
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
#include "store/snapshots/snapshot_set.h"

namespace scrimp {

/// `fixed_words` is the machine's number of words if the loop is compiled for that number, else 0.
template <std::uint32_t fixed_words, class Set, class Listener>
class SnapshotBreadthFirst {
 public:
  SnapshotBreadthFirst(Expander& expander, Set& set, Levels& levels, Observer& observer, Budget& budget,
                       bool backtracks, Listener& listener, Transcript* labels = nullptr)
      : backtracks_(backtracks),
        expander_(expander),
        set_(set),
        levels_(levels),
        observer_(observer),
        budget_(budget),
        listener_(listener),
        queue_(budget, expander.machine().words),
        block_(budget, expander.machine()),
        expansion_(expander, observer, block_, labels),
        ends_(budget),
        keys_(budget),
        holders_(budget) {}

  void run() {
    if (!block_.has_room()) return observer_.end(Reason::memory);
    enter_initial();                                     // L1
    while (observer_.running() && queue_.size() != 0) {  // L3
      set_.complete_level();                             // L2, L9
      if (!levels_.begin_next()) return observer_.end(Reason::memory);
      set_.begin_level();  // L4
      expand_level();      // L5
    }
    observer_.exhausted();
  }

  std::uint64_t queue_bytes() const { return queue_.bytes(); }
  std::uint64_t queue_peak_bytes() const { return queue_.peak_bytes(); }
  std::uint64_t block_bytes() const {
    return block_.bytes() + ends_.bytes() + keys_.bytes() + holders_.bytes() + expander_.passage().bytes();
  }

 private:
  // So that a level full of dead ends can be interrupted too.
  static constexpr std::uint32_t expansions_per_block = 4096;

  void enter_initial() {
    set_.begin_level();
    expander_.machine().initial(block_.states());
    block_.count = 1;
    insert_block();
  }

  void expand_level() {
    observer_.deeper(levels_.current());
    const bool at_limit = observer_.at_depth_limit(levels_.current());
    for (std::uint64_t left = queue_.size(); observer_.running() && left != 0; left -= ends_.size()) {
      expand_some(left, at_limit);
      insert_block();
      for (std::size_t i = 0; i < ends_.size(); ++i) queue_.pop();
      observer_.pulse(levels_.current(), queue_.size(), budget_.held());
    }
  }

  /// Expands states from the front of the queue, `left` of which belong to the level, until their successors fill a
  /// block.
  void expand_some(std::uint64_t left, bool at_limit) {
    block_.count = 0;
    ends_.clear();
    const std::uint64_t most = std::min<std::uint64_t>(left, expansions_per_block);
    const std::uint64_t fired = observer_.counts.transitions;
    while (ends_.size() < most && !block_.has_enough() && observer_.running()) {
      expansion_.expand(queue_.at(ends_.size()), at_limit);
      ends_.push(block_.count);
      listener_.expanded(block_.count);
    }
    levels_.fired(observer_.counts.transitions - fired);
  }

  void insert_block() {
    keys_.resize(block_.count);
    holders_.resize(block_.count);
    const auto meet = [&](const auto& entry) { listener_.met(entry); };
    if (!set_.insert(block_.states(), block_.count, keys_.data(), holders_.data(), meet))  // L6
      return observer_.end(Reason::memory);
    if (backtracks_) learn();  // L7
    expanded_ += ends_.size();
    listener_.settled(block_);
    append(move_fresh_to_front());
  }

  void learn() {
    Holders any = 0;
    for (const Holders each : holders_) any |= each;
    if ((any & set_.old()) == 0) return;
    std::uint32_t begin = 0;
    for (std::size_t i = 0; i < ends_.size(); begin = ends_[i++]) {
      Holders common = set_.old();
      for (std::uint32_t place = begin; place < ends_[i]; ++place) common &= holders_[place];
      if (common != 0 && has_several(begin, ends_[i])) set_.learn(queue_.at(i), expanded_ + i);
    }
  }

  /// Whether the successors from `begin` to `end` are not all the same.
  bool has_several(std::uint32_t begin, std::uint32_t end) const {
    return begin != end &&
           std::any_of(&keys_[begin], &keys_[begin] + (end - begin), [&](Word key) { return key != keys_[begin]; });
  }

  std::uint32_t move_fresh_to_front() {
    std::uint32_t fresh = 0;
    for (std::uint32_t i = 0; i < block_.count; ++i) {  // branch-free: which states are fresh is unpredictable
      expansion_.move(i, fresh);
      keys_[fresh] = keys_[i];
      fresh += holders_[i] == 0;
    }
    return fresh;
  }

  void append(std::uint32_t fresh) {  // L8
    observer_.counts.states += fresh;
    observer_.counts.matched += block_.count - fresh;
    for (std::uint32_t i = 0; i < fresh; ++i) listener_.entered(expansion_.successor(i), keys_[i]);
    levels_.append(block_.states(), fresh);
    if (observer_.watching()) {
      for (std::uint32_t i = 0; i < fresh; ++i) observer_.entered(expansion_.successor(i));
    }
    if (!queue_.append(block_.states(), fresh)) observer_.end(Reason::memory);
  }

  const bool backtracks_;
  Expander& expander_;
  Set& set_;
  Levels& levels_;
  Observer& observer_;
  Budget& budget_;
  Listener& listener_;
  StateQueue queue_;  // Open, then the fresh states of Next
  SuccessorBlock block_;
  BlockExpansion<fixed_words> expansion_;
  RegionVector<std::uint32_t> ends_;  // in the block: the end of the successors of each expanded state
  RegionVector<Word> keys_;           // of the successors
  RegionVector<Holders> holders_;     // the snapshots that contained them before
  std::uint64_t expanded_ = 0;        // states, before those of the block
};

}  // namespace scrimp
