// Expands states of a breadth-first search into a block: reports fired events to the observer, follows events through
// transient states, and omits entries that are not successors (faults) and those that a reduction leaves out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include "core/machine.h"
#include "observe/observer.h"
#include "observe/transcript.h"
#include "reduction/ranked_choice.h"
#include "search/breadth_first/successor_block.h"
#include "search/expansion/expander.h"

namespace scrimp {

/// `fixed_words` is the machine's number of words if the loop is compiled for that number, else 0. With `ordinals`, the
/// block holds in place of each event the successor's number among all successors of its state, omitted ones counted.
template <std::uint32_t fixed_words, bool ordinals = false>
class BlockExpansion {
 public:
  /// With a transcript, the block's events are its labels; with `ordinals`, the block has separate labels. Without a
  /// choice, every event is fired.
  BlockExpansion(Expander& expander, Observer& observer, SuccessorBlock& block, Transcript* transcript = nullptr,
                 RankedChoice* choice = nullptr)
      : expander_(expander), observer_(observer), block_(block), transcript_(transcript), choice_(choice) {}

  std::uint32_t words() const { return fixed_words != 0 ? fixed_words : expander_.machine().words; }
  Word* successor(std::uint32_t place) { return block_.states() + std::size_t{place} * words(); }

  /// Appends the successors of a state to the block, unless the state is at the depth limit. If a value does not fit,
  /// nothing is appended or counted.
  void expand(const Word* state, bool at_limit) {
    EventId* const events = block_.next_events();
    const Expansion expansion = expander_.expand(state, successor(block_.count), events);
    if (expansion.count == 0) [[unlikely]]
      return observer_.dead_end(state);
    if (at_limit) [[unlikely]]
      return observer_.cut();
    if (leads_on(expansion)) [[unlikely]]
      return pass(state, expansion);
    if (expansion.flags & misfit_flag) [[unlikely]]
      return report_misfit(state, expansion.count, false);
    const bool leaves_out = choice_ != nullptr && leave_out(state, expansion.count);
    if (leaves_out || expansion.flags != 0) [[unlikely]]
      return add_faultless(state, expansion.count, false);
    observer_.fired(events, expansion.count);
    add(expansion.count);
  }

  void move(std::uint32_t from, std::uint32_t to) { copy(successor(from), 1, successor(to)); }

 private:
  /// Writes the states reached by the listed events through transient states to the end of the block.
  void pass(const Word* state, const Expansion& expansion) {
    const PassageOptions options{&observer_, true, std::nullopt};
    const std::uint64_t inner_events = observer_.counts.inner_events;
    if (!expander_.pass(state, expansion, successor(block_.count), block_.next_events(), options))
      return observer_.end(Reason::memory);
    const Passage& passage = expander_.passage();
    const std::uint32_t count = passage.count();
    if (!block_.make_room(count)) return observer_.end(Reason::memory);
    copy(passage.states(), count, successor(block_.count));
    if (passage.flags() & misfit_flag) [[unlikely]] {
      observer_.counts.inner_events = inner_events;
      std::copy_n(passage.events(), count, block_.next_events());
      return report_misfit(state, count, true);
    }
    if (passage.flags() == 0 && transcript_ == nullptr && choice_ == nullptr) {
      observer_.counts.transitions += count;
      return add(count);
    }
    std::copy_n(passage.events(), count, block_.next_events());
    if (choice_ != nullptr) leave_out(state, count);
    add_faultless(state, count, true);
  }

  /// Reports the first event, of those that were written at the end of the block, that leads to a value that does not
  /// fit. The list may be incomplete.
  void report_misfit(const Word* state, std::uint32_t count, bool passed) {
    const EventId* const events = block_.next_events();
    const auto place = static_cast<std::uint32_t>(
        std::find_if(events, events + count, [](EventId event) { return (event & misfit_flag) != 0; }) - events);
    observer_.misfit(passed ? successor(block_.count + place) : state, events[place]);
  }

  /// Marks the entries at the end of the block that the reduction leaves out. Returns whether there are any.
  bool leave_out(const Word* state, std::uint32_t count) {
    const std::uint32_t omitted = choice_->leave_out(state, successor(block_.count), block_.next_events(), count);
    observer_.counts.left_out += omitted;
    if (choice_->is_wrong()) [[unlikely]]
      observer_.end(Reason::audit);
    return omitted != 0;
  }

  /// Adds `count` successors that were written at the end of the block.
  void add(std::uint32_t count) {
    if constexpr (ordinals) {
      EventId* const events = block_.next_events();
      if (transcript_ != nullptr) std::copy_n(events, count, labels() + block_.count);
      std::iota(events, events + count, 0u);
    }
    block_.count += count;
  }

  /// Adds the successors that were written at the end of the block; reports faults, and closes the gaps that these and
  /// the entries left out leave.
  void add_faultless(const Word* state, std::uint32_t count, bool passed) {
    const std::uint32_t begin = block_.count;
    const EventId* const events = block_.next_events();
    for (std::uint32_t i = 0; i < count; ++i) {
      const EventId event = events[i];
      if (event == left_out) continue;
      if (is_transition(event)) observer_.fired(event);
      if (event & fault_flag) {
        observer_.fault(state, event, [&](std::vector<EventId>& way) { return expander_.list(state, i, way); });
      } else {
        if (transcript_ != nullptr) labels()[block_.count] = label(state, i, event, passed);
        if constexpr (ordinals) block_.events()[block_.count] = i;
        move(begin + i, block_.count++);
      }
    }
  }

  EventId* labels() { return ordinals ? block_.labels() : block_.events(); }

  EventId label(const Word* state, std::uint32_t ordinal, EventId event, bool passed) {
    if (!passed) return event & event_mask;
    way_.clear();
    if (!expander_.list(state, ordinal, way_)) observer_.end(Reason::memory);
    return transcript_->label(way_);
  }

  /// An inline loop: usually there are few words to copy, and a call would take longer.
  void copy(const Word* from, std::uint32_t states, Word* to) {
    for (std::size_t i = 0; i < std::size_t{states} * words(); ++i) to[i] = from[i];
  }

  Expander& expander_;
  Observer& observer_;
  SuccessorBlock& block_;
  Transcript* const transcript_;
  RankedChoice* const choice_;
  std::vector<EventId> way_;
};

}  // namespace scrimp
