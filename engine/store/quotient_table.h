// A set of numbers of b bits, each stored in fewer bits: its position determines part of the number (Cleary 1984).
//
//     0           D           2D                                             2^b
//     |-----------|-----------|-----------|-- ... --|-----------|-----------|      numbers
//        line 0      line 1      line 2                line homes-1   + a few lines
//
// The number h has its home in line h / D and is stored as its remainder h % D, with its displacement: a full line
// passes remainders on to the next (store/quotient_line.h draws a line). They are passed on in order of home ("Robin
// Hood"): a remainder further from home takes the place of one nearer to it. That keeps displacements so short that a
// few classes per line suffice at a load of nine tenths; the odd number that finds no place within reach waits in a
// list until the table grows. D need not be a power of two, so the table can have any size. Numbers must be spread
// evenly: mix them first.
//
//   look up  L1  home line and remainder by one division
//            L2  the remainder is in the home line: known
//            L3  nothing overflowed from the home line: absent
//            L4  in the next lines, while they are full of remainders at least as far from home
//            L5  out of reach: in the waiting list
//
// Growing (D shrinks, so remainders take fewer bits) is a sequential pass in place, as in store/plain_set.h: lines are
// decoded and inserted again from the last to the first, in chunks; a number's new home never lies before its old one.
// Several threads do that in waves (store/waves.h); the few numbers that would change lines of another thread are
// inserted at the end.
// A table that takes many numbers from elsewhere is filled in order, without ever growing: the numbers are parted in
// place by their upper bits, the greatest first, and taken from their end, while the region is extended line by line:
//
//     numbers   | part 255 | part 254 |  ...  | part 1 | part 0 |  freed from here on
//     table     | part 0 | part 1 | ... |  extended
//
// Once one bit for each of the 2^b numbers takes no more than the next table would, the table becomes that bitmap,
// unless numbers have annotations: a few bits for each, initially zero.
#pragma once

#include <utility>
#include <vector>

#include "core/hash.h"
#include "core/memory.h"
#include "store/divisor.h"
#include "store/growth.h"
#include "store/quotient_line.h"
#include "store/shards.h"
#include "store/state_set.h"

namespace scrimp {

class QuotientTable {
  /// The position of a number: a slot of a line or, if `line` is null, an index into the waiting list.
  struct Place {
    std::byte* line;
    unsigned slot;
  };

 public:
  /// The maximal number of annotation bits of a number.
  static constexpr unsigned most_annotation_bits = 8;

  /// A set of numbers below 2^bits, 1 <= bits <= 64, with room for `expected` of them.
  QuotientTable(Budget& budget, unsigned bits, std::uint64_t expected = 0, unsigned annotation_bits = 0,
                Growth growth = Growth::modest);

  Insertion insert(Word number) {
    if (is_bitmap_) return insert_bit(number);
    const auto [home, remainder] = shape_.divisor.divide(number);  // L1
    std::byte* line = line_at(home);
    const std::uint32_t header = LineFormat::header(line);
    if (shape_.format.holds(line, header, 0, remainder)) return Insertion::known;  // L2
    const bool overflowed = (header & LineFormat::overflowed) != 0;
    if (overflowed && holds_further(home, remainder)) return Insertion::known;  // L3
    if (size_ >= limit_) [[unlikely]]
      return insert_after_making_room(number);
    if (shape_.format.is_full(header)) {
      push_further(home, remainder);
    } else {
      shape_.format.append(line, header, remainder);
    }
    ++size_;
    return Insertion::fresh;
  }

  void insert(const Word* numbers, std::uint32_t count, Insertion* results) {
    for (std::uint32_t i = 0; i < std::min(count, ahead); ++i) prefetch(numbers[i]);
    for (std::uint32_t i = 0; i < count; ++i) {
      if (i + ahead < count) prefetch(numbers[i + ahead]);
      results[i] = insert(numbers[i]);
    }
  }

  /// Access to a stored number, until another is inserted.
  class Entry {
   public:
    Entry(QuotientTable& table, Word number) : table_(table), at_(table.locate(number)) {}

    operator Word() const {
      const LineFormat& format = table_.shape_.format;
      return at_.line == nullptr ? table_.waiting_[at_.slot].annotation
                                 : format.annotation(format.entry_at(at_.line, at_.slot));
    }
    const Entry& operator=(Word annotation) const {
      const LineFormat& format = table_.shape_.format;
      if (at_.line == nullptr) {
        table_.waiting_[at_.slot].annotation = annotation;
      } else {
        const Word remainder = format.remainder(format.entry_at(at_.line, at_.slot));
        format.replace(at_.line, at_.slot, format.entry(remainder, annotation));
      }
      return *this;
    }

