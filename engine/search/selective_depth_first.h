// Depth-first search that may leave events out and may forget states: strict, as search/depth_first.h is.
//
//   1. Enter the initial state, with nothing asleep.
//   2. While the path is not empty, look at its last state:
//   3.   if it has an entry that is to be taken, take the first such entry;
//   4.     what is asleep in the successor is what is asleep here, with the events finished here, as far as they are
//          independent of the event taken;
//   5.     if the successor is not stored, enter it: to be taken is what the selection chooses and is not asleep;
//   6.     if it is stored and something that was asleep in it, but not for good, is awake now, enter it again: to be
//          taken is what woke up, and asleep in it for now is what was and is so;
//   7.   else leave the state: remove it from the path; the store may forget it.
//
// Selections: reduction/selection.h (HGP92, Algorithm 2 and section 5). Sleep sets: GHP92, section 3, and HGP92,
// Algorithm 3, whose conflict sets are sleep sets with the dependence of its Table I.
//
//   paper                            here
//   Sleep (GHP92), conflict sets     SleepingFrame::asleep
//   Stack, S                         path_; Frame::hash, to ask whether a state is on it
//   H, State_Space                   set_
//   "s' is not in Stack"             SleepingFrame::event_low == nowhere, in `Sleeping::on_path`
//   edges marked false               entries whose event is `left_out`
//
// Deviations. As printed, states are lost even where everything is stored (GHP92, Theorem 3.1 is false): an event
// sleeps because what it leads to was found elsewhere, and that search may have stopped at a state of the path whose
// own search is not finished and relies on the event's being asleep. So an event is asleep *for good* only where what
// was found by it rests on no state of the path: then all that it leads to, from here and from wherever it is still
// asleep, was visited, whatever is forgotten later. What was found rests on the path where it met a state of the path,
// a state in which something was asleep for now, or one that itself rested on the path when it was left (`low`,
// as in Tarjan's algorithm; a state of which it is not known on what it rests is taken to rest on the initial one).
// Else the event is asleep *for now*: that is stored with the states, and line 6 makes up for it, as in Godefroid's
// thesis (LNCS 1032, section 5.3). docs/decisions/0009 has the argument. `Sleeping::on_path` and
// `Sleeping::unconditional` are what was printed.
// The papers undo changes of one set on backtracking; here sets are values, and a frame keeps the numbers of its own.
// A state in which nothing is enabled is a deadlock whatever is asleep: lines 5 and 6 see all enabled events.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "core/machine.h"
#include "observe/distinct.h"
#include "observe/observer.h"
#include "reduction/relations.h"
#include "reduction/selection.h"
#include "run.h"
#include "search/auditor.h"
#include "search/expander.h"
#include "search/path.h"
#include "search/path_expansion.h"
#include "search/path_frames.h"
#include "search/path_table.h"
#include "search/sleep.h"
#include "store/path_set.h"

namespace scrimp {

/// `fixed_words` is the machine's number of words where the loop is compiled for it, else 0. Where nothing ever is
/// asleep, what is done for the sake of it is left out. Where states are `numbered`, which are those that nothing ever
/// is asleep in, their marks are their numbers, and transitions are written to `transcript`.
template <PathSet Set, std::uint32_t fixed_words, bool sleeps, bool numbered = false>
class SelectiveDepthFirst final : private Surroundings {
 public:
  SelectiveDepthFirst(Expander& expander, Set& set, Path<fixed_words>& path, Observer& observer, Budget& budget,
                      const Options& options, Transcript* transcript = nullptr)
      : set_(set),
        path_(path),
        observer_(observer),
        relations_(*options.relations),
        sleep_(sleeping(options.method.reduction), relations_, budget),
        selection_(make_selection(options.method.reduction, relations_)),
        frames_(budget),
        path_table_(budget),
        forgets_(std::holds_alternative<strategy::Cache>(options.method.store)),
        expansion_(expander, path, observer, budget),
        transcript_(transcript) {
    if (options.audit)
      auditor_.emplace(expander.machine(), relations_, has_proviso(options.method.reduction), observer, budget);
  }

  void run() {
    if (!blocks().has_room()) return observer_.end(Reason::memory);
    take_initial();  // L1
    search();
    observer_.exhausted();
  }

  /// Searches what a state leads to that is in the set and was counted before, at this depth. May be called again.
  void run_from(const Word* root, Slot slot, std::uint64_t depth) {
    if (!blocks().has_room()) return observer_.end(Reason::memory);
    const std::uint32_t place = expansion_.place_root(root, depth);
    prepare(place, 1);
    set_.put_on_path(slot);
    if (!push(place, frame(place, {}, slot))) return observer_.end(Reason::memory);
    list_successors(0, true);
    search();
  }

