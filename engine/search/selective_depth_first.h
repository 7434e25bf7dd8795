// Depth-first search that may leave events out and may forget states: strict, as search/depth_first.h is.
//
//   1. Enter the initial state, with nothing asleep.
//   2. While the path is not empty, look at its last state:
//   3.   if its agenda is not empty, take the first entry of it;
//   4.     what is asleep in the successor is what is asleep here, with the events finished here, as far as they are
//          independent of the event taken;
//   5.     if the successor is not stored, enter it: its agenda is what the selection chooses and is not asleep;
//   6.     if it is stored and something that was asleep in it is awake now, enter it again: its agenda is what woke
//   up;
//          asleep in it is from now on what was asleep both times;
//   7.   else leave the state: remove it from the path; the store may forget it.
//
// Selections: reduction/selection.h (HGP92, Algorithm 2 and section 5). Sleep sets: GHP92, section 3, and HGP92,
// Algorithm 3, whose conflict sets are sleep sets with a finer dependence.
//
//   paper                            here
//   Sleep (GHP92), conflict sets     Frame::asleep
//   Stack, S                         path_, path_table_
//   H, State_Space                   set_
//   "s' is not in Stack"             !Frame::met_path
//   eligible edges                   agenda
//
// Deviations. Line 6 is not in the papers: without it states are lost, even where everything is stored (GHP92, Theorem
// 3.1 is false). It is how Godefroid's thesis (LNCS 1032, section 5.3) corrects it; there, as here, it replaces the
// rule "if s' is not in Stack, then add t to Sleep". `Sleeping::on_path` and `Sleeping::unconditional` are what was
// printed. The papers undo changes of one set on backtracking; here sets are values, and a frame keeps the number of
// its own. A state in which nothing is enabled is a deadlock whatever is asleep: lines 5 and 6 see all enabled events.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/machine.h"
#include "observe/distinct.h"
#include "observe/observer.h"
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
        keeps_path_table_(sleeping_ == Sleeping::on_path || (selection_ != nullptr && options.reduction.proviso)),
        forgets_(options.cache.has_value()),
        blocks_(budget, expander.machine(), counts_steps(expander.machine())),
        steps_(budget) {}

  void run() {
    if (!blocks_.has_room()) return observer_.end(Reason::memory);
    take_initial();                                  // L1
    while (observer_.running() && !path_.empty()) {  // L2
      if (!agenda_.finished()) {
        take();  // L3
      } else {
        leave();  // L7
      }
    }
    observer_.exhausted();
  }

  std::uint64_t block_bytes() const { return blocks_.bytes() + steps_.bytes() + expander_.passage().bytes(); }
  std::uint64_t agenda_bytes() const { return agenda_.bytes() + path_table_.bytes(); }
  std::uint64_t sleep_set_bytes() const { return sleep_sets_.bytes(); }
  /// How many different states were entered.
  double distinct_states() const { return forgets_ ? distinct_.estimate() : static_cast<double>(set_.size()); }

 private:
  static constexpr std::uint64_t transitions_per_pulse = 4096;

  std::uint32_t words() const { return fixed_words != 0 ? fixed_words : expander_.machine().words; }
  Word* successor(std::uint32_t place) { return blocks_.states() + std::size_t{place} * words(); }
  EventId event_at(std::uint32_t place) { return blocks_.events()[place] & event_mask; }
  std::uint64_t depth() const { return path_.size() - 1 + surplus_; }
  bool sleeps() const { return sleeping_ != Sleeping::none; }

  static bool counts_steps(const Machine& machine) {
    return machine.holders != nullptr || machine.offers != nullptr || machine.steps != nullptr;
  }

  [[gnu::noinline]] void take_initial() {
    const std::uint32_t place = blocks_.prepare();
    expander_.machine().initial(successor(place));
    if (blocks_.keeps_steps()) blocks_.steps()[place] = 1;
    prepare(place, 1);
    meet(place, all_taken, SleepSets::empty, kind_of_nothing);
  }

  [[gnu::always_inline]] void take() {
    const std::uint32_t entry = agenda_.take();
    const std::uint32_t place = blocks_.begin() + entry;
    const EventId event = blocks_.events()[place];
    if (blocks_.keeps_steps()) reach(blocks_.steps()[place]);
    const SleepSet asleep = sleeps() ? fall_asleep(entry, place) : SleepSets::empty;
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

  /// What is asleep in the successor (L4). The event itself is asleep in what is entered after its last entry.
  SleepSet fall_asleep(std::uint32_t entry, std::uint32_t place) {
    const EventId event = event_at(place);
    Frame& frame = agenda_.top();
    const SleepSet asleep = sleep_sets_.after(frame.asleep, event);
    if (sleeping_ == Sleeping::on_path) frame.met_path = frame.met_path || is_on_path(entry);
    if (entry + 1 == blocks_.count() || event_at(place + 1) != event) {
      if (!frame.met_path) frame.asleep = sleep_sets_.with(frame.asleep, event);
      frame.met_path = false;
    }
    if (asleep == SleepSets::no_room || frame.asleep == SleepSets::no_room) observer_.end(Reason::memory);
    return asleep;
  }

  [[gnu::always_inline]] void meet(std::uint32_t place, Taken taken, SleepSet asleep, std::uint8_t kind) {
    const Entered entered = set_.enter(successor(place), blocks_.keys()[place], kind);
    switch (entered.insertion) {
      case Insertion::known:
        ++observer_.counts.matched;
        if (sleeping_ == Sleeping::stored) wake(place, taken, asleep, entered.slot);
        break;
      case Insertion::fresh:
        if (sleeping_ == Sleeping::stored) set_.mark(entered.slot) = asleep;
        enter(place, taken, asleep, entered.slot);
        break;
      case Insertion::no_room: observer_.end(set_.lack()); break;
    }
  }

  [[gnu::always_inline]] void enter(std::uint32_t place, Taken taken, SleepSet asleep, Slot slot) {
    ++observer_.counts.states;
    if (forgets_) distinct_.add(PathTable::hash(successor(place), words()));
    if (!push(place, taken, asleep, slot)) return observer_.end(Reason::memory);
    observer_.deeper(depth());
    observer_.entered(path_.top());
    if (list_successors(true)) choose_agenda();  // L5
  }

  /// L6: enters a known state again where something in it is awake that was not when it was entered before.
  void wake(std::uint32_t place, Taken taken, SleepSet asleep, Slot slot) {
    Mark& mark = set_.mark(slot);
    if (mark == SleepSets::empty || sleep_sets_.includes(asleep, mark)) return;
    const SleepSet before = mark;
    const SleepSet both = sleep_sets_.intersection(before, asleep);
    if (both == SleepSets::no_room) return observer_.end(Reason::memory);
    mark = both;
    set_.put_on_path(slot);
    if (!push(place, taken, both, slot)) return observer_.end(Reason::memory);
    if (!list_successors(false)) return;
    for (std::uint32_t entry = 0; entry < blocks_.count(); ++entry) {
      const EventId event = event_at(blocks_.begin() + entry);
      if (!sleep_sets_.contains(before, event) || sleep_sets_.contains(both, event)) agenda_.drop(entry);
    }
    prepare_agenda();
  }

  bool push(std::uint32_t place, Taken taken, SleepSet asleep, Slot slot) {
    if (!path_.push(successor(place), taken) || !agenda_.push(slot, asleep)) return false;
    if (keeps_path_table_ && !path_table_.add(PathTable::hash(path_.top(), words()))) return false;
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
    if (selection_ != nullptr && blocks_.count() > 1) drop_unchosen();
    if (const SleepSet asleep = agenda_.top().asleep; asleep != SleepSets::empty)
      for (std::uint32_t entry = 0; entry < blocks_.count(); ++entry)
        if (sleep_sets_.contains(asleep, event_at(blocks_.begin() + entry))) agenda_.drop(entry);
    prepare_agenda();
  }

  void drop_unchosen() {
    chosen_.resize(blocks_.count());
    const Entries entries{successor(blocks_.begin()), blocks_.events() + blocks_.begin(), blocks_.count()};
    if (!selection_->choose(path_.top(), entries, *this, chosen_.data())) return;
    for (std::uint32_t entry = 0; entry < entries.count; ++entry)
      if (chosen_[entry] == 0) agenda_.drop(entry);
  }

  bool is_on_path(std::uint32_t entry) override {
    return path_table_.contains(PathTable::hash(successor(blocks_.begin() + entry), words()));
  }
  bool is_asleep(std::uint32_t entry) override {
    return sleep_sets_.contains(agenda_.top().asleep, event_at(blocks_.begin() + entry));
  }

  /// Lets the set work ahead for what is to be taken, a stretch at a time. What is no state is not shown to it.
  void prepare_agenda() {
    for (std::uint32_t entry = 0; entry < blocks_.count(); ++entry)
      if (agenda_.is_open(entry) && !(blocks_.events()[blocks_.begin() + entry] & fault_flag))
        prepare(blocks_.begin() + entry, 1);
  }

  void prepare(std::uint32_t place, std::uint32_t count) {
    set_.prepare(successor(place), count, blocks_.keys() + place);
  }

  void leave() {
    set_.leave_path(agenda_.top().slot);
    if (keeps_path_table_) path_table_.remove(PathTable::hash(path_.top(), words()));
    path_.pop();
    agenda_.pop();
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
  const bool keeps_path_table_;
  const bool forgets_;
  BlockStack blocks_;
  StepStack steps_;            // to the states of the path, where blocks keep steps
  std::uint64_t surplus_ = 0;  // steps beyond one for each state, modulo 2^64: they may be fewer
  Distinct distinct_;
  std::vector<std::uint8_t> chosen_;
};

}  // namespace scrimp