   private:
    QuotientTable& table_;
    const Place at_;
  };

  void prefetch(Word number) const { fetch_line(line_at(line_of(number))); }

  bool contains(Word number) const;

  /// The size that the table should have if it gets `numbers` in all, with so much memory for it and whatever they are
  /// taken from; zero if it cannot `absorb` them.
  std::size_t bytes_to_absorb(std::uint64_t numbers, std::uint64_t memory) const;
  /// Takes `count` more numbers, none of which it holds, from the region, which is freed on the way, and gets that
  /// size. Returns false if there is no room: then numbers are lost.
  bool absorb(Region numbers, std::uint64_t count, std::size_t bytes);

  /// Changes the numbers' width and maps every stored number by `recode`. A recoded number's home must not lie before
  /// the old one when both are taken as fractions of their range. Returns false, with nothing changed, if there is no
  /// room.
  template <class Recode>
  bool recode(unsigned bits, Recode recode);

  Budget& budget() const { return region_.budget(); }
  std::uint64_t size() const { return size_; }
  std::uint64_t bytes() const { return region_.bytes() + waiting_.capacity() * sizeof(Annotated); }
  unsigned annotation_bits() const { return annotation_bits_; }
  Growth growth() const { return growth_; }
  /// The share of a line that each number takes, header included; for a bitmap, the whole bitmap.
  std::uint64_t state_bytes() const {
    return is_bitmap_ ? bitmap_bytes(bits_) : size_ * line_bytes / shape_.format.slots();
  }

  /// The bits that each of the current number of entries would take if numbers had another width.
  double stored_bits(unsigned bits) const {
    std::size_t bytes = first_table_bytes;
    while (room(bits, bytes) <= size_) bytes = preferred_bytes(bytes);
    return double(line_bytes) * 8 / Shape(bits, bytes, annotation_bits_).format.slots();
  }

  /// Calls `visit` with every number and its annotation.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::uint64_t part = 0; part < parts(); ++part) for_each_in(part, visit);
  }

  /// The lines that hold numbers of one shard alone (store/shards.h), which are those with the same upper bits.
  struct Section {
    std::uint64_t begin, end;
  };
  bool can_share() const { return bits_ >= least_shared_bits && region_.bytes() != 0; }
  void place(const Word* numbers, std::uint32_t count, Shard* shards) const {
    for (std::uint32_t i = 0; i < count; ++i) shards[i] = static_cast<Shard>(numbers[i] >> (bits_ - shard_bits));
  }
  bool make_room(std::uint64_t numbers, const Crew& crew) {
    while (!is_bitmap_ && (size_ >= limit_ || size_ + numbers / 2 >= last_load.of(shape_.slots())))
      if (!grow(&crew)) return false;
    return true;
  }
  Section section(std::uint32_t shard) const;
  void fetch(Codes numbers) const {
    for (std::uint32_t i = 0; i < numbers.count; ++i) prefetch(numbers.first[i]);
  }
  void insert(const Section& section, Codes numbers, Insertion* results, Codes next) {
    insert_and_fetch(
        numbers.count, [&](std::uint32_t i) { results[i] = insert_within(section, numbers.first[i]); }, next.count,
        [&](std::uint32_t i) { prefetch(next.first[i]); });
  }
  void count_inserted(std::uint64_t fresh) { size_ += fresh; }

  /// Numbers are stored in parts: the lines, then the waiting list.
  std::uint64_t parts() const { return region_.bytes() / line_bytes + 1; }
  template <class Visit>
  void for_each_in(std::uint64_t part, Visit visit) const;
  std::uint64_t count_in(std::uint64_t part) const;

  /// The position of a stored number: its part, and how many others come before it there. Numbers move when others are
  /// inserted.
  struct Position {
    std::uint64_t part;
    std::uint64_t others;
  };
  Position find(Word number) const;

 private:
  static constexpr std::uint32_t ahead = 32;  // numbers fetched before they are inserted
  static constexpr Load usual_load{90}, last_load{96};
  static constexpr Load crowded_load{60};  // growing helps waiting numbers only if the whole table is this full
  static constexpr std::uint64_t chunk_numbers = 4096;  // moved at a time: their memory is not charged to the budget
  static constexpr Load absorbed_load{80};              // so that the table need not grow soon after
  static constexpr std::size_t most_waiting = 64;
  static constexpr std::uint64_t margin_lines = 16;  // no format has more classes
  static constexpr unsigned least_shared_bits = 20;  // tables of narrower numbers are small
  static constexpr unsigned part_bits = 8;           // upper bits in which the numbers of a part agree
  static constexpr std::uint32_t part_count = 1u << part_bits;

