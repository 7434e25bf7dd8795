// Sets of states that can be split into shards, so that several threads insert into them at the same time.
//
// A set starts as one table. When it is split, its states are distributed by some bits of their hashes over a fixed
// number of tables, the shards, each of which is used by one thread at a time. Inserting states takes four steps:
//
//     look_up    the codes of states, as far as they are known; any thread, nothing changes
//     number     the codes that were not known, because some part of the state is new; one thread
//     place      the shard of each code and what that shard is to store; any thread, nothing changes
//     insert     into a shard; one thread for each shard
//
// Most sets know every code (`codes_at_once`) and need no second step.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <utility>

#include "store/state_set.h"

namespace scrimp {

using Shard = std::uint8_t;
inline constexpr unsigned shard_bits = 8;
inline constexpr std::uint32_t shard_count = 1u << shard_bits;

/// Codes that lie one after the other.
struct Codes {
  const Word* first = nullptr;
  std::uint32_t count = 0;
};

template <class Set>
concept ShardableSet =
    StateSet<Set> && requires(Set set, const Set constant, const Word* states, std::uint32_t count, Word* codes,
                              Shard* shards, Insertion* results, typename Set::Scratch& scratch) {
      /// Whether it can be split at all, and has been.
      { constant.can_split() } -> std::same_as<bool>;
      { constant.is_split() } -> std::same_as<bool>;
      /// Returns false, with states lost, if there is no room.
      { set.split() } -> std::same_as<bool>;
      /// Reviews its representation if it is time to. Only between rounds: afterwards it may be one table again.
      { set.review_if_due() } -> std::same_as<void>;

      { constant.code_words() } -> std::same_as<std::size_t>;
      { constant.codes_at_once() } -> std::same_as<bool>;
      /// Whether it takes less to code states at once twice than to keep their codes.
      { constant.codes_cheaply() } -> std::same_as<bool>;
      /// The first word of a code that is not known is zero.
      { constant.look_up(states, count, codes, scratch) } -> std::same_as<void>;
      /// The codes of states that had none. Returns false if there is no room.
      { set.number(states, count, codes) } -> std::same_as<bool>;
      { constant.place(codes, count, shards) } -> std::same_as<void>;
      { constant.fetch(/*shard=*/std::uint32_t{}, Codes{}) } -> std::same_as<void>;
      /// While it inserts some codes, it fetches what it needs for the next ones.
      { set.insert(/*shard=*/std::uint32_t{}, Codes{}, results, /*next=*/Codes{}) } -> std::same_as<void>;
    };

/// A table in cache lines of its own: threads that write to different tables must not write to the same line. A
/// processor may fetch lines in pairs.
template <class Table>
struct alignas(128) Apart : Table {
  using Table::Table;
  Apart(Table&& table) noexcept : Table(std::move(table)) {}
};

/// The sum of a property of tables.
template <class Tables, class Property>
std::uint64_t sum(const Tables& tables, Property property) {
  std::uint64_t total = 0;
  for (const auto& table : tables) total += (table.*property)();
  return total;
}

/// Calls `insert` for every place of some codes and, in between, `fetch` for every place of the next ones: one at a
/// time, because a processor can wait for few cache lines at once.
template <class Insert, class Fetch>
void insert_and_fetch(std::uint32_t count, Insert insert, std::uint32_t next, Fetch fetch) {
  const std::uint32_t both = std::min(count, next);
  for (std::uint32_t i = 0; i < both; ++i) {
    fetch(i);
    insert(i);
  }
  for (std::uint32_t i = both; i < count; ++i) insert(i);
  for (std::uint32_t i = both; i < next; ++i) fetch(i);
}

/// Of so many states, few shards get more than this number.
inline std::uint64_t expected_in_shard(std::uint64_t states) {
  const double mean = static_cast<double>(states) / shard_count;
  return static_cast<std::uint64_t>(mean + 3 * std::sqrt(mean)) + 1;
}

/// Splitting takes memory of its own while it lasts: whether there is enough to try.
inline bool has_room_to_split(std::uint64_t bytes, const Budget& budget) {
  return budget.left() >= bytes / 4 + (std::uint64_t{4} << 20);
}

}  // namespace scrimp
