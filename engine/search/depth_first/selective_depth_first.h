// Depth-first search that may leave events out and may forget states: strict, like search/depth_first/depth_first.h.
//
//   1. Enter the initial state, with nothing asleep.
//   2. While the path is not empty, look at its last state:
//   3.   if it has an entry that is to be taken, take the first such entry;
//   4.     asleep in the successor are the events that are asleep here or finished here, as far as they are independent
//          of the event taken;
//   5.     if the successor is not stored, enter it; its entries to take are those that the selection chooses and that
//          are not asleep;
//   6.     if it is stored and some event that was asleep in it, but not for good, is not asleep now, enter it again;
//          its entries to take are those of the events that woke up, and asleep in it for now stay the events that were
//          asleep for now before and are so again;
//   7.   else leave the state: remove it from the path; the store may forget it.
//
// Selections: reduction/selection.h (HGP92, Algorithm 2 and section 5). Sleep sets: GHP92, section 3, and HGP92,
// Algorithm 3, whose conflict sets are sleep sets with the dependence of its Table I.
//
//   paper                            here
//   Sleep (GHP92), conflict sets     PathSleep::Frame::asleep
//   Stack, S                         path_; PathFrames, to ask whether a state is on it
//   H, State_Space                   set_
//   "s' is not in Stack"             PathSleep::Frame::event_low == nowhere, in `SleepMemory::on_path`
//   edges marked false               entries whose event is `left_out` (reduction/ranked_choice.h)
//
// Deviations. The printed algorithm loses states even if all states are stored (GHP92, Theorem 3.1 is false): an event
// sleeps because the states it leads to were found elsewhere, and that search may have stopped at a state on the stack
// whose own search is unfinished and relies on the event being asleep. So an event is asleep *for good* only if the
// search below it does not depend on any state on the stack: then every state it leads to, from here and from wherever
// it is still asleep, was visited, whatever is forgotten later. The search below an event depends on the stack if it
// met a state on the stack, a state in which some event was asleep for now, or a state whose own search depended on the
// stack when that state was left (`low`, as in Tarjan's algorithm; if it is not known on which state of the stack it
// depends, the initial state is assumed).
// Otherwise the event is asleep *for now*: this is stored with the states, and line 6 makes up for it, as in
// Godefroid's thesis (LNCS 1032, section 5.3). docs/decisions/0009 has the argument. `SleepMemory::on_path` and
// `SleepMemory::unconditional` are the printed algorithms.
// The papers undo changes of one set on backtracking; here sets are values, and a frame keeps the numbers of its own
// sets. A state with no enabled event is a deadlock whatever is asleep: lines 5 and 6 see all enabled events.
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "core/hash.h"
#include "core/machine.h"
#include "observe/observer.h"
#include "reduction/selection.h"
#include "search/depth_first/choice.h"
#include "search/depth_first/path.h"
#include "search/depth_first/path_expansion.h"
#include "search/depth_first/path_frames.h"
#include "search/depth_first/sleep.h"
#include "search/expansion/expander.h"
#include "store/state_set.h"

namespace scrimp {

/// In place of a slot, if the set has none.
struct NoSlot {
  NoSlot(Slot) {}
  operator Slot() const { return no_slot; }
};

/// `fixed_words` is the machine's number of words if the loop is compiled for that number, else 0. `Sleep` is NoSleep
/// or PathSleep; sleep sets are stored in the marks of an annotated set.
template <StateSet Set, std::uint32_t fixed_words, class Sleep, class Listener>
class SelectiveDepthFirst {
 public:
  /// A null selection chooses everything.
  SelectiveDepthFirst(Expander& expander, Set& set, Path<fixed_words>& path, Observer& observer, Budget& budget,
                      Sleep& sleep, std::unique_ptr<Selection> selection, Listener& listener)
      : set_(set),
        path_(path),
        observer_(observer),
        sleep_(sleep),
        listener_(listener),
        frames_(observer, budget),
        expansion_(expander, path, observer, budget),
        choice_(std::move(selection), expansion_, frames_, sleep, *this) {}

  void run() {
    if (!blocks().has_room()) return observer_.end(Reason::memory);
    take_initial();  // L1
    search();
    observer_.exhausted();
  }

  /// Searches from a state, at this depth, that is already in the set and was counted before. May be called repeatedly.
  void run_from(const Word* root, Slot slot, std::uint64_t depth)
    requires ForgettingSet<Set>
  {
    if (!blocks().has_room()) return observer_.end(Reason::memory);
    const std::uint32_t place = expansion_.place_root(root, depth);
    prepare(place, 1);
    set_.pin(slot);
    if constexpr (is_annotated<Set>) listener_.rooted(set_.annotation(slot));
    if (!push(place, {hash_at(place), slot, {}})) return observer_.end(Reason::memory);
    list_successors(0, true);
    search();
  }

