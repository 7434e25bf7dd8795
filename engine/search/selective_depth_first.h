// Depth-first search that may leave events out and may forget states: strict, as search/depth_first.h is.
//
//   1. Enter the initial state, with nothing asleep.
//   2. While the path is not empty, look at its last state:
//   3.   if its agenda is not empty, take the first entry of it;
//   4.     what is asleep in the successor is what is asleep here, with the events finished here, as far as they are
//          independent of the event taken;
//   5.     if the successor is not stored, enter it: its agenda is what the selection chooses and is not asleep;
//   6.     if it is stored and something that was asleep in it, but not for good, is awake now, enter it again: its
//          agenda is what woke up, and asleep in it for now is what was and is so;
//   7.   else leave the state: remove it from the path; the store may forget it.
//
// Selections: reduction/selection.h (HGP92, Algorithm 2 and section 5). Sleep sets: GHP92, section 3, and HGP92,
// Algorithm 3, whose conflict sets are sleep sets with the dependence of its Table I.
//
//   paper                            here
//   Sleep (GHP92), conflict sets     Frame::for_good, Frame::for_now
//   Stack, S                         path_; Frame::hash, to ask whether a state is on it
//   H, State_Space                   set_
//   "s' is not in Stack"             Frame::event_low == nowhere, in `Sleeping::on_path`
//   eligible edges                   agenda_
//
// Deviations. As printed, states are lost even where everything is stored (GHP92, Theorem 3.1 is false): an event
// sleeps because what it leads to was found elsewhere, and that search may have stopped at a state of the path whose
// own search is not finished and relies on the event's being asleep. So an event is asleep *for good* only where what
// was found by it rests on no state of the path: then all that it leads to, from here and from wherever it is still
// asleep, was visited, whatever is forgotten later. What was found rests on the path where it met a state of the path,
// a state in which something was asleep for now, or one that itself rested on the path when it was left (`Frame::low`,
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
#include <vector>

#include "core/machine.h"
#include "observe/distinct.h"
#include "observe/observer.h"
#include "reduction/audit.h"
#include "reduction/relations.h"
#include "reduction/selection.h"
#include "reduction/sleep_sets.h"
#include "run.h"
#include "search/agenda.h"
#include "search/block_stack.h"
#include "search/expander.h"
#include "search/path.h"
#include "search/path_table.h"
#include "search/step_stack.h"
#include "store/path_set.h"
#include "store/plain_set.h"

namespace scrimp {

/// `fixed_words` is the machine's number of words where the loop is compiled for it, else 0.
template <PathSet Set, std::uint32_t fixed_words>
class SelectiveDepthFirst final : private Surroundings {
 public:
  SelectiveDepthFirst(Expander& expander, Set& set, Path<fixed_words>& path, Observer& observer, Budget& budget,
                      const Options& options)
      : expander_(expander),
        set_(set),
        path_(path),
        observer_(observer),
        budget_(budget),
        relations_(*options.relations),
        sleeping_(options.reduction.sleeping),
        sleep_sets_(relations_, budget),
        selection_(make_selection(options.reduction.selecting, options.reduction.proviso, relations_)),
        agenda_(budget),
        path_table_(budget),
        forgets_(options.cache.has_value()),
        has_proviso_(options.reduction.proviso),
        blocks_(budget, expander.machine(), counts_steps(expander.machine())),
        steps_(budget) {
    if (!options.reduction.audit) return;
    audit_.emplace(expander.machine(), relations_, has_proviso_, budget);
    all_states_.emplace(expander.machine(), budget);
  }

  void run() {
    if (!blocks_.has_room()) return observer_.end(Reason::memory);
    take_initial();                                  // L1
    while (observer_.running() && !path_.empty()) {  // L2
      if (const std::uint32_t entry = agenda_.take(); entry != AgendaStack::none) {
        take(entry);  // L3
      } else {
        leave();  // L7
      }
    }
    observer_.exhausted();
  }

  std::uint64_t block_bytes() const { return blocks_.bytes() + steps_.bytes() + expander_.passage().bytes(); }
  std::uint64_t agenda_bytes() const { return agenda_.bytes() + path_table_.bytes(); }
  std::uint64_t sleep_set_bytes() const { return sleep_sets_.bytes(); }
  /// How many different states were entered: an estimate where some were forgotten and nothing is audited.
  double distinct_states() const {
    if (all_states_) return static_cast<double>(all_states_->size());
    return forgets_ ? distinct_.estimate() : static_cast<double>(set_.size());
  }
  /// What the audit found wrong; empty where that is nothing.
  const std::string& complaint() const { return complaint_; }

