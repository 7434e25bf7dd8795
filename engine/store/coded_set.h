// compress=huffman, compress=rle: all states, each coded byte by byte (store/coded_records.h).
#pragma once

#include <cstdint>

#include "core/region_vector.h"
#include "store/cache_set.h"
#include "store/state_set.h"

namespace scrimp {

class CodedSet {
 public:
  CodedSet(const Machine& machine, const StateCode& code, Budget& budget)
      : words_(machine.words), set_(machine, CacheOptions{.code = code, .keeps_marks = false}, budget) {}

  Insertion insert(const Word* state) {
    Word key;
    prepare(state, 1, &key);
    return insert(state, key);
  }

  void insert(const Word* states, std::uint32_t count, Insertion* results) {
    for (std::uint32_t i = 0; i < count; ++i) results[i] = insert(states + std::size_t{i} * words_);
  }

  void prepare(const Word* states, std::uint32_t count, Word* keys) { set_.prepare(states, count, keys); }
  Insertion insert(const Word* state, Word key) { return set_.enter(state, key, 0).insertion; }

  std::uint64_t size() const { return set_.size(); }
  std::uint64_t bytes() const { return set_.bytes(); }
  std::uint64_t state_bytes() const { return set_.state_bytes(); }

 protected:
  std::size_t words_;
  CodedCacheSet set_;
};

/// The same with numbers of the states, in the order in which they were inserted: their slots, as none is removed.
class NumberedCodedSet : public CodedSet {
 public:
  NumberedCodedSet(const Machine& machine, const StateCode& code, Budget& budget)
      : CodedSet(machine, code, budget), numbers_(budget) {}

  Insertion insert(const Word* state) {
    Word key;
    prepare(state, 1, &key);
    return insert(state, key);
  }
  Insertion insert(const Word* state, Word key) {
    numbers_.resize(1);
    return insert(state, key, numbers_[0]);
  }
  void insert(const Word* states, std::uint32_t count, Insertion* results) {
    numbers_.resize(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      const Word* const state = states + std::size_t{i} * words_;
      Word key;
      prepare(state, 1, &key);
      results[i] = insert(state, key, numbers_[i]);
    }
  }

  /// Of the states that were inserted last.
  const Word* numbers() const { return numbers_.data(); }

 private:
  Insertion insert(const Word* state, Word key, Word& number) {
    const Entered entered = set_.enter(state, key, 0);
    number = entered.slot;
    return entered.insertion;
  }

  RegionVector<Word> numbers_;
};

static_assert(StateSet<CodedSet> && StateSet<NumberedCodedSet>);

}  // namespace scrimp
