// The records of states and their references side by side, so that one cache line has both.
//
//     | state: its words | after, edges, standing |
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/hash.h"
#include "core/memory.h"
#include "store/column.h"
#include "store/record_set.h"

namespace scrimp {

enum class Standing : std::uint8_t { absent, pending, on_path, explored };

struct Reference {
  Slot after;           // of a pending state: the next one
  std::uint16_t edges;  // unexplored edges into the state; `uncounted`: unknown
  Standing standing;

  static constexpr std::uint16_t uncounted = 0xffff;
};
static_assert(sizeof(Reference) == sizeof(Word));

/// `Words` is the number of words of a state, or 0 if it is known only at run time.
template <std::uint32_t Words>
class ReferenceRecords {
 public:
  using Image = const Word*;
  static constexpr std::uint64_t most_slots = no_slot;

  ReferenceRecords(const Machine& machine, const StateCode&, Budget& budget) : words_(machine.words), region_(budget) {}

  Word hash(const Word* state) const {
    if constexpr (Words == 1) return mix(*state);
    return hash_words(state, words());
  }

  Image image(const Word* state) const { return state; }
  bool holds(Slot slot, Image state) const { return std::equal(state, state + words(), row(slot)); }
  bool write(Slot slot, Image state) const { return std::copy(state, state + words(), row(slot)), true; }
  void read(Slot slot, Word* state) const { std::copy(row(slot), row(slot) + words(), state); }
  void remove(Slot slot, Word* state) const { read(slot, state); }

  Slot link(Slot slot) const { return static_cast<Slot>(*row(slot)); }
  void set_link(Slot slot, Slot next) const { *row(slot) = next; }

  Reference& reference(Slot slot) const { return *reinterpret_cast<Reference*>(row(slot) + words()); }
  void prefetch(Slot slot) const { __builtin_prefetch(row(slot), 1); }

  std::uint32_t words() const { return Words == 0 ? words_ : Words; }
  std::size_t row_bytes() const { return (words() + 1) * sizeof(Word); }
  [[nodiscard]] bool resize(std::uint64_t rows) { return region_.resize(rows * row_bytes()); }
  std::uint64_t bytes() const { return region_.bytes(); }
  std::uint64_t state_bytes(std::uint64_t states) const { return states * row_bytes(); }

 private:
  Word* row(Slot slot) const { return region_.template as<Word>() + std::size_t{slot} * (words() + 1); }

  std::uint32_t words_;
  Region region_;
};

}  // namespace scrimp