  std::uint64_t block_bytes() const { return expansion_.bytes(); }
  std::uint64_t frame_bytes() const { return frames_.bytes() + path_table_.bytes(); }
  std::uint64_t sleep_set_bytes() const { return sleep_.bytes(); }
  /// How many different states were entered: an estimate where some were forgotten and nothing is audited.
  double distinct_states() const {
    if (auditor_) return static_cast<double>(auditor_->states());
    return forgets_ ? distinct_.estimate() : static_cast<double>(set_.size());
  }
  /// What the audit found wrong; empty where that is nothing.
  std::string complaint() const { return auditor_ ? auditor_->complaint() : std::string(); }

 private:
  using PathFrame = std::conditional_t<sleeps, SleepingFrame, Frame>;

  /// In place of the event of an entry that is not to be taken.
  static constexpr EventId left_out = ~EventId{0};
  static constexpr std::size_t leaving_ahead = 6;     // states, whose marks are fetched before they are left
  static constexpr std::uint8_t kind_of_nothing = 5;  // the initial state is no transition's

  BlockStack& blocks() { return expansion_.blocks(); }
  const BlockStack& blocks() const { return expansion_.blocks(); }
  Word* successor(std::uint32_t place) { return expansion_.successor(place); }
  EventId event_at(std::uint32_t place) { return blocks().events()[place] & event_mask; }
  PathIndex index() const { return static_cast<PathIndex>(std::min<std::uint64_t>(path_.size() - 1, PathTable::far)); }
  /// Of the state that is put on the path next.
  PathIndex next_index() const { return static_cast<PathIndex>(std::min<std::uint64_t>(path_.size(), PathTable::far)); }
  /// Of a successor for which the set has worked ahead. Where keys are hashes there is no need for another.
  Word hash_at(std::uint32_t place) {
    return PathTable::hash_of(Set::keys_are_hashes ? blocks().keys()[place]
                                                   : hash_words(successor(place), expansion_.words()));
  }
  /// How many entries of the path's last state were taken or passed over.
  Taken taken() const { return blocks().exhausted() ? all_taken : blocks().taken(); }

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
    meet(place, {}, kind_of_nothing);
  }

  [[gnu::always_inline]] void take() {
    const std::uint32_t place = blocks().take();
    const EventId event = blocks().events()[place];
    if (event & fault_flag) [[unlikely]]
      return pass_over(place, event);
    expansion_.reach(place);
    const Asleep asleep = asleep_after(event & event_mask);
    expansion_.fired(event);
    if constexpr (sleeps)
      if (asleep.has_no_room()) [[unlikely]]
        return;  // the search has ended
    meet(place, asleep, relations_.kind[event & event_mask]);
  }

  /// An entry that leads to no state.
  [[gnu::noinline]] void pass_over(std::uint32_t place, EventId event) {
    if (event == left_out) return skip_left_out();
    expansion_.reach(place);
    asleep_after(event & event_mask);
    expansion_.fault(event);
  }

  void skip_left_out() {
    while (!blocks().exhausted() && blocks().events()[blocks().next()] == left_out) blocks().take();
  }

  /// What is asleep in the successor (L4).
  Asleep asleep_after(EventId event) {
    if constexpr (sleeps) {
      const Asleep asleep = sleep_.after(frames_.top(), event, index());
      if (asleep.has_no_room()) [[unlikely]]
        observer_.end(Reason::memory);
      return asleep;
    }
    return {};
  }

  [[gnu::always_inline]] void meet(std::uint32_t place, const Asleep& asleep, std::uint8_t kind) {
    const Entered entered = set_.enter(successor(place), blocks().keys()[place], kind);
    if constexpr (numbered) transcribe(place, entered);
    switch (entered.insertion) {
      case Insertion::known:
        ++observer_.counts.matched;
        if constexpr (sleeps) match(place, asleep, entered.slot);
        break;
      case Insertion::fresh:
        if constexpr (sleeps)
          if (sleep_.how() == Sleeping::stored) set_.mark(entered.slot) = Sleep::fresh_mark(next_index(), asleep);
        enter(place, asleep, entered.slot);
        break;
      case Insertion::no_room: observer_.end(set_.lack()); break;
    }
  }

  [[gnu::always_inline]] void enter(std::uint32_t place, const Asleep& asleep, Slot slot) {
    ++observer_.counts.states;
    if (forgets_) distinct_.add(blocks().keys()[place]);
    if (!push(place, frame(place, asleep, slot))) return observer_.end(Reason::memory);
    observer_.deeper(expansion_.depth());
    observer_.entered(path_.top());
    if (auditor_) [[unlikely]]
      auditor_->entered(path_.top());
    list_successors(0, true);  // L5
  }

