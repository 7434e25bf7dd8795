// What a search asks of the sets of visited states that forget none; one class per way of keeping them.
#pragma once

#include <concepts>
#include <cstdint>

#include "core/budget.h"
#include "core/machine.h"

namespace scrimp {

enum class Insertion : std::uint8_t {
  known,    // the state was there
  fresh,    // it was not, and now is
  no_room,  // it was not, and the budget is spent: the set is as it was
};

/// A growing set of states. The block form does exactly what inserting one by one in order does, only faster, because
/// memory is fetched ahead. `prepare` does the part of the work for several states that does not depend on their order,
/// and writes a key for each, which is handed to `insert` with the state, later or never; it changes nothing that
/// `size` tells.
template <class Set>
concept StateSet =
    requires(Set set, const Set constant, const Word* states, std::uint32_t count, Insertion* results, Word* keys) {
      { set.insert(states) } -> std::same_as<Insertion>;
      { set.insert(states, count, results) } -> std::same_as<void>;
      { set.prepare(states, count, keys) } -> std::same_as<void>;
      { set.insert(states, *keys) } -> std::same_as<Insertion>;
      { constant.size() } -> std::same_as<std::uint64_t>;
      /// What is held for the states, empty slots included, and what they themselves take.
      { constant.bytes() } -> std::same_as<std::uint64_t>;
      { constant.state_bytes() } -> std::same_as<std::uint64_t>;
    };

}  // namespace scrimp