  /// The layout of numbers of a given width in a table of a given size.
  struct Shape {
    Shape(unsigned bits, std::size_t bytes, unsigned annotation_bits)
        : divisor(spacing(bits, bytes / line_bytes - margin_lines)),
          homes(divisor.divide(last_number(bits)).quotient + 1),
          format(static_cast<unsigned>(std::bit_width(divisor.value() - 1)), annotation_bits) {}

    static Word last_number(unsigned bits) { return ~Word{0} >> (64 - bits); }
    static Word spacing(unsigned bits, std::uint64_t lines) {
      return std::max<Word>(static_cast<Word>(DoubleWord{last_number(bits)} / lines) + 1, 2);
    }
    std::uint64_t slots() const { return homes * format.slots(); }

    Divisor divisor;
    std::uint64_t homes;
    LineFormat format;
  };

  /// The number of entries that a table of this size should hold.
  std::uint64_t room(unsigned bits, std::size_t bytes) const {
    return usual_load.of(Shape(bits, bytes, annotation_bits_).slots());
  }

  /// Larger than any table if numbers have annotations.
  std::uint64_t bitmap_bytes(unsigned bits) const {
    if (annotation_bits_ != 0) return ~std::uint64_t{0};
    return bits <= 3 ? 1 : std::uint64_t{1} << (bits - 3);
  }

  /// The home line of a number.
  std::uint64_t line_of(Word number) const {
    return is_bitmap_ ? number / (line_bytes * 8) : shape_.divisor.divide(number).quotient;
  }
  std::byte* line_at(std::uint64_t index) const { return region_.data() + index * line_bytes; }

  Insertion insert_bit(Word number) {
    if (region_.bytes() == 0) [[unlikely]]
      return Insertion::no_room;
    const bool is_fresh = set_bit(number);
    size_ += is_fresh;
    return is_fresh ? Insertion::fresh : Insertion::known;
  }
  /// Returns whether it was not set.
  bool set_bit(Word number) const {
    std::byte& byte = region_.data()[number / 8];
    const std::byte bit{static_cast<unsigned char>(1u << (number % 8))};
    const bool is_fresh = (byte & bit) == std::byte{0};
    byte |= bit;
    return is_fresh;
  }

  /// Without counting it. Leaves it undecided if it would have to look outside the section.
  Insertion insert_within(const Section& section, Word number) {
    if (is_bitmap_) return set_bit(number) ? Insertion::fresh : Insertion::known;
    const auto [home, remainder] = shape_.divisor.divide(number);
    if (home < section.begin || home >= section.end) return Insertion::no_room;
    std::byte* const line = line_at(home);
    const std::uint32_t header = LineFormat::header(line);
    if (shape_.format.holds(line, header, 0, remainder)) return Insertion::known;
    if ((header & LineFormat::overflowed) != 0 || shape_.format.is_full(header))
      return insert_further_within(section, home, remainder);
    shape_.format.append(line, header, remainder);
    return Insertion::fresh;
  }
  Insertion insert_further_within(const Section& section, std::uint64_t home, Word remainder);

  struct Annotated {
    Word number;
    Word annotation;
  };

  bool holds_further(std::uint64_t home, Word remainder) const;
  void push_further(std::uint64_t home, Word entry);
  /// Whether pushing an entry further changes no line from `end` on, nor the waiting list.
  bool pushes_before(std::uint64_t home, std::uint64_t end) const;
  Place locate(Word number) const;
  /// Extends the region to the lines that numbers up to this one may take.
  bool extend_for(Word number, std::size_t bytes);
  Insertion insert_after_making_room(Word number);
  bool make_room();
  /// With a crew, all its threads move numbers.
  bool grow(const Crew* crew = nullptr);
  void set_limit();

  /// Stores a number that is known to be absent, without counting it.
  void place(const Annotated& number);
  /// The same, if that changes no lines but [begin, end).
  bool place_within(std::uint64_t begin, std::uint64_t end, const Annotated& number);

  /// Calls `visit` with every number of a line and its annotation, of a table in the given shape or of a bitmap.
  template <class Visit>
  static void decode(const Shape& shape, const std::byte* line, std::uint64_t index, Visit visit);
  template <class Visit>
  static void decode_bitmap(const std::byte* line, std::uint64_t index, Visit visit);

  /// The layout of the table before a change.
  struct Layout {
    template <class Visit>
    void decode(const std::byte* line, std::uint64_t index, Visit visit) const;

