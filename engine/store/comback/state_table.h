// The state table of the ComBack method (EWK09, section 2.2): maps the hash of a state to the numbers of the states
// with that hash. The states themselves are not stored.
//
//     hash, b bits            | home line | remainder |
//     a line of 64 bytes      | slot | slot | ... | slot | header |      store/quotient_line.h draws it
//     a slot                  | remainder | number |                     low bits first
//
// Only the remainder of a hash is stored; the line determines the rest (store/quotient_table.h says how, and how the
// table grows). Numbers take as many bits as the table's capacity requires. When it grows, remainders lose the bits
// that numbers gain: a slot has about b + 5 bits at any size, so that 13 of them fit in a line with b = 31, and a state
// takes 5.5 bytes at a load of nine tenths.
//
// A collision list is just the slots with the same hash. They share a home, which is too small for many. So a hash that
// is too narrow for the size of the table is widened to a key:
//
//     key                     | hash | some bits of the mixed number |
//
// The keys of a hash then span several lines, all of which are searched. If hashes are wide enough, a key is a hash.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "core/hash.h"
#include "core/memory.h"
#include "store/comback/state_id.h"
#include "store/divisor.h"
#include "store/growth.h"
#include "store/quotient_line.h"

namespace scrimp {

class StateTable {
 public:
  /// A hash of this width and a number fit in one word.
  static constexpr unsigned most_hash_bits = 56;
  /// So that lines have 13 slots; among ten million states one in two hundred shares its hash with another.
  static constexpr unsigned usual_hash_bits = 31;

  /// The highest `hash_bits` bits of the given hashes are used; 0: as many as are worth their memory.
  StateTable(Budget& budget, unsigned hash_bits);

  /// Calls `visit` with the number of every state that has this hash.
  template <class Visit>
  void find(Word hash, Visit visit) const {
    if (shape_.extra_bits != 0) return find_in_span(hash, visit);
    const auto [home, remainder] = shape_.divisor.divide(hash_part(hash));
    const std::byte* const line = line_at(home);
    const std::uint32_t header = LineFormat::header(line);
    find_in(line, header, 0, remainder, visit);
    if (header & LineFormat::overflowed) [[unlikely]]
      find_further(home, remainder, visit);
  }

  void prefetch(Word hash) const { fetch_line(line_at(shape_.divisor.divide(first_key(hash)).quotient)); }

  /// Adds a state, whose number is the current size. Returns false, with nothing changed, if the budget is exhausted.
  [[nodiscard]] bool insert(Word hash) {
    if (size_ >= limit_ && !make_room()) [[unlikely]]
      return false;
    place(key(hash_part(hash), size_), size_);
    ++size_;
    return true;
  }

  std::uint64_t size() const { return size_; }
  unsigned hash_bits() const { return hash_bits_; }
  std::uint64_t bytes() const { return region_.bytes() + waiting_.capacity() * sizeof(Entry); }
  /// The share of a line that each state takes, header included.
  std::uint64_t state_bytes() const { return size_ * line_bytes / shape_.format.slots(); }

 private:
  static constexpr Load usual_load{90}, last_load{96};
  static constexpr Load crowded_load{60};  // growing helps the waiting entries only if the whole table is this full
  static constexpr std::uint64_t chunk_lines = 256;
  static constexpr std::size_t most_waiting = 64;
  static constexpr std::uint64_t margin_lines = 16;  // no format has more classes
  static constexpr unsigned least_remainder_bits = LineFormat::least_width;

  struct Entry {
    Word key;
    StateId id;
  };

  /// The layout of keys and numbers in a table of a given size.
  struct Shape {
    Shape(unsigned hash_bits, std::size_t bytes) : Shape(hash_bits, bytes / line_bytes - margin_lines, 0) {}

    std::uint64_t slots() const { return homes * format.slots(); }

    unsigned extra_bits;  // of keys, beyond the hash
    Divisor divisor;
    std::uint64_t homes;
    unsigned remainder_bits;
    unsigned number_bits;
    LineFormat format;

   private:
    Shape(unsigned hash_bits, std::uint64_t lines, int)
        : extra_bits(std::max(hash_bits, least_key_bits(lines)) - hash_bits),
          divisor(last_key(hash_bits + extra_bits) / lines + 1),
          homes(divisor.divide(last_key(hash_bits + extra_bits)).quotient + 1),
          remainder_bits(static_cast<unsigned>(std::bit_width(divisor.value() - 1))),
          number_bits(bits_for_numbers()),
          format(remainder_bits + number_bits) {}

