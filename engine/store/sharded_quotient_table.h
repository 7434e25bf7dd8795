// A QuotientTable that can be split into shards by the upper bits of its numbers.
//
//     number   [ shard ][ what the shard stores ]
//
// The bits that choose the shard are not stored, as little as those that choose a line within a table: splitting makes
// entries neither longer nor shorter. Widened numbers keep their upper bits, and so their shard.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "store/quotient_table.h"
#include "store/shards.h"

namespace scrimp {

class ShardedQuotientTable {
 public:
  ShardedQuotientTable(Budget& budget, unsigned bits, std::uint64_t expected = 0, unsigned annotation_bits = 0)
      : budget_(&budget), bits_(bits), whole_(budget, bits, expected, annotation_bits) {}

  Insertion insert(Word number) {
    return is_split() ? shards_[shard_of(number)].insert(rest_of(number)) : whole_.insert(number);
  }
  void insert(const Word* numbers, std::uint32_t count, Insertion* results) {
    if (!is_split()) return whole_.insert(numbers, count, results);
    for (std::uint32_t i = 0; i < std::min(count, ahead); ++i) prefetch(numbers[i]);
    for (std::uint32_t i = 0; i < count; ++i) {
      if (i + ahead < count) prefetch(numbers[i + ahead]);
      results[i] = insert(numbers[i]);
    }
  }
  void prefetch(Word number) const {
    is_split() ? shards_[shard_of(number)].prefetch(rest_of(number)) : whole_.prefetch(number);
  }
  bool contains(Word number) const {
    return is_split() ? shards_[shard_of(number)].contains(rest_of(number)) : whole_.contains(number);
  }

  /// As in QuotientTable, for a `recode` that keeps the shard. If there is no room after it is split, no number can be
  /// inserted any more.
  template <class Recode>
  bool recode(unsigned bits, Recode recode) {
    if (!is_split()) {
      if (!whole_.recode(bits, recode)) return false;
      bits_ = bits;
      return true;
    }
    for (std::uint32_t shard = 0; shard < shard_count; ++shard) {
      const Word upper = Word{shard} << (bits_ - shard_bits), mask = lower_bits(bits - shard_bits);
      if (!shards_[shard].recode(bits - shard_bits, [&](Word rest) { return recode(upper | rest) & mask; }))
        return false;
    }
    bits_ = bits;
    return true;
  }

  Budget& budget() const { return *budget_; }
  std::uint64_t size() const { return is_split() ? sum(shards_, &QuotientTable::size) : whole_.size(); }
  std::uint64_t bytes() const { return is_split() ? sum(shards_, &QuotientTable::bytes) : whole_.bytes(); }
  std::uint64_t state_bytes() const {
    return is_split() ? sum(shards_, &QuotientTable::state_bytes) : whole_.state_bytes();
  }
  double stored_bits(unsigned bits) const {
    return is_split() ? shards_[0].stored_bits(bits - shard_bits) : whole_.stored_bits(bits);
  }

  template <class Visit>
  void for_each(Visit visit) const {
    if (!is_split()) return whole_.for_each(visit);
    for (std::uint32_t shard = 0; shard < shard_count; ++shard) {
      const Word upper = Word{shard} << (bits_ - shard_bits);
      shards_[shard].for_each([&](Word rest, Word annotation) { visit(upper | rest, annotation); });
    }
  }

  bool can_split() const { return bits_ >= least_bits && has_room_to_split(bytes(), *budget_); }
  bool is_split() const { return !shards_.empty(); }
  bool split() {
    shards_.reserve(shard_count);
    const std::uint64_t numbers = expected_in_shard(whole_.size());
    for (std::uint32_t i = 0; i < shard_count; ++i) shards_.push_back(make_shard(0));
    bool complete = true;
    whole_.drain([&](Word number) {
      QuotientTable& shard = shards_[shard_of(number)];
      if (shard.size() == 0) shard = make_shard(numbers);  // see sharded_plain_set.h
      complete = complete && shard.insert(rest_of(number)) == Insertion::fresh;
    });
    return complete;
  }

  void place(Word* numbers, std::uint32_t count, Shard* shards) const {
    for (std::uint32_t i = 0; i < count; ++i) {
      shards[i] = shard_of(numbers[i]);
      numbers[i] = rest_of(numbers[i]);
    }
  }
  void fetch(std::uint32_t shard, Codes rests) const {
    for (std::uint32_t i = 0; i < rests.count; ++i) shards_[shard].prefetch(rests.first[i]);
  }
  void insert(std::uint32_t shard, Codes rests, Insertion* results, Codes next) {
    QuotientTable& table = shards_[shard];
    insert_and_fetch(
        rests.count, [&](std::uint32_t i) { results[i] = table.insert(rests.first[i]); }, next.count,
        [&](std::uint32_t i) { table.prefetch(next.first[i]); });
  }

 private:
  static constexpr std::uint32_t ahead = 32;
  /// A table of narrower numbers is too small to be worth splitting.
  static constexpr unsigned least_bits = 20;

  QuotientTable make_shard(std::uint64_t expected) const {
    return QuotientTable(*budget_, bits_ - shard_bits, expected, 0, shard_count);
  }

  static Word lower_bits(unsigned bits) { return (Word{1} << bits) - 1; }
  Shard shard_of(Word number) const { return static_cast<Shard>(number >> (bits_ - shard_bits)); }
  Word rest_of(Word number) const { return number & lower_bits(bits_ - shard_bits); }

  Budget* budget_;
  unsigned bits_;
  QuotientTable whole_;                       // until it is split
  std::vector<Apart<QuotientTable>> shards_;  // from then on
};

}  // namespace scrimp
