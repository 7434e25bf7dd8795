#include "store/quotient_table.h"

#include <algorithm>

namespace scrimp {

QuotientTable::QuotientTable(Budget& budget, unsigned bits, std::uint64_t expected, unsigned annotation_bits,
                             std::uint32_t tables)
    : region_(budget),
      tables_(tables),
      bits_(bits),
      annotation_bits_(annotation_bits),
      is_bitmap_(false),
      shape_(bits, first_bytes(), annotation_bits) {
  std::size_t bytes = first_bytes();
  while (room(bits, bytes) <= expected && bytes < bitmap_bytes(bits)) bytes = preferred_bytes(bytes, tables_);
  is_bitmap_ = bitmap_bytes(bits) <= bytes;
  if (!region_.resize(is_bitmap_ ? bitmap_bytes(bits) : bytes)) is_bitmap_ = true;
  if (!is_bitmap_) shape_ = Shape(bits, region_.bytes(), annotation_bits_);
  set_limit();
}

bool QuotientTable::contains(Word number) const {
  if (region_.bytes() == 0) return false;
  if (is_bitmap_) return ((region_.data()[number / 8] >> (number % 8)) & std::byte{1}) != std::byte{0};
  const auto [home, remainder] = shape_.divisor.divide(number);
  const std::byte* line = line_at(home);
  const std::uint32_t header = LineFormat::header(line);
  if (shape_.format.holds(line, header, 0, remainder)) return true;
  return (header & LineFormat::overflowed) != 0 && holds_further(home, remainder);
}

bool QuotientTable::holds_further(std::uint64_t home, Word remainder) const {
  const LineFormat& format = shape_.format;
  for (unsigned displacement = 1; displacement < format.classes(); ++displacement) {
    const std::byte* line = line_at(home + displacement);
    const std::uint32_t header = LineFormat::header(line);
    if (format.holds(line, header, displacement, remainder)) return true;
    if (format.at_least(header, displacement) < format.slots()) return false;  // L4
  }
  const Word number = home * shape_.divisor.value() + remainder;
  const auto is_it = [&](const Annotated& each) { return each.number == number; };
  return std::any_of(waiting_.begin(), waiting_.end(), is_it);  // L5
}

QuotientTable::Place QuotientTable::locate(Word number) const {
  const auto [home, remainder] = shape_.divisor.divide(number);
  for (unsigned displacement = 0; displacement < shape_.format.classes(); ++displacement) {
    std::byte* const line = line_at(home + displacement);
    const unsigned slot = shape_.format.find(line, LineFormat::header(line), displacement, remainder);
    if (slot != LineFormat::nowhere) return {line, slot};
  }
  unsigned place = 0;
  while (waiting_[place].number != number) ++place;
  return {nullptr, place};
}

std::uint64_t QuotientTable::count_in(std::uint64_t part) const {
  if (part + 1 == parts()) return waiting_.size();
  if (!is_bitmap_) return shape_.format.used(LineFormat::header(line_at(part)));
  std::uint64_t count = 0;
  for_each_in(part, [&](Word, Word) { ++count; });
  return count;
}

QuotientTable::Position QuotientTable::find(Word number) const {
  const std::uint64_t home = line_of(number), end = home + (is_bitmap_ ? 1 : shape_.format.classes());
  for (std::uint64_t part = home;; part = part + 1 < end ? part + 1 : parts() - 1) {
    std::uint64_t others = 0;
    bool is_found = false;
    for_each_in(part, [&](Word held, Word) {
      is_found = is_found || held == number;
      others += !is_found;
    });
    if (is_found) return {part, others};
  }
}

void QuotientTable::push_further(std::uint64_t home, Word entry) {
  const LineFormat& format = shape_.format;
  LineFormat::mark_overflowed(line_at(home));
  std::uint64_t index = home;
  unsigned displacement = 0;
  while (++displacement < format.classes()) {
    std::byte* line = line_at(++index);
    const std::uint32_t header = LineFormat::header(line);
    if (!format.is_full(header)) return format.add(line, displacement, entry);
    if (format.at_least(header, displacement) == format.slots()) continue;
    const LineFormat::Evicted evicted = format.evict(line);
    format.add(line, displacement, entry);
    displacement = evicted.displacement;
    entry = evicted.entry;
  }
  const Word number = (index + 1 - displacement) * shape_.divisor.value() + format.remainder(entry);
  waiting_.push_back({number, format.annotation(entry)});
  if (waiting_.size() >= most_waiting || size_ >= crowded_load.of(shape_.slots())) limit_ = 0;
}

void QuotientTable::place(const Annotated& placed) {
  if (is_bitmap_) {
    region_.data()[placed.number / 8] |= std::byte{static_cast<unsigned char>(1u << (placed.number % 8))};
    return;
  }
  const auto [home, remainder] = shape_.divisor.divide(placed.number);
  std::byte* line = line_at(home);
  const std::uint32_t header = LineFormat::header(line);
  const Word entry = shape_.format.entry(remainder, placed.annotation);
  if (shape_.format.is_full(header)) {
    push_further(home, entry);
  } else {
    shape_.format.append(line, header, entry);
  }
}

Insertion QuotientTable::insert_after_making_room(Word number) {
  if (!make_room()) return Insertion::no_room;
  if (is_bitmap_) return insert_bit(number);
  place({number, 0});
  ++size_;
  return Insertion::fresh;
}

bool QuotientTable::make_room() {
  if (grow()) return true;
  limit_ = waiting_.size() < most_waiting ? last_load.of(shape_.slots()) : 0;
  return size_ < limit_;
}

bool QuotientTable::grow() {
  const Layout old = layout();
  const std::uint64_t bitmap = bitmap_bytes(bits_);
  if (bitmap <= preferred_bytes(region_.bytes(), tables_) && region_.resize(bitmap)) {
    is_bitmap_ = true;
  } else if (!enlarge(region_, small_page, tables_)) {
    return false;
  } else {
    shape_ = Shape(bits_, region_.bytes(), annotation_bits_);
  }
  set_limit();
  spread(old, [](Word number) { return number; });
  return true;
}

void QuotientTable::set_limit() { limit_ = usual_load.of(shape_.slots()); }

}  // namespace scrimp