    static unsigned least_key_bits(std::uint64_t lines) {
      return static_cast<unsigned>(std::bit_width(lines)) + least_remainder_bits;
    }
    static Word last_key(unsigned bits) { return ~Word{0} >> (64 - bits); }

    unsigned bits_for_numbers() const {
      unsigned bits = 1;
      while (last_load.of(homes * LineFormat(remainder_bits + bits).slots()) > std::uint64_t{1} << bits) ++bits;
      return bits;
    }
  };

  std::byte* line_at(std::uint64_t index) const { return region_.data() + index * line_bytes; }
  Word hash_part(Word hash) const { return hash >> (64 - hash_bits_); }
  Word first_key(Word hash) const { return hash_part(hash) << shape_.extra_bits; }
  Word key(Word hash_part, StateId id) const {
    if (shape_.extra_bits == 0) return hash_part;
    return hash_part << shape_.extra_bits | mix(id + 1) >> (64 - shape_.extra_bits);
  }
  Word slot_of(Word remainder, StateId id) const { return remainder | id << shape_.remainder_bits; }

  template <class Visit>
  void find_in(const std::byte* line, std::uint32_t header, unsigned displacement, Word remainder, Visit visit) const {
    SlotMask matches = shape_.format.tagged(line, header, displacement, remainder);
    for (; matches != 0; matches &= matches - 1) {
      const Word slot = shape_.format.entry_at(line, static_cast<unsigned>(std::countr_zero(matches)));
      if (((slot ^ remainder) & ((Word{1} << shape_.remainder_bits) - 1)) == 0) visit(slot >> shape_.remainder_bits);
    }
  }

  template <class Visit>
  void find_further(std::uint64_t home, Word remainder, Visit visit) const;
  template <class Visit>
  void find_in_span(Word hash, Visit visit) const;

  void place(Word key, StateId id);
  void push_further(std::uint64_t home, Word slot);
  bool make_room();
  bool grow();
  void set_limit() { limit_ = usual_load.of(shape_.slots()); }

  /// Calls `visit` with the key and the number of every state in a line.
  template <class Visit>
  static void decode(const Shape& shape, const std::byte* line, std::uint64_t index, Visit visit);
  void spread(const Shape& old, std::uint64_t old_lines);

  const unsigned hash_bits_;
  Region region_;
  Shape shape_;
  std::uint64_t size_ = 0;
  std::uint64_t limit_ = 0;     // make room when this many states are stored
  std::vector<Entry> waiting_;  // out of reach of their home
};

template <class Visit>
void StateTable::find_further(std::uint64_t home, Word remainder, Visit visit) const {
  const LineFormat& format = shape_.format;
  for (unsigned displacement = 1; displacement < format.classes(); ++displacement) {
    const std::byte* const line = line_at(home + displacement);
    const std::uint32_t header = LineFormat::header(line);
    find_in(line, header, displacement, remainder, visit);
    if (format.at_least(header, displacement) < format.slots()) return;
  }
  const Word wanted = home * shape_.divisor.value() + remainder;
  for (const Entry& entry : waiting_)
    if (entry.key == wanted) visit(entry.id);
}

template <class Visit>
void StateTable::find_in_span(Word hash, Visit visit) const {
  const Word first = first_key(hash);
  const std::uint64_t begin = shape_.divisor.divide(first).quotient;
  const std::uint64_t end = shape_.divisor.divide(first + (Word{1} << shape_.extra_bits) - 1).quotient;
  const auto visit_own = [&](const Entry& entry) {
    if (entry.key >> shape_.extra_bits == hash_part(hash)) visit(entry.id);
  };
  for (std::uint64_t line = begin; line < end + shape_.format.classes(); ++line)
    decode(shape_, line_at(line), line, visit_own);
  for (const Entry& entry : waiting_) visit_own(entry);
}

template <class Visit>
void StateTable::decode(const Shape& shape, const std::byte* line, std::uint64_t index, Visit visit) {
  const std::uint32_t header = LineFormat::header(line);
  const Word remainder_mask = (Word{1} << shape.remainder_bits) - 1;
  unsigned place = 0;
  for (unsigned displacement = shape.format.classes(); displacement-- > 0;) {
    const Word base = (index - displacement) * shape.divisor.value();
    for (const unsigned end = shape.format.at_least(header, displacement); place < end; ++place) {
      const Word slot = shape.format.entry_at(line, place);
      visit(Entry{base + (slot & remainder_mask), slot >> shape.remainder_bits});
    }
  }
}

}  // namespace scrimp
