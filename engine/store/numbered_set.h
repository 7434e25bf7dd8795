// States with their numbers beside them, in the order in which they were inserted: what an exported LTS calls them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/region_vector.h"
#include "store/plain_set.h"
#include "store/state_set.h"
#include "store/tree_set.h"

namespace scrimp {

/// `Set` has a word beside every state.
template <class Set>
class NumberedSet {
 public:
  NumberedSet(const Machine& machine, Budget& budget)
      : words_(machine.words), set_(machine, budget), keys_(budget), numbers_(budget) {}

  Insertion insert(const Word* state) {
    Word key;
    set_.prepare(state, 1, &key);
    return insert(state, key);
  }
  Insertion insert(const Word* state, Word key) {
    numbers_.resize(1);
    return insert(state, key, numbers_[0]);
  }
  void insert(const Word* states, std::uint32_t count, Insertion* results) {
    keys_.resize(count);
    numbers_.resize(count);
    set_.prepare(states, std::min(count, ahead), keys_.data());
    for (std::uint32_t i = 0; i < count; ++i) {
      if (i + ahead < count) set_.prepare(state(states, i + ahead), 1, &keys_[i + ahead]);
      results[i] = insert(state(states, i), keys_[i], numbers_[i]);
    }
  }
  void prepare(const Word* states, std::uint32_t count, Word* keys) { set_.prepare(states, count, keys); }

  /// Of the states that were inserted last.
  const Word* numbers() const { return numbers_.data(); }

  std::uint64_t size() const { return set_.size(); }
  std::uint64_t bytes() const { return set_.bytes() + keys_.bytes() + numbers_.bytes(); }
  std::uint64_t state_bytes() const { return set_.state_bytes(); }

 private:
  static constexpr std::uint32_t ahead = 32;  // states hashed and fetched before they are inserted

  const Word* state(const Word* states, std::uint32_t i) const { return states + std::size_t{i} * words_; }

  Insertion insert(const Word* state, Word key, Word& number) {
    const auto place = set_.place(state, key);
    if (place.insertion == Insertion::fresh) *place.beside = set_.size() - 1;
    if (place.insertion != Insertion::no_room) number = *place.beside;
    return place.insertion;
  }

  const std::uint32_t words_;
  Set set_;
  RegionVector<Word> keys_;
  RegionVector<Word> numbers_;
};

static_assert(StateSet<NumberedSet<PlainSet<0, 1>>> && StateSet<NumberedSet<TreeSet<0, 1>>>);

}  // namespace scrimp