  /// A state that was forgotten is another one when it is entered again.
  void transcribe(std::uint32_t place, const Entered& entered) {
    if (entered.insertion == Insertion::no_room) return;
    if (entered.insertion == Insertion::fresh) set_.mark(entered.slot) = transcript_->number(observer_.counts.states);
    if (path_.empty()) return;
    const StateNumber source = set_.mark_of(path_.top(), frames_.top().slot);
    transcript_->add(source, expansion_.label(place, *transcript_), set_.mark(entered.slot));
    if (!transcript_->may_go_on()) observer_.end(Reason::disk);
  }

  void match(std::uint32_t place, const Asleep& asleep, Slot slot) {
    switch (sleep_.how()) {
      case Sleeping::on_path: return sleep_.rest_on(frames_.top(), find_on_path(hash_at(place)));
      case Sleeping::stored: return match_stored(place, asleep, slot);
      default: return;
    }
  }

  [[gnu::always_inline]] void match_stored(std::uint32_t place, const Asleep& asleep, Slot slot) {
    Mark& mark = set_.mark(slot);
    const PathIndex on_path = confirmed(Sleep::place_in(mark), place);
    sleep_.rest_on(frames_.top(), on_path);
    if ((mark & Sleep::resting) == 0) return;
    sleep_.rest_on(frames_.top(), 0);
    const SleepSet before = Sleep::set_in(mark);
    if (before == SleepSets::empty) return;
    const SleepSet still = sleep_.intersection(before, asleep.for_now);
    if (still == SleepSets::no_room) return observer_.end(Reason::memory);
    mark = Sleep::with_place(on_path, Sleep::resting | still);
    if (sleep_.includes(asleep, before)) return;
    if (on_path == PathTable::nowhere) mark = Sleep::with_place(next_index(), mark);
    wake(place, {asleep.for_good, still}, slot, before);
  }

  /// Where a successor is on the path, if it is not somewhere else than where it was when it was last put there.
  PathIndex confirmed(PathIndex index, std::uint32_t place) {
    if (index >= PathTable::far) return index;
    return index < frames_.height() && frames_[index].hash == hash_at(place) ? index : PathTable::nowhere;
  }

  /// L6: enters a known state again, in which of the events that slept `before` some are awake.
  void wake(std::uint32_t place, const Asleep& asleep, Slot slot, SleepSet before) {
    set_.put_on_path(slot);
    SleepingFrame woken = frame(place, asleep, slot);
    woken.low = 0;
    woken.woken_of = before;
    if (!push(place, woken)) return observer_.end(Reason::memory);
    list_successors(0, false);
  }

  PathFrame frame(std::uint32_t place, const Asleep& asleep, Slot slot) {
    if constexpr (sleeps) {
      return sleep_.frame(hash_at(place), slot, asleep);
    } else {
      return {selection_ != nullptr ? hash_at(place) : 0, slot};
    }
  }

  bool push(std::uint32_t place, const PathFrame& frame) {
    if (!path_.push(successor(place), taken()) || !frames_.push(frame)) return false;
    expansion_.advance(expansion_.steps_to(place));
    return true;
  }

  /// Lists the successors of the path's last state; `taken` of them were taken before. It is `fresh` where the state is
  /// entered for the first time.
  void list_successors(Taken taken, bool fresh) {
    const Listing listed = expansion_.list(taken, fresh);
    if (listed.has_flags && !observer_.running()) [[unlikely]]
      return;
    choose(taken, fresh, listed.has_flags);
  }

  /// Leaves out what the selection does not choose and what is asleep, and lets the set work ahead for the rest.
  [[gnu::always_inline]] void choose(Taken taken, bool fresh, bool has_flags) {
    if (auditor_ && fresh) [[unlikely]]
      auditor_->listed(path_.top(), entries());
    if constexpr (sleeps) sleep_.list(frames_.top(), {blocks().events() + blocks().begin(), blocks().count()});
    const bool is_whole = is_taken_whole(fresh);
    blocks().resume(taken);
    if (is_whole && !has_flags) {
      prepare(blocks().next(), blocks().count() - taken);
    } else {
      prepare_one_by_one();
    }
  }

  /// Whether nothing was left out.
  bool is_taken_whole(bool fresh) {
    if constexpr (sleeps) {
      if (const SleepSet before = frames_.top().woken_of; before != SleepSets::empty) [[unlikely]]
        return leave_out([&](EventId event) { return !sleep_.contains(before, event); }), leave_out_asleep(), false;
    }
    const bool chooses = selection_ != nullptr && blocks().count() > 1 && leave_out_unchosen(fresh);
    return !leave_out_asleep() && !chooses;
  }

