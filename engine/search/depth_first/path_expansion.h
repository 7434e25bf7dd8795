// Lists the successors of a depth-first path's last state on a stack of blocks: follows events through transient
// states, and counts steps if their number may differ from the number of states on the path.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/machine.h"
#include "observe/observer.h"
#include "observe/transcript.h"
#include "search/depth_first/block_stack.h"
#include "search/depth_first/path.h"
#include "search/depth_first/step_stack.h"
#include "search/expansion/expander.h"

namespace scrimp {

/// Successors that were listed and are still to be taken.
struct Listing {
  std::uint32_t place;
  std::uint32_t count;
  bool has_flags;  // some may be faults, or the search has ended
};

/// `fixed_words` is the machine's number of words if the loop is compiled for that number, else 0.
///
/// Code that runs for every transition is forced inline, and rare code is kept out of line: left to itself, the
/// compiler is misled by the number of rare cases.
template <std::uint32_t fixed_words>
class PathExpansion {
 public:
  PathExpansion(Expander& expander, Path<fixed_words>& path, Observer& observer, Budget& budget)
      : expander_(expander),
        path_(path),
        observer_(observer),
        budget_(budget),
        blocks_(budget, expander.machine(), counts_steps(expander.machine()), expander.gathers()),
        steps_(budget) {}

  BlockStack& blocks() { return blocks_; }
  const BlockStack& blocks() const { return blocks_; }
  std::uint32_t words() const { return fixed_words != 0 ? fixed_words : expander_.machine().words; }
  Word* successor(std::uint32_t place) { return blocks_.states() + std::size_t{place} * words(); }
  /// The number of steps to the path's last state.
  std::uint64_t depth() const { return path_.size() - 1 + surplus_; }
  /// Whether there was no room for a step, which therefore is incomplete.
  bool has_failed() const { return has_failed_; }
  std::uint64_t bytes() const { return blocks_.bytes() + steps_.bytes() + expander_.passage().bytes(); }

  /// Writes the initial state to the place of a successor.
  std::uint32_t place_initial() {
    const std::uint32_t place = blocks_.prepare();
    expander_.machine().initial(successor(place));
    if (blocks_.keeps_steps()) blocks_.steps()[place] = 1;
    return place;
  }

  /// Writes a state from which another path is to start, at this depth, to the place of a successor.
  std::uint32_t place_root(const Word* root, std::uint64_t depth) {
    const std::uint32_t place = blocks_.prepare();
    std::copy_n(root, words(), successor(place));
    if (blocks_.keeps_steps()) blocks_.steps()[place] = 1;
    surplus_ = depth;
    return place;
  }

  /// Expands the successor at `place`, which may be the next state of the path, in free room, while memory is still
  /// fetched to tell whether it is fresh. If it is, `list` comes next; otherwise call `discard`.
  [[gnu::always_inline]] void foresee(std::uint32_t place) {
    if (!blocks_.has_room_above()) return;
    const std::uint32_t free = blocks_.prepare();
    foreseen_ = expander_.expand(successor(place), successor(free), blocks_.events() + free);
    has_foreseen_ = true;
  }
  void discard() { has_foreseen_ = false; }

  /// Puts the successors of the path's last state on the stack; `taken` of them were taken before. `fresh`: the state
  /// is entered for the first time.
  [[gnu::always_inline]] Listing list(Taken taken, bool fresh) {
    const std::uint32_t place = blocks_.prepare();
    Expansion expansion =
        has_foreseen_ ? foreseen_ : expander_.expand(path_.top(), successor(place), blocks_.events() + place);
    discard();
    if (expansion.count == 0) {
      if (fresh) observer_.dead_end(path_.top());
    } else if (observer_.at_depth_limit(depth())) {
      observer_.cut();
      expansion = {};
    }
    if (leads_on(expansion)) [[unlikely]]
      return pass(place, expansion, taken, fresh);
    blocks_.push(expansion.count, taken);
    if (blocks_.keeps_steps()) write_steps(place, expansion.count);
    if (blocks_.keeps_bits()) write_bits(place, expansion.count);
    if (expansion.flags != 0) [[unlikely]]
      return fitting(place, expansion.count, taken, false);
    return {place + taken, expansion.count - taken, false};
  }

  void fired(EventId event) {
    observer_.fired(event);
    if (observer_.counts.transitions % transitions_per_pulse == 0)
      observer_.pulse(depth(), path_.size() - 1, budget_.held());
  }

