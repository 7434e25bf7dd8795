// The backedge table of the ComBack method (EWK09, section 2.2): maps the number of a state to its predecessor's number
// and to its place among the predecessor's successors.
//
//     states        | 128 states | 128 states | 128 states | up to 128 states, not packed yet |
//     directory     |  { base, position, widths }  for each packed chunk, 16 bytes
//     bits          | offset ordinal | offset ordinal | ... | offset ordinal |
//
// For each chunk, the directory has the smallest predecessor, the base; offsets from it and ordinals are packed in as
// few bits as the largest of the chunk needs. In a breadth-first search the predecessors of consecutive states are
// close together: offsets have seven or eight bits, ordinals two or three, and a state takes less than 1.5 bytes. In a
// depth-first search an offset may need as many bits as the length of the path.
#pragma once

#include <array>
#include <cstdint>

#include "core/machine.h"
#include "core/memory.h"
#include "store/comback/state_id.h"
#include "store/line.h"

namespace scrimp {

class BackedgeTable {
 public:
  explicit BackedgeTable(Budget& budget) : directory_(budget), bits_(budget) {}

  /// Appends the backedge of the state with the next number. Returns false, with nothing changed, if the budget is
  /// exhausted.
  [[nodiscard]] bool append(const Backedge& edge) {
    if (size_ % chunk_states == 0 && size_ != 0 && !pack()) return false;
    open_[size_++ % chunk_states] = edge;
    return true;
  }

  Backedge operator[](StateId id) const {
    const std::uint64_t number = id / chunk_states;
    if (number == packed_) return open_[id % chunk_states];
    const Chunk& chunk = chunks()[number];
    const std::uint64_t bit = chunk.first_word * 64 + id % chunk_states * (chunk.offset_bits + chunk.ordinal_bits);
    return {chunk.base + read(bit, chunk.offset_bits),
            static_cast<std::uint32_t>(read(bit + chunk.offset_bits, chunk.ordinal_bits))};
  }

  /// A hint that this state's backedge will soon be read.
  void prefetch(StateId id) const {
    const std::uint64_t number = id / chunk_states;
    if (number == packed_) return;
    const Chunk& chunk = chunks()[number];
    fetch_line(bits_.data() + chunk.first_word * 8 + id % chunk_states * (chunk.offset_bits + chunk.ordinal_bits) / 8);
  }

  std::uint64_t size() const { return size_; }
  std::uint64_t bytes() const { return directory_.bytes() + bits_.bytes() + sizeof open_; }
  /// The bytes that the states take, without free space.
  std::uint64_t state_bytes() const {
    return packed_ * sizeof(Chunk) + used_words_ * sizeof(Word) + size_ % chunk_states * sizeof(Backedge);
  }

 private:
  static constexpr std::uint64_t chunk_states = 128;
  static constexpr std::size_t least_step = std::size_t{64} << 10;

  struct Chunk {
    StateId base;
    std::uint64_t first_word : 48;
    std::uint64_t offset_bits : 8;
    std::uint64_t ordinal_bits : 8;
  };
  static_assert(sizeof(Chunk) == 16);
  static constexpr std::uint64_t position_mask = (std::uint64_t{1} << 48) - 1;

  Chunk* chunks() const { return directory_.as<Chunk>(); }

  /// Fields have at most 57 bits, so each lies within eight bytes from the byte of its first bit on.
  std::uint64_t read(std::uint64_t bit, unsigned width) const;
  void write(std::uint64_t bit, unsigned width, std::uint64_t value);

  bool pack();
  static bool reserve(Region& region, std::size_t bytes);

  Region directory_;
  Region bits_;
  std::uint64_t packed_ = 0;  // chunks
  std::uint64_t used_words_ = 0;
  std::uint64_t size_ = 0;
  std::array<Backedge, chunk_states> open_;
};

inline std::uint64_t BackedgeTable::read(std::uint64_t bit, unsigned width) const {
  std::uint64_t word;
  __builtin_memcpy(&word, bits_.data() + bit / 8, sizeof word);
  return word >> bit % 8 & ((std::uint64_t{1} << width) - 1);
}

}  // namespace scrimp
