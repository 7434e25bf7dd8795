#include "store/coded_records.h"

#include <algorithm>

#include "store/huffman_table.h"
#include "store/run_length_code.h"

namespace scrimp {
namespace {

std::size_t most_code_bytes(const StateCode& code) {
  const std::size_t bytes = code.fields->bytes;
  switch (code.kind) {
    case StateCode::Kind::huffman: return HuffmanCode::most_bytes(bytes);
    case StateCode::Kind::run_length: return RunLengthCode::most_bytes(bytes);
  }
  return 0;
}

}  // namespace

CodedRecords::CodedRecords(const Machine& machine, const StateCode& code, Budget& budget)
    : words_(machine.words),
      kind_(code.kind),
      fields_(*code.fields),
      huffman_(byte_code_lengths()),
      bytes_(fields_.bytes),
      code_(most_code_bytes(code) + sizeof(Word)),
      arena_(most_code_bytes(code), budget),
      places_(budget) {}

CodedRecords::Image CodedRecords::image(const Word* state) {
  fields_.unpack(state, bytes_.data());
  switch (kind_) {
    case StateCode::Kind::huffman: return {code_.data(), huffman_.encode(bytes_.data(), bytes_.size(), code_.data())};
    case StateCode::Kind::run_length:
      return {code_.data(), RunLengthCode::encode(bytes_.data(), bytes_.size(), code_.data())};
  }
  return {};
}

std::size_t CodedRecords::decode(Slot slot, Word* state) const {
  std::size_t length = 0;
  switch (kind_) {
    case StateCode::Kind::huffman: length = huffman_.decode(record(slot), bytes_.size(), bytes_.data()); break;
    case StateCode::Kind::run_length: length = RunLengthCode::decode(record(slot), bytes_.size(), bytes_.data()); break;
  }
  fields_.pack(bytes_.data(), state, words_);
  return length;
}

bool CodedRecords::write(Slot slot, Image image) {
  const BlockArena::Place place = find_room(image.length);
  if (place == BlockArena::nowhere) return false;
  std::memcpy(arena_.at(place), image.code, image.length);
  places_[slot] = place;
  used_ = std::max(used_, slot + 1);
  code_bytes_ += image.length;
  return true;
}

/// If the free memory has the wrong block size, compacts the records.
BlockArena::Place CodedRecords::find_room(std::size_t bytes) {
  const BlockArena::Place place = arena_.allocate(bytes);
  if (place != BlockArena::nowhere || !arena_.can_close_slabs()) return place;
  arena_.close_slabs();
  for (Slot slot = 0; slot < used_; ++slot)
    if ((places_[slot] & is_free) == 0 && arena_.must_move(places_[slot])) places_[slot] = arena_.move(places_[slot]);
  return arena_.allocate(bytes);
}

void CodedRecords::remove(Slot slot, Word* state) {
  code_bytes_ -= decode(slot, state);
  arena_.free(places_[slot]);
  set_link(slot, no_slot);
}

}  // namespace scrimp