 private:
  static constexpr std::uint64_t transitions_per_pulse = 4096;

  // A mark, where sleep sets are stored:
  //
  //     place on the path | resting | what sleeps for now
  //     32 bits           | 1       | 31
  //
  // `resting`: what was found from the state rested on the path when it was left, or something in it sleeps for now.
  // The place is that of the state, if it is on the path: whether it is, the frame at this place tells.
  static constexpr Mark resting = Mark{1} << 31;
  static constexpr unsigned place_shift = 32;
  static SleepSet set_in(Mark mark) { return static_cast<SleepSet>(mark & (resting - 1)); }
  static Mark mark_with(PathIndex place, Mark rest) {
    return Mark{place} << place_shift | (rest & ((Mark{1} << place_shift) - 1));
  }

  std::uint32_t words() const { return fixed_words != 0 ? fixed_words : expander_.machine().words; }
  Word* successor(std::uint32_t place) { return blocks_.states() + std::size_t{place} * words(); }
  EventId event_at(std::uint32_t place) { return blocks_.events()[place] & event_mask; }
  std::uint64_t depth() const { return path_.size() - 1 + surplus_; }
  bool sleeps() const { return sleeping_ != Sleeping::none; }
  PathIndex index() const { return static_cast<PathIndex>(std::min<std::uint64_t>(path_.size() - 1, PathTable::far)); }
  /// Of the state that is put on the path next.
  PathIndex next_index() const { return static_cast<PathIndex>(std::min<std::uint64_t>(path_.size(), PathTable::far)); }
  Word hash_at(std::uint32_t place) { return PathTable::hash(successor(place), words()); }

  /// What is asleep in a state.
  struct Asleep {
    SleepSet for_good = SleepSets::empty;
    SleepSet for_now = SleepSets::empty;
  };
  bool contains(const Asleep& asleep, EventId event) const {
    return sleep_sets_.contains(asleep.for_good, event) || sleep_sets_.contains(asleep.for_now, event);
  }

  static bool counts_steps(const Machine& machine) {
    return machine.holders != nullptr || machine.offers != nullptr || machine.steps != nullptr;
  }

  [[gnu::noinline]] void take_initial() {
    const std::uint32_t place = blocks_.prepare();
    expander_.machine().initial(successor(place));
    if (blocks_.keeps_steps()) blocks_.steps()[place] = 1;
    prepare(place, 1);
    meet(place, all_taken, {}, kind_of_nothing);
  }

  [[gnu::always_inline]] void take(std::uint32_t entry) {
    const std::uint32_t place = blocks_.begin() + entry;
    const EventId event = blocks_.events()[place];
    if (blocks_.keeps_steps()) reach(blocks_.steps()[place]);
    const Asleep asleep = sleeps() ? asleep_after(event & event_mask) : Asleep{};
    if (event & fault_flag) [[unlikely]]
      return take_fault(event, entry);
    fired(event);
    meet(place, entry + 1 == blocks_.count() ? all_taken : entry + 1, asleep, relations_.kind[event & event_mask]);
  }

  void reach(std::uint32_t steps) {
    if (steps > 1) observer_.deeper(depth() + steps - 1);
  }

  void fired(EventId event) {
    observer_.fired(event);
    if (observer_.counts.transitions % transitions_per_pulse == 0) pulse();
  }

  [[gnu::noinline]] void take_fault(EventId event, std::uint32_t entry) {
    if (is_transition(event)) fired(event);
    observer_.fault(path_.top(), event,
                    [&](std::vector<EventId>& way) { return expander_.list(path_.top(), entry, way); });
  }

  /// What is asleep in the successor (L4).
  Asleep asleep_after(EventId event) {
    Frame& frame = agenda_.top();
    if (frame.event != event) {
      if (frame.event != Frame::no_event) finish_event(frame);
      frame.event = event;
      frame.event_low = PathTable::nowhere;
    }
    const Asleep asleep{sleep_sets_.after(frame.for_good, event), sleep_sets_.after(frame.for_now, event)};
    if (asleep.for_good == SleepSets::no_room || asleep.for_now == SleepSets::no_room) observer_.end(Reason::memory);
    return asleep;
  }