    Shape shape;
    bool is_bitmap;
    std::uint64_t lines;
  };
  Layout layout() const { return {shape_, is_bitmap_, region_.bytes() / line_bytes}; }

  /// Moves the entries that lie in the region in the old layout to their new places, mapped by `recode`.
  template <class Recode>
  void spread(const Layout& old, Recode recode);
  /// The same for the first `end` lines; those behind it are moved or empty.
  template <class Recode>
  void spread_first(std::uint64_t end, const Layout& old, Recode recode);
  /// The same for all lines, by the threads of a crew, with the numbers as they are.
  void spread(const Layout& old, const Crew& crew);

  Region region_;
  unsigned bits_;
  unsigned annotation_bits_;
  Growth growth_;
  bool is_bitmap_;  // also if the budget refused even the first table
  Shape shape_;
  std::uint64_t size_ = 0;
  std::uint64_t limit_ = 0;         // make room when this many numbers are held
  std::vector<Annotated> waiting_;  // numbers out of reach of their home
};

template <class Visit>
void QuotientTable::Layout::decode(const std::byte* line, std::uint64_t index, Visit visit) const {
  is_bitmap ? decode_bitmap(line, index, visit) : QuotientTable::decode(shape, line, index, visit);
}

template <class Visit>
void QuotientTable::decode(const Shape& shape, const std::byte* line, std::uint64_t index, Visit visit) {
  const std::uint32_t header = LineFormat::header(line);
  unsigned slot = 0;
  for (unsigned displacement = shape.format.classes(); displacement-- > 0;) {
    const Word base = (index - displacement) * shape.divisor.value();
    for (const unsigned end = shape.format.at_least(header, displacement); slot < end; ++slot) {
      const Word entry = shape.format.entry_at(line, slot);
      visit(base + shape.format.remainder(entry), shape.format.annotation(entry));
    }
  }
}

template <class Visit>
void QuotientTable::decode_bitmap(const std::byte* line, std::uint64_t index, Visit visit) {
  for (std::size_t i = 0; i < line_words; ++i) {
    Word bits;
    std::memcpy(&bits, line + i * sizeof bits, sizeof bits);
    const Word base = (index * line_words + i) * 64;
    for (; bits != 0; bits &= bits - 1) visit(base + static_cast<Word>(std::countr_zero(bits)), Word{0});
  }
}

template <class Visit>
void QuotientTable::for_each_in(std::uint64_t part, Visit visit) const {
  if (part + 1 == parts()) {
    for (const Annotated& each : waiting_) visit(each.number, each.annotation);
  } else if (is_bitmap_) {
    decode_bitmap(line_at(part), part, visit);
  } else {
    decode(shape_, line_at(part), part, visit);
  }
}

template <class Recode>
void QuotientTable::spread(const Layout& old, Recode recode) {
  const std::vector<Annotated> waiting = std::exchange(waiting_, {});
  spread_first(old.lines, old, recode);
  for (const Annotated& each : waiting) place({recode(each.number), each.annotation});
}

template <class Recode>
void QuotientTable::spread_first(std::uint64_t end, const Layout& old, Recode recode) {
  const std::uint64_t lines = chunk_numbers / (old.is_bitmap ? line_bytes * 8 : old.shape.format.slots());
  std::vector<Annotated> numbers;
  numbers.reserve(chunk_numbers + chunk_numbers / 4);  // with those of earlier chunks
  while (end > 0) {
    const std::uint64_t begin = end > lines ? end - lines : 0;
    for (std::uint64_t i = begin; i < end; ++i)
      old.decode(line_at(i), i, [&](Word number, Word annotation) { numbers.push_back({recode(number), annotation}); });
    std::memset(line_at(begin), 0, (end - begin) * line_bytes);
    std::erase_if(numbers, [&](const Annotated& each) {
      const bool has_room = line_of(each.number) >= begin;
      if (has_room) place(each);
      return has_room;
    });
    end = begin;
  }
}

template <class Recode>
bool QuotientTable::recode(unsigned bits, Recode recode) {
  const Layout old = layout();
  std::size_t bytes = region_.bytes();
  if (bytes == 0) return false;
  while (room(bits, bytes) <= size_ && bytes < bitmap_bytes(bits)) bytes = preferred_bytes(bytes);
  if (!region_.resize(std::min(bytes, std::max(region_.bytes(), bitmap_bytes(bits))))) return false;
  bits_ = bits;
  is_bitmap_ = bitmap_bytes(bits) <= region_.bytes();
  shape_ = Shape(bits, region_.bytes(), annotation_bits_);
  set_limit();
  spread(old, recode);
  return true;
}

}  // namespace scrimp
