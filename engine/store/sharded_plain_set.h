// A PlainSet that can be split into shards by the upper bits of the hash.
//
// A table holds its states in the order of their hashes, so that draining it from the end fills one shard after the
// other. Each gets its room when its first state arrives: as it would fill up from its end, it could not grow well.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "store/plain_set.h"
#include "store/shards.h"

namespace scrimp {

/// `Words` is as in PlainSet.
template <std::uint32_t Words>
class ShardedPlainSet {
  using Table = PlainSet<Words>;

 public:
  static constexpr std::size_t annotations = 0;
  static constexpr bool keys_are_hashes = true;
  using Entry = Visited;

  ShardedPlainSet(const Machine& machine, Budget& budget) : ShardedPlainSet(budget, machine.words) {}
  ShardedPlainSet(Budget& budget, std::uint32_t words) : budget_(&budget), words_(words), whole_(budget, words) {}

  Insertion insert(const Word* state) { return visit(state, key_of(state)).insertion; }
  void insert(const Word* states, std::uint32_t count, Insertion* results) {
    if (!is_split()) return whole_.insert(states, count, results);
    Word keys[ahead];
    const auto look_ahead = [&](std::uint32_t i) {
      const Word key = keys[i % ahead] = key_of(states + std::size_t{i} * words());
      shards_[shard_of(key)].fetch(key);
    };
    for (std::uint32_t i = 0; i < std::min(count, ahead); ++i) look_ahead(i);
    for (std::uint32_t i = 0; i < count; ++i) {
      const Word key = keys[i % ahead];
      results[i] = shards_[shard_of(key)].visit(states + std::size_t{i} * words(), key).insertion;
      if (i + ahead < count) look_ahead(i + ahead);
    }
  }
  void prefetch(Word state) const { table_for(key_of(&state)).prefetch(state); }

  void prepare(const Word* states, std::uint32_t count, Word* keys) const {
    for (std::uint32_t i = 0; i < count; ++i) {
      keys[i] = key_of(states + std::size_t{i} * words());
      table_for(keys[i]).fetch(keys[i]);
    }
  }
  Visited visit(const Word* state, Word key) {
    return is_split() ? shards_[shard_of(key)].visit(state, key) : whole_.visit(state, key);
  }
  Word key_of(const Word* state) const { return whole_.key_of(state); }
  bool contains(const Word* state) const { return table_for(key_of(state)).contains(state); }

  std::size_t row_words() const { return words(); }
  template <class Use>
  bool for_each_row(Use use) const {
    if (!is_split()) return whole_.for_each_row(use);
    for (const Table& shard : shards_) shard.for_each_row(use);
    return true;
  }
  bool add_row(const Word* row) { return insert(row) == Insertion::fresh; }
  /// Calls `use` with every state, and frees its memory on the way. The set cannot be used afterwards.
  template <class Use>
  void drain(Use use) {
    std::vector<Word> state(words());
    const auto decode = [&](const Word* coded) {
      std::copy(coded, coded + words(), state.begin());
      whole_.decode(state.data());
      use(static_cast<const Word*>(state.data()));
    };
    if (!is_split()) return whole_.drain(decode);
    for (Table& shard : shards_) shard.drain(decode);
  }

  std::uint64_t size() const { return is_split() ? sum(shards_, &Table::size) : whole_.size(); }
  std::uint64_t bytes() const { return is_split() ? sum(shards_, &Table::bytes) : whole_.bytes(); }
  std::uint64_t state_bytes() const { return size() * words() * sizeof(Word); }

  struct Scratch {};

  bool can_split() const { return has_room_to_split(bytes(), *budget_); }
  bool is_split() const { return !shards_.empty(); }
  bool split() {
    shards_.reserve(shard_count);
    for (std::uint32_t i = 0; i < shard_count; ++i) shards_.emplace_back(*budget_, words_, shard_bits);
    const std::uint64_t states = expected_in_shard(whole_.size());
    bool complete = true;
    whole_.drain([&](const Word* code) {
      if (!complete) return;
      Table& shard = shards_[shard_of(*code)];
      complete = (shard.size() != 0 || shard.reserve(states)) && shard.insert_coded(code) == Insertion::fresh;
    });
    return complete;
  }
  void review_if_due() {}

  std::size_t code_words() const { return words(); }
  bool codes_at_once() const { return true; }
  bool codes_cheaply() const { return true; }
  void look_up(const Word* states, std::uint32_t count, Word* codes, Scratch&) const {
    for (std::uint32_t i = 0; i < count; ++i, states += words(), codes += words()) whole_.code(states, codes);
  }
  bool number(const Word*, std::uint32_t, Word*) { return true; }
  void place(Word* codes, std::uint32_t count, Shard* shards) const {
    for (std::uint32_t i = 0; i < count; ++i, codes += words()) shards[i] = shard_of(*codes);
  }
  void fetch(std::uint32_t shard, Codes codes) const {
    for (std::uint32_t i = 0; i < codes.count; ++i) shards_[shard].fetch(codes.first[i * words()]);
  }
  void insert(std::uint32_t shard, Codes codes, Insertion* results, Codes next) {
    Table& table = shards_[shard];
    insert_and_fetch(
        codes.count, [&](std::uint32_t i) { results[i] = table.insert_coded(codes.first + i * words()); }, next.count,
        [&](std::uint32_t i) { table.fetch(next.first[i * words()]); });
  }

 private:
  static constexpr std::uint32_t ahead = 32;

  std::size_t words() const { return Words == 0 ? words_ : Words; }
  static Shard shard_of(Word key) { return static_cast<Shard>(key >> (64 - shard_bits)); }
  const Table& table_for(Word key) const { return is_split() ? shards_[shard_of(key)] : whole_; }

  Budget* budget_;
  std::uint32_t words_;
  Table whole_;                       // until it is split
  std::vector<Apart<Table>> shards_;  // from then on
};

static_assert(EnumerableSet<ShardedPlainSet<0>> && ShardableSet<ShardedPlainSet<1>>);

}  // namespace scrimp
