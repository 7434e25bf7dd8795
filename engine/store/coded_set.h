// compress=huffman, compress=rle: all states, each coded byte by byte (store/coded_records.h).
#pragma once

#include <cstdint>

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

 private:
  std::size_t words_;
  CodedCacheSet set_;
};

static_assert(StateSet<CodedSet>);

}  // namespace scrimp
