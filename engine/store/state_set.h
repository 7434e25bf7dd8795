// The interface between a search and its set of visited states; one class per way of storing them.
//
//     PlainSet<2>           states of two words
//     PlainSet<2, Mark>     the same with an annotation for each state, zero in a fresh one
//
// The type of a set declares its annotations, and the search decides what each means: the number of a state, a sleep
// set, the snapshots that contain the state, the colour of a nested search. `visit` returns an entry, which gives
// access to them. Sets that keep whole words beside a state give references to them, others values to be read and
// assigned. Use them before the next state is visited, because entries move.
//
// The contents of a set can be enumerated as rows of words, and a row can be added to another set of the same kind,
// whatever its size: store/saved_set.h.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>

#include "core/budget.h"
#include "core/machine.h"
#include "observe/reason.h"

namespace scrimp {

enum class Insertion : std::uint8_t {
  known,    // the state was in the set
  fresh,    // it was not, and now is
  no_room,  // it was not, and the budget is exhausted: the set is unchanged
};

/// The entry of a set without annotations.
struct Visited {
  Insertion insertion;

  void annotate(const Word*) const {}
};

/// A growing set of states. `prepare` does the work for several states that does not depend on their order, and writes
/// a key for each, which is passed to `visit` with the state, later or never; it does not change `size`. The block form
/// of `insert` has the same effect as visiting one by one in order, but is faster, because memory is prefetched.
template <class Set>
concept StateSet =
    requires(Set set, const Set constant, const Word* states, std::uint32_t count, Insertion* results, Word* keys) {
      { Set::annotations } -> std::convertible_to<std::size_t>;
      /// Whether a state always has the same key, and different states hardly ever do.
      { Set::keys_are_hashes } -> std::convertible_to<bool>;
      { set.prepare(states, count, keys) } -> std::same_as<void>;
      { set.visit(states, *keys).insertion } -> std::convertible_to<Insertion>;
      { set.insert(states) } -> std::same_as<Insertion>;
      { set.insert(states, count, results) } -> std::same_as<void>;
      { constant.size() } -> std::same_as<std::uint64_t>;
      /// The memory held for the states, empty slots included, and the memory that the states themselves take.
      { constant.bytes() } -> std::same_as<std::uint64_t>;
      { constant.state_bytes() } -> std::same_as<std::uint64_t>;
    };

/// A set whose contents can be listed: a row has the words of a state, or of its stored part, and its annotations.
template <class Set>
concept EnumerableSet = StateSet<Set> && requires(Set set, const Set constant, const Word* row) {
  { constant.row_words() } -> std::same_as<std::size_t>;
  {
    constant.for_each_row([](const Word*) {})
  } -> std::same_as<bool>;                     // false: no room to read them
  { set.add_row(row) } -> std::same_as<bool>;  // false: no room, or it was there
};

template <class Set>
inline constexpr bool is_annotated = Set::annotations != 0;

/// Identifies a state of a set that may forget. It stays the same at least as long as the state is pinned.
using Slot = std::uint32_t;
inline constexpr Slot no_slot = ~Slot{0};

/// A set that may forget every state that is not pinned. `visit` pins a fresh state; a state that was pinned n times
/// must be unpinned n times.
template <class Set>
concept ForgettingSet = StateSet<Set> && requires(Set set, const Set constant, const Word* state, Word key, Slot slot) {
  /// `event` led to the state; it may influence which state is forgotten.
  { set.visit(state, key, /*event=*/EventId{}).slot } -> std::convertible_to<Slot>;
  { set.pin(slot) } -> std::same_as<void>;
  { set.unpin(slot) } -> std::same_as<void>;
  /// Why there is no room: `memory`, or `cache` if pinned states fill the cache.
  { constant.lack() } -> std::same_as<Reason>;
  { constant.stored_peak() } -> std::same_as<std::uint64_t>;
};

/// Replaces the event that leads to the initial state, which has none.
inline constexpr EventId no_event = ~EventId{0};

/// Visits a single state, preparing it first.
template <class Set>
auto visit(Set& set, const Word* state) {
  Word key;
  set.prepare(state, 1, &key);
  return set.visit(state, key);
}

/// Visits states of `words` words in order, with memory prefetched, and writes their keys. `use` is called with the
/// place of each and its entry; it returns false to stop.
template <class Set, class Use>
void visit_all(Set& set, const Word* states, std::uint32_t count, std::size_t words, Word* keys, Use use) {
  constexpr std::uint32_t ahead = 32;
  set.prepare(states, std::min(count, ahead), keys);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i + ahead < count) set.prepare(states + std::size_t{i + ahead} * words, 1, keys + i + ahead);
    if (!use(i, set.visit(states + std::size_t{i} * words, keys[i]))) return;
  }
}

}  // namespace scrimp