  template <class IsLeftOut>
  void leave_out(IsLeftOut is_left_out) {
    EventId* const events = blocks().events() + blocks().begin();
    for (std::uint32_t entry = 0; entry < blocks().count(); ++entry)
      if (events[entry] != left_out && is_left_out(events[entry] & event_mask)) events[entry] = left_out;
  }

  bool leave_out_asleep() {
    if constexpr (sleeps) {
      const Asleep asleep = frames_.top().at_first;
      if (!asleep.is_anything()) return false;
      leave_out([&](EventId event) { return sleep_.contains(asleep, event); });
      return true;
    }
    return false;
  }

  bool leave_out_unchosen(bool fresh) {
    const Entries listed = entries();
    if (chosen_.size() < listed.count) chosen_.resize(listed.count);
    if (!selection_->choose(path_.top(), listed, *this, chosen_.data())) return false;
    if (auditor_ && fresh) [[unlikely]]
      auditor_->chosen(path_.top(), listed, chosen_.data(), *this);
    EventId* const events = blocks().events() + blocks().begin();
    for (std::uint32_t entry = 0; entry < listed.count; ++entry)
      if (chosen_[entry] == 0) events[entry] = left_out;
    return true;
  }

  Entries entries() { return {successor(blocks().begin()), blocks().events() + blocks().begin(), blocks().count()}; }

  bool is_on_path(std::uint32_t entry) override {
    prepare(blocks().begin() + entry, 1);
    return find_on_path(hash_at(blocks().begin() + entry)) != PathTable::nowhere;
  }
  bool is_asleep(std::uint32_t entry) override {
    if constexpr (sleeps) return sleep_.contains(frames_.top().at_first, event_at(blocks().begin() + entry));
    return false;
  }

  /// The table of the path is brought up to date when it is asked: few states may ever be looked for in it. Where there
  /// is no room for it, everything may be at the path's beginning.
  PathIndex find_on_path(Word hashed) {
    while (path_table_.size() < frames_.height()) {
      const std::size_t next = path_table_.size();
      if (path_table_.add(frames_[next].hash, static_cast<PathIndex>(std::min<std::size_t>(next, PathTable::far))))
        continue;
      observer_.end(Reason::memory);
      return 0;
    }
    return path_table_.find(hashed);
  }

  void prepare(std::uint32_t place, std::uint32_t count) {
    set_.prepare(successor(place), count, blocks().keys() + place);
  }

  /// What is no state, or not to be taken, is not shown to the set.
  void prepare_one_by_one() {
    for (std::uint32_t place = blocks().next(), end = blocks().begin() + blocks().count(); place < end; ++place)
      if (!(blocks().events()[place] & fault_flag)) prepare(place, 1);
  }

  void leave() {
    const PathFrame left = frames_.top();
    if constexpr (sleeps) {
      fetch_mark_below(left.low);
      if (left.low < index()) set_.mark_of(path_.top(), left.slot) |= Sleep::resting;
    }
    set_.leave_path(left.slot);
    if (path_table_.size() == frames_.height()) path_table_.remove(left.hash, index());
    const Taken taken = path_.pop();
    frames_.pop();
    if constexpr (sleeps)
      if (sleep_.how() == Sleeping::stored && !path_.empty()) sleep_.rest_on(frames_.top(), left.low);
    expansion_.retreat();
    if (path_.empty() || taken == all_taken) return;
    if (blocks().live()) {
      blocks().resume(taken);
    } else {
      list_successors(taken, false);
    }
  }

  /// Where a state rests on one far below, so does every state in between, and is marked as such when it is left. It
  /// was entered long ago: its mark is fetched ahead.
  void fetch_mark_below(PathIndex low) {
    if (frames_.height() <= leaving_ahead || low >= frames_.height() - leaving_ahead) return;
    const SleepingFrame& next = frames_[frames_.height() - leaving_ahead];
    set_.fetch_mark(next.hash, next.slot);
  }

  Set& set_;
  Path<fixed_words>& path_;
  Observer& observer_;
  const Relations& relations_;
  Sleep sleep_;
  const std::unique_ptr<Selection> selection_;
  PathFrames<PathFrame> frames_;
  PathTable path_table_;
  const bool forgets_;
  PathExpansion<fixed_words> expansion_;
  Transcript* const transcript_;
  Distinct distinct_;
  std::optional<Auditor<fixed_words>> auditor_;
  std::vector<std::uint8_t> chosen_;
};

}  // namespace scrimp