  /// All steps to a successor but the last are taken whether or not the successor is known.
  void reach(std::uint32_t place) {
    if (!blocks_.keeps_steps()) return;
    if (const std::uint32_t steps = blocks_.steps()[place]; steps > 1) observer_.deeper(depth() + steps - 1);
  }

  /// Reports that the entry taken last is a fault.
  [[gnu::noinline]] void fault(EventId event) {
    if (is_transition(event)) fired(event);
    observer_.fault(path_.top(), event, [this](std::vector<EventId>& way) {
      return expander_.list(path_.top(), blocks_.taken() - 1, way);
    });
  }

  /// The transcript's label for the steps to the successor that was taken last.
  EventId label(std::uint32_t place, Transcript& transcript) {
    if (!transcript.follows_ways()) return blocks_.events()[place] & event_mask;
    std::vector<EventId> way;
    if (!expander_.list(path_.top(), blocks_.taken() - 1, way)) observer_.end(Reason::memory);
    return transcript.label(way);
  }

  /// The number of steps to a successor.
  std::uint32_t steps_to(std::uint32_t place) { return blocks_.keeps_steps() ? blocks_.steps()[place] : 1; }

  /// Called when a state was put on the path, `steps` steps after the previous one.
  void advance(std::uint32_t steps) {
    if (blocks_.keeps_steps()) count_steps(steps);
  }

  /// Called when the last state was removed from the path.
  void retreat() {
    if (blocks_.keeps_steps()) surplus_ -= std::uint64_t{steps_.pop()} - 1;
    blocks_.pop();
  }

 private:
  static constexpr std::uint64_t transitions_per_pulse = 4096;

  /// Whether depth may differ from the number of transitions.
  static bool counts_steps(const Machine& machine) {
    return machine.holders != nullptr || machine.has_offers() || machine.steps != nullptr;
  }

  void count_steps(std::uint32_t steps) {
    surplus_ += std::uint64_t{steps} - 1;
    if (!observer_.at_depth_limit(depth())) observer_.met(path_.top(), anybody, depth());
    if (!steps_.push(steps)) fail();
  }

  void fail() {
    has_failed_ = true;
    observer_.end(Reason::memory);
  }

  void write_steps(std::uint32_t place, std::uint32_t count) {
    for (std::uint32_t i = place; i < place + count; ++i) blocks_.steps()[i] = expander_.steps(blocks_.events()[i]);
  }

  void write_bits(std::uint32_t place, std::uint32_t count) {
    for (std::uint32_t i = place; i < place + count; ++i) blocks_.bits()[i] = expander_.bits(blocks_.events()[i]);
  }

  /// Replaces the listed events by the states that they reach through transient states.
  [[gnu::noinline]] Listing pass(std::uint32_t place, const Expansion& expansion, Taken taken, bool fresh) {
    const PassageOptions options{&observer_, fresh, depth()};
    const Passage& passage = expander_.passage();
    if (!expander_.pass(path_.top(), expansion, successor(place), blocks_.events() + place, options) ||
        !blocks_.prepare(passage.count(), place)) {
      fail();
      return {place, 0, true};
    }
    const std::uint32_t count = passage.count();
    std::copy_n(passage.states(), std::size_t{count} * words(), successor(place));
    std::copy_n(passage.events(), count, blocks_.events() + place);
    blocks_.push(count, taken);
    if (blocks_.keeps_steps()) std::copy_n(passage.steps(), count, blocks_.steps() + place);
    if (blocks_.keeps_bits()) std::copy_n(passage.bits(), count, blocks_.bits() + place);
    if (passage.flags() != 0) return fitting(place, count, taken, true);
    return {place + taken, count - taken, false};
  }

  /// The listing if all values fit; an empty one otherwise, and then the search has ended.
  [[gnu::noinline]] Listing fitting(std::uint32_t place, std::uint32_t count, Taken taken, bool passed) {
    for (std::uint32_t i = place; i < place + count; ++i)
      if (const EventId event = blocks_.events()[i]; event & misfit_flag)
        observer_.misfit(passed ? successor(i) : path_.top(), event);
    return {place + taken, observer_.running() ? count - taken : 0, true};
  }

  Expander& expander_;
  Path<fixed_words>& path_;
  Observer& observer_;
  Budget& budget_;
  BlockStack blocks_;
  StepStack steps_;            // to the states of the path, if blocks keep steps
  std::uint64_t surplus_ = 0;  // steps beyond one per state, modulo 2^64: it may be negative
  bool has_failed_ = false;
  bool has_foreseen_ = false;  // the successors of the state to be put on the path next lie above the blocks
  Expansion foreseen_{};
};

}  // namespace scrimp
