#include "store/comback/backedge_table.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace scrimp {

namespace {

/// The number of bits of the largest number.
unsigned bits_for(std::uint64_t largest) { return static_cast<unsigned>(std::bit_width(largest)); }

}  // namespace

void BackedgeTable::write(std::uint64_t bit, unsigned width, std::uint64_t value) {
  if (width == 0) return;
  std::uint64_t word;
  std::memcpy(&word, bits_.data() + bit / 8, sizeof word);
  word |= value << bit % 8;  // these bits were zero
  std::memcpy(bits_.data() + bit / 8, &word, sizeof word);
}

/// Packs the open chunk, which is full.
bool BackedgeTable::pack() {
  const auto by_predecessor = [](const Backedge& a, const Backedge& b) { return a.predecessor < b.predecessor; };
  const auto [least, most] = std::minmax_element(open_.begin(), open_.end(), by_predecessor);
  std::uint32_t most_ordinal = 0;
  for (const Backedge& edge : open_) most_ordinal = std::max(most_ordinal, edge.ordinal);
  const StateId base = least->predecessor;
  const unsigned offset_bits = bits_for(most->predecessor - base);
  const unsigned ordinal_bits = bits_for(most_ordinal);
  const std::uint64_t words = (chunk_states * (offset_bits + ordinal_bits) + 63) / 64;
  if (!reserve(directory_, (packed_ + 1) * sizeof(Chunk)) || !reserve(bits_, (used_words_ + words + 1) * sizeof(Word)))
    return false;

  std::uint64_t bit = used_words_ * 64;
  for (const Backedge& edge : open_) {
    write(bit, offset_bits, edge.predecessor - base);
    write(bit + offset_bits, ordinal_bits, edge.ordinal);
    bit += offset_bits + ordinal_bits;
  }
  chunks()[packed_++] = {base, used_words_ & position_mask, static_cast<std::uint8_t>(offset_bits),
                         static_cast<std::uint8_t>(ordinal_bits)};
  used_words_ += words;
  return true;
}

/// Grows in small steps: nothing is copied, and free space is wasted space.
bool BackedgeTable::reserve(Region& region, std::size_t bytes) {
  if (bytes <= region.bytes()) return true;
  return region.resize(std::max(bytes, region.bytes() + std::max(least_step, region.bytes() / 32))) ||
         region.resize(bytes);
}

}  // namespace scrimp