  /// All entries of the event were taken: it falls asleep.
  void finish_event(Frame& frame) {
    SleepSet* set = &frame.for_good;
    switch (sleeping_) {
      case Sleeping::stored:
        if (frame.event_low <= index()) set = &frame.for_now;
        break;
      case Sleeping::on_path:
        if (frame.event_low != PathTable::nowhere) return;
        break;
      default: break;
    }
    *set = sleep_sets_.with(*set, frame.event);
    if (*set == SleepSets::no_room) observer_.end(Reason::memory);
  }

  /// What the event at hand found rests on a state of the path.
  void rest_on(PathIndex low) {
    Frame& frame = agenda_.top();
    frame.event_low = std::min(frame.event_low, low);
    if (sleeping_ == Sleeping::stored) frame.low = std::min(frame.low, low);
  }

  [[gnu::always_inline]] void meet(std::uint32_t place, Taken taken, const Asleep& asleep, std::uint8_t kind) {
    const Entered entered = set_.enter(successor(place), blocks_.keys()[place], kind);
    switch (entered.insertion) {
      case Insertion::known:
        ++observer_.counts.matched;
        if (sleeps()) match(place, taken, asleep, entered.slot);
        break;
      case Insertion::fresh:
        if (sleeping_ == Sleeping::stored) set_.mark(entered.slot) = fresh_mark(asleep);
        enter(place, taken, asleep, entered.slot);
        break;
      case Insertion::no_room: observer_.end(set_.lack()); break;
    }
  }

  [[gnu::always_inline]] void enter(std::uint32_t place, Taken taken, const Asleep& asleep, Slot slot) {
    ++observer_.counts.states;
    if (forgets_) distinct_.add(hash_at(place));
    if (!push(place, taken, asleep, slot)) return observer_.end(Reason::memory);
    observer_.deeper(depth());
    observer_.entered(path_.top());
    if (all_states_) note_for_audit();
    if (list_successors(true)) choose_agenda();  // L5
  }

  Mark fresh_mark(const Asleep& asleep) const {
    const Mark sleeping = asleep.for_now == SleepSets::empty ? 0 : asleep.for_now | resting;
    return mark_with(next_index(), sleeping);
  }

  void match(std::uint32_t place, Taken taken, const Asleep& asleep, Slot slot) {
    switch (sleeping_) {
      case Sleeping::on_path: return rest_on(find_on_path(hash_at(place)));
      case Sleeping::stored: return match_stored(place, taken, asleep, slot);
      default: return;
    }
  }

  [[gnu::always_inline]] void match_stored(std::uint32_t place, Taken taken, const Asleep& asleep, Slot slot) {
    Mark& mark = set_.mark(slot);
    const PathIndex on_path = confirmed(static_cast<PathIndex>(mark >> place_shift), place);
    rest_on(on_path);
    if ((mark & resting) == 0) return;
    rest_on(0);
    const SleepSet before = set_in(mark);
    if (before == SleepSets::empty) return;
    const SleepSet still = sleep_sets_.intersection(before, asleep.for_now);
    if (still == SleepSets::no_room) return observer_.end(Reason::memory);
    mark = mark_with(on_path, resting | still);
    if (sleep_sets_.includes(asleep.for_good, asleep.for_now, before)) return;
    if (on_path == PathTable::nowhere) mark = mark_with(next_index(), mark);
    wake(place, taken, {asleep.for_good, still}, slot, before);
  }

  /// Where a successor is on the path, if it is not somewhere else than where it was when it was last put there.
  PathIndex confirmed(PathIndex index, std::uint32_t place) {
    if (index >= PathTable::far) return index;
    return index < agenda_.height() && agenda_[index].hash == hash_at(place) ? index : PathTable::nowhere;
  }