  std::uint64_t block_bytes() const { return expansion_.bytes(); }
  std::uint64_t frame_bytes() const { return frames_.bytes(); }

  // For Choice.
  Word hash_ahead(std::uint32_t place) {
    prepare(place, 1);
    return hash_at(place);
  }

 private:
  struct Frame {
    Word hash;  // of the state; 0 if no one needs to know whether it is on the path
    [[no_unique_address]] std::conditional_t<ForgettingSet<Set>, Slot, NoSlot> slot;
    [[no_unique_address]] typename Sleep::Frame sleep;
  };
  using Asleep = typename Sleep::Asleep;

  static constexpr std::size_t leaving_ahead = 6;  // number of states whose marks are fetched before they are left

  BlockStack& blocks() { return expansion_.blocks(); }
  Word* successor(std::uint32_t place) { return expansion_.successor(place); }
  /// The hash of a successor that was prepared in the set. If keys are hashes, the key is used.
  Word hash_at(std::uint32_t place) {
    return PathTable::hash_of(Set::keys_are_hashes ? blocks().keys()[place]
                                                   : hash_words(successor(place), expansion_.words()));
  }
  /// How many entries of the path's last state were taken or skipped.
  Taken taken() { return blocks().exhausted() ? all_taken : blocks().taken(); }

  void search() {
    while (observer_.running() && !path_.empty()) {  // L2
      if (!blocks().exhausted()) {
        take();  // L3
      } else {
        leave();  // L7
      }
    }
  }

  [[gnu::noinline]] void take_initial() {
    const std::uint32_t place = expansion_.place_initial();
    prepare(place, 1);
    meet(place, {}, no_event);
  }

  [[gnu::always_inline]] void take() {
    const std::uint32_t place = blocks().take();
    const EventId event = blocks().events()[place];
    if (event & fault_flag) [[unlikely]]
      return pass_over(place, event);
    expansion_.reach(place);
    const Asleep asleep = asleep_after(event);
    expansion_.fired(event);
    if constexpr (Sleep::sleeps)
      if (asleep.has_no_room()) [[unlikely]]
        return;  // the search has ended
    meet(place, asleep, event);
  }

  /// Takes an entry that leads to no state: it was left out, or it is a fault.
  [[gnu::noinline]] void pass_over(std::uint32_t place, EventId event) {
    if (event == left_out) return skip_left_out();
    expansion_.reach(place);
    asleep_after(event);
    expansion_.fault(event);
  }

  void skip_left_out() {
    ++observer_.counts.left_out;
    for (; !blocks().exhausted() && blocks().events()[blocks().next()] == left_out; blocks().take())
      ++observer_.counts.left_out;
  }

  /// The events asleep in the successor (L4).
  Asleep asleep_after(EventId event) {
    if constexpr (Sleep::sleeps) return sleep_.after(frames_.top().sleep, event & event_mask, frames_.top_index());
    return {};
  }

  auto visit(std::uint32_t place, EventId event) {
    if constexpr (ForgettingSet<Set>)
      return set_.visit(successor(place), blocks().keys()[place], event);
    else
      return set_.visit(successor(place), blocks().keys()[place]);
  }
  template <class Entry>
  static Slot slot_of(const Entry& entry) {
    if constexpr (ForgettingSet<Set>) return entry.slot;
    return no_slot;
  }

  [[gnu::always_inline]] void meet(std::uint32_t place, const Asleep& asleep, EventId event) {
    const auto entry = visit(place, event);
    listener_.met(expansion_, place, entry);
    switch (entry.insertion) {
      case Insertion::known:
        ++observer_.counts.matched;
        if constexpr (Sleep::sleeps) match(place, asleep, entry);
        break;
      case Insertion::fresh:
        if constexpr (Sleep::sleeps && is_annotated<Set>)
          entry.annotation() = sleep_.fresh_mark(frames_.next_index(), asleep);
        enter(place, asleep, slot_of(entry));
        break;
      case Insertion::no_room: observer_.end(lack()); break;
    }
  }

  Reason lack() const {
    if constexpr (ForgettingSet<Set>) return set_.lack();
    return Reason::memory;
  }

  [[gnu::always_inline]] void enter(std::uint32_t place, const Asleep& asleep, Slot slot) {
    ++observer_.counts.states;
    listener_.entered(successor(place), blocks().keys()[place]);
    if (!push(place, frame(place, asleep, slot))) return observer_.end(Reason::memory);
    observer_.deeper(expansion_.depth());
    observer_.entered(path_.top());
    list_successors(0, true);  // L5
  }

