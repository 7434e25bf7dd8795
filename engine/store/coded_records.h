// compress=huffman, compress=rle: records are codes of the bytes of states (HGP92, section 6).
//
// A code is self-delimiting: decoding it shows when the state is complete. So no code is a prefix of another, and a
// record belongs to a state if it begins with the state's code; its length need not be stored.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "core/hash.h"
#include "store/block_arena.h"
#include "store/column.h"
#include "store/huffman_code.h"
#include "store/record_set.h"

namespace scrimp {

class CodedRecords {
 public:
  struct Image {
    const std::uint8_t* code;
    std::size_t length;
  };
  static constexpr std::uint64_t most_slots = BlockArena::most_places - 1;

  CodedRecords(const Machine& machine, const StateCode& code, Budget& budget);

  Word hash(const Word* state) const { return hash_words(state, words_); }

  Image image(const Word* state);
  bool holds(Slot slot, Image image) const { return std::memcmp(record(slot), image.code, image.length) == 0; }
  bool write(Slot slot, Image image);
  void read(Slot slot, Word* state) const { decode(slot, state); }
  void remove(Slot slot, Word* state);

  Slot link(Slot slot) const { return places_[slot] == no_slot ? no_slot : places_[slot] & ~is_free; }
  void set_link(Slot slot, Slot next) { places_[slot] = next | is_free; }

  std::uint32_t words() const { return words_; }
  std::size_t row_bytes() const { return sizeof(BlockArena::Place); }
  [[nodiscard]] bool resize(std::uint64_t slots) { return places_.resize(slots); }
  std::uint64_t bytes() const { return arena_.bytes() + places_.bytes(); }
  std::uint64_t state_bytes(std::uint64_t) const { return code_bytes_; }

 private:
  static constexpr std::uint32_t is_free = BlockArena::most_places;  // a bit that is never set in a place

  const std::uint8_t* record(Slot slot) const {
    return reinterpret_cast<const std::uint8_t*>(arena_.at(places_[slot]));
  }
  std::size_t decode(Slot slot, Word* state) const;
  BlockArena::Place find_room(std::size_t bytes);

  std::uint32_t words_;
  StateCode::Kind kind_;
  const ByteFields& fields_;
  HuffmanCode huffman_;
  mutable std::vector<std::uint8_t> bytes_;  // of one state
  std::vector<std::uint8_t> code_;
  BlockArena arena_;
  Column<BlockArena::Place> places_;  // of the records; a link for a slot without one
  Slot used_ = 0;                     // slots that ever had a record; they are the first ones
  std::uint64_t code_bytes_ = 0;
};

}  // namespace scrimp
