// compress=none: records are the words of the states.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "core/hash.h"
#include "core/memory.h"
#include "store/column.h"
#include "store/record_set.h"

namespace scrimp {

/// `Words` is the number of words of a state, or 0 if it is known only at run time.
template <std::uint32_t Words>
class WordRecords {
 public:
  using Image = const Word*;
  static constexpr std::uint64_t most_slots = no_slot;

  WordRecords(const Machine& machine, const StateCode&, Budget& budget) : words_(machine.words), region_(budget) {}

  Word hash(const Word* state) const {
    if constexpr (Words == 1) return mix(*state);
    return hash_words(state, static_cast<std::uint32_t>(words()));
  }

  Image image(const Word* state) const { return state; }
  bool holds(Slot slot, Image state) const { return std::equal(state, state + words(), record(slot)); }
  bool write(Slot slot, Image state) const { return std::copy(state, state + words(), record(slot)), true; }
  void read(Slot slot, Word* state) const { std::copy(record(slot), record(slot) + words(), state); }
  void remove(Slot slot, Word* state) const { read(slot, state); }

  Slot link(Slot slot) const { return static_cast<Slot>(*record(slot)); }
  void set_link(Slot slot, Slot next) const { *record(slot) = next; }

  std::uint32_t words() const { return Words == 0 ? words_ : Words; }
  std::size_t row_bytes() const { return words() * sizeof(Word); }
  [[nodiscard]] bool resize(std::uint64_t rows) { return region_.resize(rows * row_bytes()); }
  std::uint64_t bytes() const { return region_.bytes(); }
  std::uint64_t state_bytes(std::uint64_t states) const { return states * row_bytes(); }

 private:
  Word* record(Slot slot) const { return region_.template as<Word>() + std::size_t{slot} * words(); }

  std::uint32_t words_;
  Region region_;
};

}  // namespace scrimp