  /// L6: enters a known state again, in which of the events that slept `before` some are awake.
  void wake(std::uint32_t place, Taken taken, const Asleep& asleep, Slot slot, SleepSet before) {
    set_.put_on_path(slot);
    if (!push(place, taken, asleep, slot)) return observer_.end(Reason::memory);
    agenda_.top().low = 0;
    if (!list_successors(false)) return;
    for (std::uint32_t entry = 0; entry < blocks_.count(); ++entry) {
      const EventId event = event_at(blocks_.begin() + entry);
      if (!sleep_sets_.contains(before, event) || contains(asleep, event)) agenda_.drop(entry);
    }
    prepare_agenda();
  }

  bool push(std::uint32_t place, Taken taken, const Asleep& asleep, Slot slot) {
    const PathIndex low = asleep.for_now == SleepSets::empty ? PathTable::nowhere : 0;
    if (!path_.push(successor(place), taken) ||
        !agenda_.push({hash_at(place), slot, 0, asleep.for_good, asleep.for_now, low}))
      return false;
    if (blocks_.keeps_steps()) advance(blocks_.steps()[place]);
    return true;
  }

  void advance(std::uint32_t steps) {
    surplus_ += std::uint64_t{steps} - 1;
    if (!observer_.at_depth_limit(depth())) observer_.met(path_.top(), anybody, depth());
    if (!steps_.push(steps)) observer_.end(Reason::memory);
  }

  void retreat() { surplus_ -= std::uint64_t{steps_.pop()} - 1; }

  /// Puts the successors of the path's last state on the stack of blocks, and all of them on its agenda where it is
  /// entered. Returns false where the search has ended.
  bool list_successors(bool fresh) { return list_block(fresh) && open_agenda(); }

  bool open_agenda() {
    if (agenda_.open(blocks_.count())) return true;
    observer_.end(Reason::memory);
    return false;
  }

  bool list_block(bool fresh) {
    const std::uint32_t place = blocks_.prepare();
    Expansion expansion = expander_.expand(path_.top(), successor(place), blocks_.events() + place);
    if (expansion.count == 0) {
      if (fresh) observer_.dead_end(path_.top());
    } else if (observer_.at_depth_limit(depth())) {
      observer_.cut();
      expansion = {};
    }
    if (leads_on(expansion)) [[unlikely]]
      return pass(place, expansion, fresh);
    blocks_.push(expansion.count, 0);
    if (blocks_.keeps_steps()) write_steps(place, expansion.count);
    return expansion.flags == 0 || look_for_misfits(place, expansion.count, false);
  }

  void write_steps(std::uint32_t place, std::uint32_t count) {
    for (std::uint32_t i = place; i < place + count; ++i) blocks_.steps()[i] = expander_.steps(blocks_.events()[i]);
  }

  [[gnu::noinline]] bool pass(std::uint32_t place, const Expansion& expansion, bool fresh) {
    const Escort escort{&observer_, fresh, depth()};
    const Passage& passage = expander_.passage();
    if (!expander_.pass(path_.top(), expansion, successor(place), blocks_.events() + place, escort) ||
        !blocks_.prepare(passage.count(), place)) {
      observer_.end(Reason::memory);
      return false;
    }
    const std::uint32_t count = passage.count();
    std::copy_n(passage.states(), std::size_t{count} * words(), successor(place));
    std::copy_n(passage.events(), count, blocks_.events() + place);
    blocks_.push(count, 0);
    if (blocks_.keeps_steps()) std::copy_n(passage.steps(), count, blocks_.steps() + place);
    return passage.flags() == 0 || look_for_misfits(place, count, true);
  }

  [[gnu::noinline]] bool look_for_misfits(std::uint32_t place, std::uint32_t count, bool passed) {
    for (std::uint32_t i = place; i < place + count; ++i)
      if (const EventId event = blocks_.events()[i]; event & misfit_flag)
        observer_.misfit(passed ? successor(i) : path_.top(), event);
    return observer_.running();
  }

  /// What the selection chooses and is not asleep.
  void choose_agenda() {
    if (audit_ && blocks_.count() > 1) audit_independence();
    if (selection_ != nullptr && blocks_.count() > 1) drop_unchosen();
    if (const Asleep asleep = asleep_here(); asleep.for_good != SleepSets::empty || asleep.for_now != SleepSets::empty)
      for (std::uint32_t entry = 0; entry < blocks_.count(); ++entry)
        if (contains(asleep, event_at(blocks_.begin() + entry))) agenda_.drop(entry);
    prepare_agenda();
  }

