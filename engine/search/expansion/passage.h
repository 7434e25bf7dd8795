// The ways from an ordinary state through transient states to the next ordinary ones.
//
//   1. Follow the state's events, one after the other.
//   2. An event after which a process goes on alone leads to that process's events:
//   3.   where it has some, the state is transient: follow them before going on;
//   4.   where the way has been in that state before, it is endless: leave it;
//   5.   where it has none, the state is an ordinary one, or, where a claim has moved and nobody can after it, none.
//   6. Each arrival in an ordinary state is a successor.
//
//     stack of frames    | state 0 | transient 1 | transient 2 | ...
//     their events       | e e [e] | e [e] e e   | [e]         | free     [e]: taken last; together the way so far
//
// Successors come in the order of a depth-first search. What goes wrong on the way has a place among them.
//
// Most ways have a step or two: what they need is inlined, compiled for the usual numbers of words, and finds its room
// prepared.
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

/// Whether the successors are not simply those that the machine lists.
constexpr bool leads_on(const Expansion& expansion) { return (expansion.flags & (atomic_flag | failed_flag)) != 0; }

/// Whether an entry among a state's successors is counted as a transition: an arrival, or a fault that ends a way.
constexpr bool is_transition(EventId event) { return !(event & fault_flag) || kind_of(event) == Finding::Kind::fault; }

/// What is done with the events of a passage.
struct PassageOptions {
  Observer* observer = nullptr;        // learns of what is fired, and may end the search; null: nobody
  bool counts = false;                 // whether the events are counted: they are not fired once more
  std::optional<std::uint64_t> depth;  // of the state it starts from, where the observer wants that of what is met
};

class Passage {
 public:
  /// The events of a state as the machine lists them.
  struct Listed {
    const Word* successors;
    const EventId* events;
    std::uint32_t count;
  };

  Passage(Budget& budget, const Stepper& stepper);

  [[nodiscard]] bool follow(const Word* state, const Listed& listed, const PassageOptions& options);
  [[nodiscard]] bool list(const Word* state, std::uint32_t ordinal, std::vector<EventId>& events);

  /// What the last `follow` found. An entry's event is the first on its way; flags say where it is no successor:
  ///
  ///     fault_flag                 the last event of the way is a fault
  ///     fault_flag | failed_flag   it failed; what it leads to comes next
  ///     fault_flag | atomic_flag   it leads to a transient state in which the way has been before
  ///     misfit_flag                the event itself, not the first, in the state whose words are in the entry;
  ///                                nothing comes after it
  std::uint32_t count() const { return count_; }
  EventId flags() const { return flags_; }
  const Word* states() const { return out_states_.as<Word>(); }
  const EventId* events() const { return out_events_.as<EventId>(); }
  /// The steps of each way.
  const std::uint32_t* steps() const { return out_steps_.as<std::uint32_t>(); }
  std::uint64_t bytes() const;

 private:
  /// A state on the way, whose events are being followed.
  struct Frame {
    Listed listed;
    std::uint32_t next;    // the event to follow next
    std::uint32_t holder;  // who is alone in it
    std::uint32_t steps;   // of the way to it
  };
  static constexpr std::uint32_t nothing_wanted = ~std::uint32_t{0};
  static constexpr std::uint32_t compared_frames = 16;  // the others are found by their hash
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

  bool walk(const Word* state, const Listed& listed, const PassageOptions& options, std::uint32_t wanted);
  template <std::uint32_t fixed_words>
  bool walk();
  template <std::uint32_t fixed_words>
  bool take(Frame& frame);
  template <std::uint32_t fixed_words>
  bool go_on(const Word* state, std::uint32_t holder, std::uint32_t steps);
  template <std::uint32_t fixed_words>
  bool add_all(const Listed& listed, std::uint32_t steps);
  template <std::uint32_t fixed_words>
  bool add(EventId event, const Word* words, std::uint32_t steps);
  bool take_flawed(EventId event, std::uint32_t steps);
  bool misfit(EventId event);

  bool push(const Listed& listed, std::uint32_t holder, std::uint32_t steps);
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

  const Word* state_ = nullptr;  // of the first frame
  PassageOptions options_;
  std::uint32_t height_ = 0;   // frames
  std::size_t end_ = 0;        // of the events in use
  std::size_t room_ = 0;       // for events
  std::uint32_t count_ = 0;    // entries
  std::uint32_t entries_ = 0;  // that there is room for
  EventId flags_ = 0;
  std::uint32_t wanted_ = nothing_wanted;  // only the way to this entry is asked for
  std::uint32_t passed_by_ = 0;            // entries, where one is wanted
  bool found_ = false;
  std::uint64_t states_seen_ = 0;
};

}  // namespace scrimp
