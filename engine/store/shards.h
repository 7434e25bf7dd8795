// Sets of states into which several threads insert at the same time.
//
// A table holds its entries in the order of their hashes, up to probing. A shard is the part of the table for the
// hashes that agree in their upper bits:
//
//     | shard 0       | shard 1       | shard 2       |  ...  | shard 255     | margin |
//             section         section         section             section
//
// Each shard is used by one thread at a time, which reads and writes nothing but the lines that belong to its shard
// alone: its section. A state for which that is not enough, because its home is shared with the next shard or its probe
// leaves the section, is left undecided, and inserted by one thread afterwards. These are few. So there is one table
// for one thread and for many, and it grows as a whole. Inserting states takes five steps:
//
//     look_up      the codes of states, as far as they are known; any thread, nothing changes
//     number       the codes that were not known, because some part of the state is new; one thread
//     place        the shard of each code; any thread, nothing changes
//     insert       into the section of a shard; one thread for each shard
//     insert_late  what was left undecided; one thread
//
// Most sets know every code (`codes_at_once`) and need no second step. The table grows before the fourth, by all
// threads (store/waves.h), or during the fifth.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>

#include "store/state_set.h"
#include "store/waves.h"

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
                              Shard* shards, Insertion* results, typename Set::Scratch& scratch,
                              const typename Set::Section& section, const Crew& crew) {
      /// Whether it has shards at all.
      { constant.can_share() } -> std::same_as<bool>;
      /// Reviews its representation if it is time to. Only between rounds.
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

      /// Makes room for so many codes, some of which may be known. Returns false if the table should take no more.
      { set.make_room(/*codes=*/std::uint64_t{}, crew) } -> std::same_as<bool>;
      { constant.section(/*shard=*/std::uint32_t{}) } -> std::same_as<typename Set::Section>;
      { constant.fetch(section, Codes{}) } -> std::same_as<void>;
      /// While it inserts some codes, it fetches what it needs for the next ones. Codes that are left undecided have no
      /// room.
      { set.insert(section, Codes{}, results, /*next=*/Codes{}) } -> std::same_as<void>;
      /// All threads together have inserted so many fresh states.
      { set.count_inserted(/*fresh=*/std::uint64_t{}) } -> std::same_as<void>;
      { set.insert_late(/*code=*/states) } -> std::same_as<Insertion>;
    };

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

}  // namespace scrimp