  void drop_unchosen() {
    chosen_.resize(blocks_.count());
    const Entries listed = entries();
    if (!selection_->choose(path_.top(), listed, *this, chosen_.data())) return;
    if (audit_) audit_choice(listed);
    for (std::uint32_t entry = 0; entry < listed.count; ++entry)
      if (chosen_[entry] == 0) agenda_.drop(entry);
  }

  Entries entries() { return {successor(blocks_.begin()), blocks_.events() + blocks_.begin(), blocks_.count()}; }

  [[gnu::noinline]] void note_for_audit() {
    if (all_states_->insert(path_.top()) == Insertion::no_room) observer_.end(Reason::memory);
  }

  [[gnu::noinline]] void audit_independence() { complain(audit_->of_independence(path_.top(), entries())); }

  [[gnu::noinline]] void audit_choice(const Entries& entries) {
    complain(audit_->of_choice(path_.top(), entries, chosen_.data()));
    if (has_proviso_) complain(audit_->of_proviso(entries, chosen_.data(), *this));
  }

  void complain(const Complaint& complaint) {
    if (!complaint) return;
    if (complaint_.empty()) complaint_ = *complaint;
    observer_.end(Reason::audit);
  }

  Asleep asleep_here() { return {agenda_.top().for_good, agenda_.top().for_now}; }

  bool is_on_path(std::uint32_t entry) override {
    return find_on_path(hash_at(blocks_.begin() + entry)) != PathTable::nowhere;
  }
  bool is_asleep(std::uint32_t entry) override { return contains(asleep_here(), event_at(blocks_.begin() + entry)); }

  /// The table of the path is brought up to date when it is asked: few states may ever be looked for in it. Where there
  /// is no room for it, everything may be at the path's beginning.
  PathIndex find_on_path(Word hashed) {
    while (path_table_.size() < agenda_.height()) {
      const std::size_t next = path_table_.size();
      if (path_table_.add(agenda_[next].hash, static_cast<PathIndex>(std::min<std::size_t>(next, PathTable::far))))
        continue;
      observer_.end(Reason::memory);
      return 0;
    }
    return path_table_.find(hashed);
  }

  /// Lets the set work ahead for what is to be taken. What is no state is not shown to it.
  void prepare_agenda() {
    const std::uint32_t begin = blocks_.begin();
    agenda_.for_each([&](std::uint32_t entry) {
      if (!(blocks_.events()[begin + entry] & fault_flag)) prepare(begin + entry, 1);
    });
  }

  void prepare(std::uint32_t place, std::uint32_t count) {
    set_.prepare(successor(place), count, blocks_.keys() + place);
  }

  void leave() {
    const Frame left = agenda_.top();
    if (left.low < index()) set_.mark_of(path_.top(), left.slot) |= resting;
    set_.leave_path(left.slot);
    if (path_table_.size() == agenda_.height()) path_table_.remove(left.hash, index());
    path_.pop();
    agenda_.pop();
    if (sleeping_ == Sleeping::stored && !path_.empty()) rest_on(left.low);
    if (blocks_.keeps_steps()) retreat();
    blocks_.pop();
    if (path_.empty() || agenda_.finished()) return;
    if (!blocks_.live() && list_block(false)) prepare_agenda();
  }

  void pulse() { observer_.pulse(depth(), path_.size() - 1, budget_.held()); }

  static constexpr std::uint8_t kind_of_nothing = 5;  // the initial state is no transition's

  Expander& expander_;
  Set& set_;
  Path<fixed_words>& path_;
  Observer& observer_;
  Budget& budget_;
  const Relations& relations_;
  const Sleeping sleeping_;
  SleepSets sleep_sets_;
  const std::unique_ptr<Selection> selection_;
  AgendaStack agenda_;
  PathTable path_table_;
  const bool forgets_;
  const bool has_proviso_;
  BlockStack blocks_;
  StepStack steps_;            // to the states of the path, where blocks keep steps
  std::uint64_t surplus_ = 0;  // steps beyond one for each state, modulo 2^64: they may be fewer
  Distinct distinct_;
  std::optional<Audit> audit_;
  std::optional<PlainSet<fixed_words>> all_states_;  // that were entered, where there is an audit
  std::string complaint_;
  std::vector<std::uint8_t> chosen_;
};

}  // namespace scrimp
