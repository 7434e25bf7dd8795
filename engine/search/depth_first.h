// Depth-first search, strict: a successor enters the set of states when its event is taken, not before.
//
//   1. Enter the initial state.
//   2. While the path is not empty, look at its last state:
//   3.   if it has an event that was not taken, take the first such event;
//   4.     if that leads to a fresh state, enter it: put it on the path and list its successors;
//   5.   else leave the state: remove it from the path.
//
// The path remembers states and how many of their events were taken. Successors are kept for its last states only:
// where the search returns to a state whose successors were dropped, it lists them again.
#pragma once

#include <cstdint>

#include "core/machine.h"
#include "observe/observer.h"
#include "search/block_stack.h"
#include "search/expander.h"
#include "search/path.h"
#include "store/state_set.h"

namespace scrimp {

/// `fixed_words` is the machine's number of words where the loop is compiled for it, else 0.
template <StateSet Set, std::uint32_t fixed_words>
class DepthFirst {
 public:
  DepthFirst(const Expander& expander, Set& set, Path<fixed_words>& path, Observer& observer, Budget& budget)
      : expander_(expander),
        set_(set),
        path_(path),
        observer_(observer),
        budget_(budget),
        blocks_(budget, expander.machine()) {}

  void run() {
    if (!blocks_.has_room()) return observer_.end(Reason::memory);
    take_initial();                                  // L1
    while (observer_.running() && !path_.empty()) {  // L2
      if (!blocks_.exhausted()) {
        take();  // L3
      } else {
        leave();  // L5
      }
    }
    observer_.exhausted();
  }

  std::uint64_t block_bytes() const { return blocks_.bytes(); }

 private:
  static constexpr std::uint64_t transitions_per_pulse = 4096;

  std::uint32_t words() const { return fixed_words != 0 ? fixed_words : expander_.machine().words; }
  Word* successor(std::uint32_t place) { return blocks_.states() + std::size_t{place} * words(); }

  void take_initial() {
    const std::uint32_t place = blocks_.prepare();
    expander_.machine().initial(successor(place));
    prepare(place, 1);
    insert(place);
  }

  void take() {
    const std::uint32_t place = blocks_.take();
    const EventId event = blocks_.events()[place];
    observer_.fired(event);
    if (observer_.counts.transitions % transitions_per_pulse == 0) pulse();
    if (event & fault_flag) [[unlikely]]
      return observer_.fault(path_.top(), event);
    insert(place);
  }

  void insert(std::uint32_t place) {
    const Word* const state = successor(place);
    switch (set_.insert(state, blocks_.keys()[place])) {
      case Insertion::known: ++observer_.counts.matched; break;
      case Insertion::fresh: enter(state); break;  // L4
      case Insertion::no_room: observer_.end(Reason::memory); break;
    }
  }

  void enter(const Word* state) {
    ++observer_.counts.states;
    if (!path_.push(state, blocks_.exhausted() ? all_taken : blocks_.taken())) {
      return observer_.end(Reason::memory);
    }
    observer_.deeper(path_.size() - 1);
    observer_.entered(path_.top());
    list_successors(0);
  }

  /// Puts the successors of the path's last state on the stack of blocks; `taken` of them were taken before.
  void list_successors(Taken taken) {
    const std::uint32_t place = blocks_.prepare();
    Expansion expansion = expander_.expand(path_.top(), successor(place), blocks_.events() + place);
    if (expansion.count == 0) {
      observer_.dead_end(path_.top());
    } else if (observer_.at_depth_limit(path_.size() - 1)) {
      observer_.cut();
      expansion.count = 0;
    }
    blocks_.push(expansion.count, taken);
    if (expansion.flags == 0) {
      prepare(place + taken, expansion.count - taken);
    } else {
      prepare_faultless(place + taken, expansion.count - taken);
    }
  }

  void prepare(std::uint32_t place, std::uint32_t count) {
    set_.prepare(successor(place), count, blocks_.keys() + place);
  }

  /// The words of a successor that is none are not shown to the set.
  void prepare_faultless(std::uint32_t place, std::uint32_t count) {
    for (std::uint32_t i = place; i < place + count; ++i) {
      const EventId event = blocks_.events()[i];
      if (event & misfit_flag) {
        observer_.misfit(path_.top(), event);
      } else if (!(event & fault_flag)) {
        prepare(i, 1);
      }
    }
  }

  void leave() {
    const Taken taken = path_.pop();
    blocks_.pop();
    if (path_.empty() || taken == all_taken) return;
    if (blocks_.live()) {
      blocks_.resume(taken);
    } else {
      list_successors(taken);
    }
  }

  void pulse() { observer_.pulse(path_.size() - 1, path_.size() - 1, budget_.held()); }

  const Expander& expander_;
  Set& set_;
  Path<fixed_words>& path_;
  Observer& observer_;
  Budget& budget_;
  BlockStack blocks_;
};

}  // namespace scrimp
