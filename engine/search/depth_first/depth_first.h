// Depth-first search, strict: a successor enters the set of states when its event is taken, not before.
//
//   1. Enter the initial state.
//   2. While the path is not empty, look at its last state:
//   3.   if it has an event that was not taken, take the first such event;
//   4.     if that leads to a fresh state, enter it: put it on the path and list its successors;
//   5.   else leave the state: remove it from the path.
//
// The path remembers states and how many of their events were taken. Successors are kept for its last states only: when
// the search returns to a state whose successors were dropped, it lists them again.
#pragma once

#include <cstdint>

#include "core/machine.h"
#include "observe/observer.h"
#include "search/depth_first/path.h"
#include "search/depth_first/path_expansion.h"
#include "search/expansion/expander.h"
#include "search/listeners/listener.h"
#include "store/state_set.h"

namespace scrimp {

/// `fixed_words` is the machine's number of words if the loop is compiled for that number, else 0.
template <StateSet Set, std::uint32_t fixed_words, class Listener = Silent>
class DepthFirst {
 public:
  DepthFirst(Expander& expander, Set& set, Path<fixed_words>& path, Observer& observer, Budget& budget,
             Listener& listener)
      : set_(set),
        path_(path),
        observer_(observer),
        expansion_(expander, path, observer, budget),
        listener_(listener) {}

  void run() {
    if (!blocks().has_room()) return observer_.end(Reason::memory);
    take_initial();                                  // L1
    while (observer_.running() && !path_.empty()) {  // L2
      if (!blocks().exhausted()) {
        take();  // L3
      } else {
        leave();  // L5
      }
    }
    observer_.exhausted();
  }

  std::uint64_t block_bytes() const { return expansion_.bytes(); }

 private:
  BlockStack& blocks() { return expansion_.blocks(); }

  [[gnu::noinline]] void take_initial() {
    const std::uint32_t place = expansion_.place_initial();
    prepare(place, 1);
    insert(place);
  }

  [[gnu::always_inline]] void take() {
    const std::uint32_t place = blocks().take();
    const EventId event = blocks().events()[place];
    expansion_.reach(place);
    if (event & fault_flag) [[unlikely]]
      return expansion_.fault(event);
    expansion_.fired(event);
    insert(place);
  }

  [[gnu::always_inline]] void insert(std::uint32_t place) {
    const auto entry = set_.visit(expansion_.successor(place), blocks().keys()[place]);
    listener_.met(expansion_, place, entry);
    switch (entry.insertion) {
      case Insertion::known: ++observer_.counts.matched; break;
      case Insertion::fresh: enter(place); break;  // L4
      case Insertion::no_room: observer_.end(Reason::memory); break;
    }
  }

  [[gnu::always_inline]] void enter(std::uint32_t place) {
    ++observer_.counts.states;
    if (!path_.push(expansion_.successor(place), blocks().exhausted() ? all_taken : blocks().taken())) {
      return observer_.end(Reason::memory);
    }
    expansion_.advance(expansion_.steps_to(place));
    observer_.deeper(expansion_.depth());
    observer_.entered(path_.top());
    list_successors(0);
  }

  void list_successors(Taken taken) {
    const Listing listed = expansion_.list(taken, taken == 0);
    if (listed.has_flags) [[unlikely]]
      return prepare_faultless(listed);
    prepare(listed.place, listed.count);
  }

  void prepare(std::uint32_t place, std::uint32_t count) {
    set_.prepare(expansion_.successor(place), count, blocks().keys() + place);
  }

  /// Faults have no successor state, so their words are not passed to the set.
  [[gnu::noinline]] void prepare_faultless(const Listing& listed) {
    for (std::uint32_t place = listed.place; place < listed.place + listed.count; ++place)
      if (!(blocks().events()[place] & fault_flag)) prepare(place, 1);
  }

  void leave() {
    const Taken taken = path_.pop();
    listener_.left();
    expansion_.retreat();
    if (path_.empty() || taken == all_taken) return;
    if (blocks().live()) {
      blocks().resume(taken);
    } else {
      list_successors(taken);
    }
  }

  Set& set_;
  Path<fixed_words>& path_;
  Observer& observer_;
  PathExpansion<fixed_words> expansion_;
  Listener& listener_;
};

}  // namespace scrimp
