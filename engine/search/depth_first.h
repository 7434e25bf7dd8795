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

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/machine.h"
#include "core/region_vector.h"
#include "observe/observer.h"
#include "observe/transcript.h"
#include "search/block_stack.h"
#include "search/expander.h"
#include "search/path.h"
#include "search/step_stack.h"
#include "store/state_set.h"

namespace scrimp {

/// `fixed_words` is the machine's number of words where the loop is compiled for it, else 0.
template <StateSet Set, std::uint32_t fixed_words>
class DepthFirst {
 public:
  /// What has numbers is written to `transcript`.
  DepthFirst(Expander& expander, Set& set, Path<fixed_words>& path, Observer& observer, Budget& budget,
             Transcript* transcript = nullptr)
      : expander_(expander),
        set_(set),
        path_(path),
        observer_(observer),
        budget_(budget),
        blocks_(budget, expander.machine(), counts_steps(expander.machine())),
        steps_(budget),
        transcript_(transcript),
        numbers_(budget) {}

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

  std::uint64_t block_bytes() const { return blocks_.bytes() + steps_.bytes() + expander_.passage().bytes(); }

 private:
  static constexpr bool has_numbers = requires(const Set& set) { set.numbers(); };
  static constexpr std::uint64_t transitions_per_pulse = 4096;

  std::uint32_t words() const { return fixed_words != 0 ? fixed_words : expander_.machine().words; }
  Word* successor(std::uint32_t place) { return blocks_.states() + std::size_t{place} * words(); }

  /// The sum of the steps to the path's last state.
  std::uint64_t depth() const { return path_.size() - 1 + surplus_; }

  /// Whether depth is more than the number of transitions.
  static bool counts_steps(const Machine& machine) {
    return machine.holders != nullptr || machine.offers != nullptr || machine.steps != nullptr;
  }

  [[gnu::noinline]] void take_initial() {
    const std::uint32_t place = blocks_.prepare();
    expander_.machine().initial(successor(place));
    if (blocks_.keeps_steps()) blocks_.steps()[place] = 1;
    prepare(place, 1);
    insert(place);
  }

  // What is done for every transition is inlined by force, and what is done for few is not: left to itself, the
  // compiler is misled by the number of rare cases.
  [[gnu::always_inline]] void take() {
    const std::uint32_t place = blocks_.take();
    const EventId event = blocks_.events()[place];
    if (blocks_.keeps_steps()) reach(blocks_.steps()[place]);
    if (event & fault_flag) [[unlikely]]
      return take_fault(event);
    fired(event);
    insert(place);
  }

  /// All but the last of so many steps are taken whatever they lead to.
  void reach(std::uint32_t steps) {
    if (steps > 1) observer_.deeper(depth() + steps - 1);
  }

  void fired(EventId event) {
    observer_.fired(event);
    if (observer_.counts.transitions % transitions_per_pulse == 0) pulse();
  }

  [[gnu::noinline]] void take_fault(EventId event) {
    if (is_transition(event)) fired(event);
    observer_.fault(path_.top(), event, [this](std::vector<EventId>& way) {
      return expander_.list(path_.top(), blocks_.taken() - 1, way);
    });
  }

  [[gnu::always_inline]] void insert(std::uint32_t place) {
    const Word* const state = successor(place);
    const Insertion insertion = set_.insert(state, blocks_.keys()[place]);
    if constexpr (has_numbers) transcribe(place, insertion);
    switch (insertion) {
      case Insertion::known: ++observer_.counts.matched; break;
      case Insertion::fresh: enter(place); break;  // L4
      case Insertion::no_room: observer_.end(Reason::memory); break;
    }
  }

  [[gnu::always_inline]] void enter(std::uint32_t place) {
    ++observer_.counts.states;
    if (!path_.push(successor(place), blocks_.exhausted() ? all_taken : blocks_.taken())) {
      return observer_.end(Reason::memory);
    }
    if (blocks_.keeps_steps()) advance(blocks_.steps()[place]);
    observer_.deeper(depth());
    observer_.entered(path_.top());
    list_successors(0);
  }

  void advance(std::uint32_t steps) {
    surplus_ += std::uint64_t{steps} - 1;
    if (!observer_.at_depth_limit(depth())) observer_.met(path_.top(), anybody, depth());
    if (!steps_.push(steps)) observer_.end(Reason::memory);
  }

  void retreat() { surplus_ -= std::uint64_t{steps_.pop()} - 1; }