  template <class Entry>
  [[gnu::always_inline]] void match(std::uint32_t place, const Asleep& asleep, const Entry& entry) {
    if constexpr (is_annotated<Set>) {
      if (const auto woken = sleep_.match(frames_, hash_at(place), entry.annotation(), asleep))
        wake(place, *woken, slot_of(entry));
    } else {
      sleep_.match(frames_, hash_at(place));
    }
  }

  /// L6: enters a known state again.
  template <class Woken>
  void wake(std::uint32_t place, const Woken& woken, Slot slot) {
    if constexpr (ForgettingSet<Set>) set_.pin(slot);
    if (!push(place, {hash_at(place), slot, sleep_.frame_again(woken.asleep, woken.before)}))
      return observer_.end(Reason::memory);
    list_successors(0, false);
  }

  Frame frame(std::uint32_t place, const Asleep& asleep, Slot slot) {
    if constexpr (Sleep::sleeps) return {hash_at(place), slot, sleep_.frame(asleep)};
    return {choice_.selects() ? hash_at(place) : 0, slot, {}};
  }

  bool push(std::uint32_t place, const Frame& frame) {
    if (!path_.push(successor(place), taken()) || !frames_.push(frame)) return false;
    expansion_.advance(expansion_.steps_to(place));
    return true;
  }

  /// Lists the successors of the path's last state; `taken` of them were taken before. `fresh`: the state is entered
  /// for the first time.
  void list_successors(Taken taken, bool fresh) {
    const Listing listed = expansion_.list(taken, fresh);
    if (listed.has_flags && !observer_.running()) [[unlikely]]
      return;
    choose(taken, fresh, listed.has_flags);
  }

  /// Marks the entries that are not to be taken, and prepares the others in the set.
  [[gnu::always_inline]] void choose(Taken taken, bool fresh, bool has_flags) {
    if (fresh) listener_.listed(path_.top(), choice_.entries());
    if constexpr (Sleep::sleeps)
      sleep_.list(frames_.top().sleep, {blocks().events() + blocks().begin(), blocks().count()});
    const bool is_whole = choice_.takes_all(path_.top(), fresh, listener_);
    blocks().resume(taken);
    if (is_whole && !has_flags) {
      prepare(blocks().next(), blocks().count() - taken);
    } else {
      prepare_one_by_one();
    }
  }

  void prepare(std::uint32_t place, std::uint32_t count) {
    set_.prepare(successor(place), count, blocks().keys() + place);
  }

  /// Faults and entries that are left out are not passed to the set.
  void prepare_one_by_one() {
    for (std::uint32_t place = blocks().next(), end = blocks().begin() + blocks().count(); place < end; ++place)
      if (!(blocks().events()[place] & fault_flag)) prepare(place, 1);
  }

  void leave() {
    const Frame left = frames_.top();
    if constexpr (Sleep::sleeps) {
      fetch_mark_below(left.sleep.low);
      if constexpr (is_annotated<Set>)
        if (sleep_.is_resting(frames_)) sleep_.rest(mark(left.slot));
    }
    if constexpr (ForgettingSet<Set>) set_.unpin(left.slot);
    listener_.left();
    const Taken taken = path_.pop();
    frames_.pop();
    if constexpr (Sleep::sleeps) sleep_.left(frames_, left.sleep.low);
    expansion_.retreat();
    if (path_.empty() || taken == all_taken) return;
    if (blocks().live()) {
      blocks().resume(taken);
    } else {
      list_successors(taken, false);
    }
  }

  /// The mark of the path's last state.
  SleepMark& mark(Slot slot) {
    if constexpr (ForgettingSet<Set>)
      return set_.annotation(slot);
    else
      return scrimp::visit(set_, path_.top()).annotation();
  }

  /// If a state depends on one far below it on the stack, so does every state between them, and each is marked when it
  /// is left. Such a state was entered long ago, so its mark is prefetched.
  void fetch_mark_below(PathIndex low) {
    if constexpr (is_annotated<Set>) {
      if (frames_.height() <= leaving_ahead || low >= frames_.height() - leaving_ahead) return;
      const Frame& next = frames_[frames_.height() - leaving_ahead];
      if constexpr (ForgettingSet<Set>) {
        set_.fetch_annotation(next.slot);
      } else if constexpr (Set::keys_are_hashes) {
        set_.fetch(next.hash);
      }
    }
  }

  Set& set_;
  Path<fixed_words>& path_;
  Observer& observer_;
  Sleep& sleep_;
  Listener& listener_;
  PathFrames<Frame> frames_;
  PathExpansion<fixed_words> expansion_;
  Choice<SelectiveDepthFirst, fixed_words, Frame, Sleep> choice_;
};

}  // namespace scrimp
