// What a depth-first search that may forget states, or that remembers something of each, asks of its set of states.
#pragma once

#include <concepts>
#include <cstdint>

#include "core/budget.h"
#include "core/machine.h"
#include "observe/reason.h"
#include "store/state_set.h"

namespace scrimp {

/// Something that the search remembers of a state, zero in a fresh one: the number of a set of events, whether what was
/// found from the state rests on something, and where it was on the path.
using Mark = std::uint64_t;

/// Names a state of the set. It stays the same at least as long as the state is on the path.
using Slot = std::uint32_t;

struct Entered {
  Insertion insertion;
  Slot slot;  // unless there is no room
};

/// The states of the path are never forgotten. A state is on it as often as it was put there and has not left it.
template <class Set>
concept PathSet =
    requires(Set set, const Set constant, const Word* states, std::uint32_t count, Word* keys, Slot slot) {
      /// As in StateSet: work ahead for states that may be entered later, or never.
      { set.prepare(states, count, keys) } -> std::same_as<void>;
      /// Whether a state always has the same key, and another state hardly ever has it.
      { Set::keys_are_hashes } -> std::convertible_to<bool>;
      /// A fresh state is put on the path; a known one is not, it is only visited once more. `kind` is the type of the
      /// event that led to it (GHP92).
      { set.enter(states, *keys, /*kind=*/std::uint8_t{}) } -> std::same_as<Entered>;
      /// The mark of the state that was entered last; to be used before the next is entered.
      { set.mark(slot) } -> std::same_as<Mark&>;
      /// The same of any state of the path, named by both.
      { set.mark_of(states, slot) } -> std::same_as<Mark&>;
      /// A hint that `mark_of` will soon be asked for this state, whose hash is this but for its lowest bit.
      { set.fetch_mark(*keys, slot) } -> std::same_as<void>;
      { set.put_on_path(slot) } -> std::same_as<void>;
      { set.leave_path(slot) } -> std::same_as<void>;
      /// Why there is no room: `memory`, or `cache` where the path fills it.
      { constant.lack() } -> std::same_as<Reason>;
      { constant.size() } -> std::same_as<std::uint64_t>;
      { constant.stored_peak() } -> std::same_as<std::uint64_t>;
      { constant.bytes() } -> std::same_as<std::uint64_t>;
      { constant.state_bytes() } -> std::same_as<std::uint64_t>;
    };

}  // namespace scrimp
