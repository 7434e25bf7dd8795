// The successors of several states in contiguous memory, so that one call inserts them all.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/machine.h"
#include "core/memory.h"
#include "store/state_set.h"

namespace scrimp {

class SuccessorBlock {
 public:
  /// A block is inserted when it has at least this many successors.
  static constexpr std::uint32_t enough = 512;

  enum class Contents {
    states,             // the events only of the states last added
    states_and_events,  // of all states
    labels_too,         // in addition to the events
  };

  SuccessorBlock(Budget& budget, const Machine& machine, Contents contents = Contents::states_and_events)
      : max_successors_(machine.max_successors),
        state_words_(machine.words),
        keeps_events_(contents != Contents::states),
        label_bytes_(contents == Contents::labels_too ? sizeof(EventId) : 0),
        words_(budget),
        events_(budget),
        labels_(budget),
        results_(budget),
        has_room_(resize_events(max_successors_) && resize(enough + std::size_t{max_successors_})) {}

  /// False if the budget could not even hold the block.
  bool has_room() const { return has_room_; }
  bool has_enough() const { return count >= enough; }

  Word* states() { return words_.as<Word>(); }
  EventId* events() { return events_.as<EventId>(); }
  /// Of the states that are about to be added.
  EventId* next_events() { return events() + (keeps_events_ ? count : 0); }
  EventId* labels() { return labels_.as<EventId>(); }
  Insertion* results() { return results_.as<Insertion>(); }
  std::uint64_t bytes() const { return words_.bytes() + events_.bytes() + labels_.bytes() + results_.bytes(); }

  /// Makes room for `successors` more successors and for another `max_successors` after them. Returns false if the
  /// budget is exhausted.
  [[nodiscard]] bool make_room(std::uint32_t successors) {
    const std::size_t wanted = std::size_t{count} + successors + max_successors_;
    if (wanted > std::numeric_limits<std::uint32_t>::max()) return false;
    const bool has_events =
        keeps_events_ || successors == 0 || resize_events(successors + std::size_t{max_successors_});
    return has_events && (wanted <= capacity_ || resize(wanted + wanted / 2) || resize(wanted));
  }

  std::uint32_t count = 0;

 private:
  bool resize_events(std::size_t capacity) {
    return capacity * sizeof(EventId) <= events_.bytes() || events_.resize(capacity * sizeof(EventId));
  }

  bool resize(std::size_t capacity) {
    const bool has_room = words_.resize(capacity * state_words_ * sizeof(Word)) &&
                          (!keeps_events_ || resize_events(capacity)) && labels_.resize(capacity * label_bytes_) &&
                          results_.resize(capacity * sizeof(Insertion));
    if (has_room) capacity_ = capacity;
    return has_room;
  }

  const std::uint32_t max_successors_;
  const std::uint32_t state_words_;
  const bool keeps_events_;
  const std::size_t label_bytes_;
  std::size_t capacity_ = 0;
  Region words_;
  Region events_;
  Region labels_;
  Region results_;
  const bool has_room_;
};

}  // namespace scrimp