  /// Puts the successors of the path's last state on the stack of blocks; `taken` of them were taken before.
  void list_successors(Taken taken) {
    const std::uint32_t place = blocks_.prepare();
    Expansion expansion = expander_.expand(path_.top(), successor(place), blocks_.events() + place);
    if (expansion.count == 0) {
      observer_.dead_end(path_.top());
    } else if (observer_.at_depth_limit(depth())) {
      observer_.cut();
      expansion = {};
    }
    if (leads_on(expansion)) [[unlikely]]
      return pass(place, expansion, taken);
    blocks_.push(expansion.count, taken);
    if (blocks_.keeps_steps()) write_steps(place, expansion.count);
    if (expansion.flags != 0) [[unlikely]]
      return prepare_faultless(place + taken, expansion.count - taken, false);
    prepare(place + taken, expansion.count - taken);
  }

  void write_steps(std::uint32_t place, std::uint32_t count) {
    for (std::uint32_t i = place; i < place + count; ++i) blocks_.steps()[i] = expander_.steps(blocks_.events()[i]);
  }

  /// Puts what the listed events lead to, through transient states, into their place.
  [[gnu::noinline]] void pass(std::uint32_t place, const Expansion& expansion, Taken taken) {
    const Escort escort{&observer_, taken == 0, depth()};
    if (!expander_.pass(path_.top(), expansion, successor(place), blocks_.events() + place, escort))
      return observer_.end(Reason::memory);
    const Passage& passage = expander_.passage();
    const std::uint32_t count = passage.count();
    if (!blocks_.prepare(count, place)) return observer_.end(Reason::memory);
    for (std::size_t i = 0; i < std::size_t{count} * words(); ++i) successor(place)[i] = passage.states()[i];
    for (std::uint32_t i = 0; i < count; ++i) blocks_.events()[place + i] = passage.events()[i];
    blocks_.push(count, taken);
    if (blocks_.keeps_steps())
      for (std::uint32_t i = 0; i < count; ++i) blocks_.steps()[place + i] = passage.steps()[i];
    if (passage.flags() != 0) return prepare_faultless(place + taken, count - taken, true);
    prepare(place + taken, count - taken);
  }

  void prepare(std::uint32_t place, std::uint32_t count) {
    set_.prepare(successor(place), count, blocks_.keys() + place);
  }

  /// The words of a successor that is none are not shown to the set.
  [[gnu::noinline]] void prepare_faultless(std::uint32_t place, std::uint32_t count, bool passed) {
    for (std::uint32_t i = place; i < place + count; ++i) {
      const EventId event = blocks_.events()[i];
      if (event & misfit_flag) {
        observer_.misfit(passed ? successor(i) : path_.top(), event);
      } else if (!(event & fault_flag)) {
        prepare(i, 1);
      }
    }
  }

  void leave() {
    const Taken taken = path_.pop();
    if constexpr (has_numbers) numbers_.pop();
    if (blocks_.keeps_steps()) retreat();
    blocks_.pop();
    if (path_.empty() || taken == all_taken) return;
    if (blocks_.live()) {
      blocks_.resume(taken);
    } else {
      list_successors(taken);
    }
  }

  /// A fresh state is about to be put on the path.
  void transcribe(std::uint32_t place, Insertion insertion) {
    if (insertion == Insertion::no_room) return;
    const StateNumber number = *set_.numbers();
    if (!numbers_.empty()) transcript_->add(numbers_.back(), label(place), number);
    if (insertion == Insertion::fresh) numbers_.push(number);
    if (!transcript_->may_go_on()) observer_.end(Reason::disk);
  }

  EventId label(std::uint32_t place) {
    if (!transcript_->follows_ways()) return blocks_.events()[place] & event_mask;
    std::vector<EventId> way;
    if (!expander_.list(path_.top(), blocks_.taken() - 1, way)) observer_.end(Reason::memory);
    return transcript_->label(way);
  }

  void pulse() { observer_.pulse(depth(), path_.size() - 1, budget_.held()); }

  Expander& expander_;
  Set& set_;
  Path<fixed_words>& path_;
  Observer& observer_;
  Budget& budget_;
  BlockStack blocks_;
  StepStack steps_;            // to the states of the path, where blocks keep steps
  std::uint64_t surplus_ = 0;  // steps beyond one for each state, modulo 2^64: they may be fewer
  Transcript* const transcript_;
  RegionVector<StateNumber> numbers_;  // of the states of the path
};

}  // namespace scrimp
