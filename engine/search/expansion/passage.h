// Follows the events of an ordinary state through transient states to the next ordinary states.
//
//   1. Follow the state's events, one after the other.
//   2. After an event that gives a process exclusive control, list that process's events:
//   3.   if there are any, the state is transient: follow them first;
//   4.   if this state is already on the stack, the sequence is an infinite loop: report it and go back;
//   5.   if there are none, the state is ordinary; but if the claim has moved and no process can move after it, or the
//        claim continues alone and cannot, there is no successor.
//   6. Each ordinary state reached is a successor.
//
//     stack of frames    | state 0 | transient 1 | transient 2 | ...
//     their events       | e e [e] | e [e] e e   | [e]         | free     [e]: taken last; together the current path
//
// Successors are listed in depth-first order. Faults on the way are entries among them.
//
// Most passages have a step or two: the code they need is inlined and compiled for the usual numbers of words, and
// memory is allocated beforehand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/machine.h"
#include "core/memory.h"
#include "observe/observer.h"
#include "search/expansion/frame_table.h"
#include "search/expansion/stepper.h"

namespace scrimp {

/// Whether the machine's list does not directly contain the successors, because of transient states or failures.
constexpr bool leads_on(const Expansion& expansion) { return (expansion.flags & (atomic_flag | failed_flag)) != 0; }

/// Whether an entry counts as a transition: an ordinary state reached, or a fault that ends a sequence.
constexpr bool is_transition(EventId event) { return !(event & fault_flag) || kind_of(event) == Finding::Kind::fault; }

/// Options of a passage.
struct PassageOptions {
  Observer* observer = nullptr;        // is notified of fired events, and may end the search; may be null
  bool counts = false;                 // whether events are counted; false if they are fired again
  std::optional<std::uint64_t> depth;  // of the start state, if the observer wants the depth of states that are met
};

class Passage {
 public:
  /// The events of a state as listed by the machine.
  struct Listed {
    const Word* successors;
    const EventId* events;
    std::uint32_t count;
  };

  Passage(Budget& budget, const Stepper& stepper);

  /// From now on, `follow` gathers the bits that this table has for the events on the way to each entry; null: none.
  void gather(const Word* bits_of_event) {
    bits_of_event_ = bits_of_event;
    entries_ = 0;  // so that there will be room for the bits
  }
  const Word* bits_of_event() const { return bits_of_event_; }

  [[nodiscard]] bool follow(const Word* state, const Listed& listed, const PassageOptions& options);
  [[nodiscard]] bool list(const Word* state, std::uint32_t ordinal, std::vector<EventId>& events);

  /// The result of the last `follow`. An entry's event is the first of its sequence; flags mark entries that are not
  /// successors:
  ///
  ///     fault_flag                 the last event of the sequence is a fault
  ///     fault_flag | failed_flag   it failed; the entry it leads to follows
  ///     fault_flag | atomic_flag   it leads to a transient state that is already on the stack
  ///     misfit_flag                the event itself, not the first, in the state whose words are in the entry;
  ///                                no entry follows
  std::uint32_t count() const { return count_; }
  EventId flags() const { return flags_; }
  const Word* states() const { return out_states_.as<Word>(); }
  const EventId* events() const { return out_events_.as<EventId>(); }
  /// The number of steps to each entry.
  const std::uint32_t* steps() const { return out_steps_.as<std::uint32_t>(); }
  /// The bits of the events on the way to each entry, if they are gathered.
  const Word* bits() const { return out_bits_.as<Word>(); }
  std::uint64_t bytes() const;

 private:
  /// A state on the stack whose events are being followed.
  struct Frame {
    Listed listed;
    std::uint32_t next;    // the event to follow next
    std::uint32_t holder;  // the process with exclusive control
    std::uint32_t steps;   // from the start state
    Word bits;             // of the events from the start state, if they are gathered
  };
  static constexpr std::uint32_t nothing_wanted = ~std::uint32_t{0};
  static constexpr std::uint32_t compared_frames = 16;  // frames above are found by hash
  static constexpr std::uint64_t states_per_check = 4096;

  Frame* frames() const { return frames_.as<Frame>(); }
  Frame& top() const { return frames()[height_ - 1]; }
  Word* free_states() const { return states_.as<Word>() + end_ * words_; }
  EventId* free_events() const { return events_.as<EventId>() + end_; }
  /// The event that was taken last in a frame, and the state it leads to.
  EventId taken(const Frame& frame) const { return frame.listed.events[frame.next - 1]; }
  const Word* state_after(const Frame& frame) const {
    return frame.listed.successors + std::size_t{frame.next - 1} * words_;
  }
  const Word* state_of(std::uint32_t frame) const { return frame == 0 ? state_ : state_after(frames()[frame - 1]); }
  EventId first_event() const { return taken(frames()[0]) & event_mask; }
  /// The bits of the events to a frame's state and of one more.
  Word with_bits_of(const Frame& frame, EventId event) const {
    return bits_of_event_ == nullptr ? 0 : frame.bits | bits_of_event_[event & event_mask];
  }

  bool walk(const Word* state, const Listed& listed, const PassageOptions& options, std::uint32_t wanted);
  template <std::uint32_t fixed_words>
  bool walk();
  template <std::uint32_t fixed_words>
  bool take(Frame& frame);
  template <std::uint32_t fixed_words>
  bool go_on(const Word* state, std::uint32_t holder, std::uint32_t steps, Word bits);
  template <std::uint32_t fixed_words>
  bool add_all(const Listed& listed, std::uint32_t steps, Word bits);
  template <std::uint32_t fixed_words>
  bool add(EventId event, const Word* words, std::uint32_t steps, Word bits);
  bool arrive();
  bool take_flawed(EventId event, std::uint32_t steps, Word bits);
  bool misfit(EventId event);

  bool push(const Listed& listed, std::uint32_t holder, std::uint32_t steps, Word bits);
  void pop();
  bool add_to_table();
  bool make_room();
  bool grow_way();
  bool grow_entries();
  template <std::uint32_t fixed_words>
  bool has_been_in(const Word* state, std::uint32_t holder) const;
  bool is_in_table(const Word* state, std::uint32_t holder) const;
  std::uint64_t hash(std::uint32_t frame) const { return hash(state_of(frame), frames()[frame].holder); }
  std::uint64_t hash(const Word* state, std::uint32_t holder) const;

  const Stepper& stepper_;
  const std::uint32_t words_;
  Region frames_;
  Region states_;  // successors of the frames' states, but for the first frame's
  Region events_;
  FrameTable table_;  // of the frames that are not compared one by one
  Region out_states_;
  Region out_events_;
  Region out_steps_;
  Region out_bits_;

  const Word* bits_of_event_ = nullptr;  // or null if none are gathered
  const Word* state_ = nullptr;          // of the first frame
  PassageOptions options_;
  std::uint32_t height_ = 0;   // frames
  std::size_t end_ = 0;        // number of events in use
  std::size_t room_ = 0;       // number of events that fit
  std::uint32_t count_ = 0;    // entries
  std::uint32_t entries_ = 0;  // number of entries that fit
  EventId flags_ = 0;
  std::uint32_t wanted_ = nothing_wanted;  // the only entry whose events are wanted
  std::uint32_t passed_by_ = 0;            // entries passed so far, if one is wanted
  bool found_ = false;
  std::uint64_t states_seen_ = 0;
};

}  // namespace scrimp
