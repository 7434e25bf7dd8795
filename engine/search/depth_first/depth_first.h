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

#include <algorithm>
#include <cstdint>

#include "core/machine.h"
#include "observe/observer.h"
#include "search/checkpoint/depth_first_checkpoint.h"
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
             Listener& listener, DepthFirstCheckpoint* checkpoint = nullptr)
      : set_(set),
        path_(path),
        observer_(observer),
        expansion_(expander, path, observer, budget),
        listener_(listener),
        checkpoint_(checkpoint) {}

  void run() {
    if (!blocks().has_room()) return observer_.end(Reason::memory);
    if (!resume()) take_initial();                   // L1
    while (observer_.running() && !path_.empty()) {  // L2
      for (std::uint32_t left = steps_per_check; left != 0 && observer_.running() && !path_.empty(); --left) {
        if (!blocks().exhausted()) {
          take();  // L3
        } else {
          leave();  // L5
        }
      }
      if (checkpoint_ != nullptr) [[unlikely]]
        leave_checkpoint();
    }
    observer_.exhausted();
  }

  std::uint64_t block_bytes() const { return expansion_.bytes(); }

 private:
  static constexpr bool is_savable = EnumerableSet<Set> && !is_annotated<Set>;
  static constexpr std::uint32_t steps_per_check = 1 << 10;

  /// Writes a checkpoint if it is time to, or if the search ends before its end. A search that found enough, or a value
  /// that does not fit, starts from the checkpoint before; so does one that ran out of memory within a step.
  [[gnu::noinline]] void leave_checkpoint() {
    if constexpr (is_savable) {
      const Reason reason = observer_.reason();
      const bool is_cut_short = reason == Reason::interrupt || reason == Reason::time || reason == Reason::memory;
      if (path_.empty() || is_broken_ || expansion_.has_failed()) return;
      if (observer_.running() ? !checkpoint_->is_due() : !is_cut_short) return;
      const bool is_saved = checkpoint_->save(set_, path_, blocks().exhausted() ? all_taken : blocks().taken());
      if (!is_saved && checkpoint_->has_failed()) observer_.end(Reason::disk);
    }
  }

  /// Goes on from a checkpoint, if there is one: see search/checkpoint/depth_first_checkpoint.h.
  [[gnu::noinline]] bool resume() {
    if (checkpoint_ == nullptr || !checkpoint_->resumes()) return false;
    if constexpr (is_savable) {
      const std::uint32_t place = expansion_.place_initial();
      if (!path_.push(expansion_.successor(place), all_taken)) return observer_.end(Reason::memory), true;
      expansion_.advance(expansion_.steps_to(place));
      checkpoint_->resume(set_, [&](Taken taken) { repeat(taken); }, [&](Taken taken) { list_again(taken); });
    }
    return true;
  }

  /// Lists the successors of the path's last state, `taken` of which were taken before; returns the last of those.
  std::uint32_t list_again(Taken taken) {
    expansion_.list(0, false);
    if (!observer_.running()) return 0;
    blocks().resume(taken == all_taken ? blocks().count() : std::min(taken, blocks().count()));
    const std::uint32_t next = blocks().next();
    prepare_faultless({next, blocks().begin() + blocks().count() - next, true});
    return next - 1;
  }

  void repeat(Taken taken) {
    const std::uint32_t place = list_again(taken);
    if (!observer_.running()) return;
    if (!path_.push(expansion_.successor(place), taken)) return observer_.end(Reason::memory);
    expansion_.advance(expansion_.steps_to(place));
  }

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
      case Insertion::no_room: take_back(); break;
    }
  }

  /// There is no room for a successor: the search ends as if its event had not been taken.
  [[gnu::noinline]] void take_back() {
    observer_.end(Reason::memory);
    if (path_.empty()) return;
    blocks().take_back();
    --observer_.counts.transitions;
  }

  [[gnu::always_inline]] void enter(std::uint32_t place) {
    ++observer_.counts.states;
    if (!path_.push(expansion_.successor(place), blocks().exhausted() ? all_taken : blocks().taken())) {
      is_broken_ = true;
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
  DepthFirstCheckpoint* const checkpoint_;
  bool is_broken_ = false;  // a state is in the set, but not on the path
};

}  // namespace scrimp
