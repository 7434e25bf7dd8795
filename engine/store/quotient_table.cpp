#include "store/quotient_table.h"

#include <algorithm>
#include <mutex>
#include <numeric>

namespace scrimp {

QuotientTable::QuotientTable(Budget& budget, unsigned bits, std::uint64_t expected, unsigned annotation_bits,
                             Growth growth)
    : region_(budget),
      bits_(bits),
      annotation_bits_(annotation_bits),
      growth_(growth),
      is_bitmap_(false),
      shape_(bits, first_table_bytes, annotation_bits) {
  std::size_t bytes = first_table_bytes;
  while (room(bits, bytes) <= expected && bytes < bitmap_bytes(bits)) bytes = preferred_bytes(bytes);
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

bool QuotientTable::pushes_before(std::uint64_t home, std::uint64_t end) const {
  const LineFormat& format = shape_.format;
  unsigned displacement = 0;  // of what is pushed into the next line
  while (++displacement < format.classes() && ++home < end) {
    const std::uint32_t header = LineFormat::header(line_at(home));
    if (!format.is_full(header)) return true;
    if (format.at_least(header, displacement) == format.slots()) continue;
    for (displacement = 0; format.at_least(header, displacement + 1) == format.slots();) ++displacement;  // is evicted
  }
  return false;
}

QuotientTable::Section QuotientTable::section(std::uint32_t shard) const {
  const DoubleWord numbers = DoubleWord{1} << (bits_ - shard_bits);
  const Word spacing = shape_.divisor.value();
  const auto begin = static_cast<std::uint64_t>((shard * numbers + spacing - 1) / spacing);
  const auto end = static_cast<std::uint64_t>((shard + 1) * numbers / spacing);
  return {begin, shard + 1 == shard_count ? region_.bytes() / line_bytes : end};
}

Insertion QuotientTable::insert_further_within(const Section& section, std::uint64_t home, Word remainder) {
  if (home + shape_.format.classes() > section.end) return Insertion::no_room;
  if (holds_further(home, remainder)) return Insertion::known;
  if (!pushes_before(home, section.end)) return Insertion::no_room;
  push_further(home, remainder);
  return Insertion::fresh;
}

bool QuotientTable::place_within(std::uint64_t begin, std::uint64_t end, const Annotated& placed) {
  const std::uint64_t home = line_of(placed.number);
  if (home < begin || home >= end) return false;
  const bool pushes = !is_bitmap_ && shape_.format.is_full(LineFormat::header(line_at(home)));
  if (pushes && !pushes_before(home, end)) return false;
  place(placed);
  return true;
}

void QuotientTable::spread(const Layout& old, const Crew& crew) {
  const std::uint64_t lines = region_.bytes() / line_bytes,
                      spacing = is_bitmap_ ? line_bytes * 8 : shape_.divisor.value();
  const auto target = [&](std::uint64_t line) {
    const auto first = static_cast<std::uint64_t>(DoubleWord{line} * old.shape.divisor.value() / spacing);
    return line == old.lines ? lines : std::min(first, lines);
  };
  std::vector<Annotated> outside = std::exchange(waiting_, {});
  std::mutex outside_mutex;
  const auto spread_part = [&](std::uint64_t part_begin, std::uint64_t part_end) {
    const std::uint64_t begin = target(part_begin), end = target(part_end);
    std::vector<Annotated> left_out;
    std::memset(line_at(begin), 0, (end - begin) * line_bytes);
    for (std::uint64_t i = part_begin; i < part_end; ++i)
      old.decode(line_at(i), i, [&](Word number, Word annotation) {
        if (!place_within(begin, end, {number, annotation})) left_out.push_back({number, annotation});
      });
    const std::lock_guard lock(outside_mutex);
    outside.insert(outside.end(), left_out.begin(), left_out.end());
  };
  const std::uint64_t rest = move_in_waves(old.lines, crew, target, spread_part);
  if (rest < old.lines) std::memset(line_at(rest), 0, (target(rest) - rest) * line_bytes);
  spread_first(rest, old, [](Word number) { return number; });
  for (const Annotated& each : outside) place(each);
}

std::size_t QuotientTable::bytes_to_absorb(std::uint64_t numbers, std::uint64_t memory) const {
  if (is_bitmap_ || annotation_bits_ != 0 || bits_ < least_shared_bits || numbers == 0) return 0;
  const auto has_room = [&](std::size_t bytes) {
    return absorbed_load.of(Shape(bits_, bytes, annotation_bits_).slots()) >= numbers;
  };
  std::size_t least = first_table_bytes;
  while (least < memory && !has_room(least)) least = round_up(least + least / 50, small_page);
  if (least >= memory) return 0;
  const std::size_t bytes = ample_bytes(least, memory - least);
  const std::uint64_t part = bytes / part_count * 2 + 16 * small_page;  // is there before its numbers are freed
  const std::uint64_t needed = std::max<std::uint64_t>(bytes, numbers * sizeof(Word) + region_.bytes()) + part;
  return needed <= memory && bitmap_bytes(bits_) > preferred_bytes(bytes) ? bytes : 0;
}

namespace {

/// Sorts numbers by their part, the greatest part first, in place: each number changes places with one that is where it
/// belongs, until one is found that belongs here (McIlroy, Bostic, McIlroy 1993, "American flag sort"). Returns where
/// each part begins, and the end.
std::vector<std::uint64_t> sort_by_part(Word* numbers, std::uint64_t count, unsigned shift, std::uint32_t parts) {
  const auto part_of = [&](Word number) { return parts - 1 - (number >> shift); };
  std::vector<std::uint64_t> begin(parts + 1);
  for (std::uint64_t i = 0; i < count; ++i) ++begin[part_of(numbers[i]) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::uint64_t> next(begin.begin(), begin.end() - 1);
  for (std::uint32_t part = 0; part < parts; ++part)
    while (next[part] != begin[part + 1]) {
      Word number = numbers[next[part]];
      for (Word target = part_of(number); target != part; target = part_of(number))
        std::swap(number, numbers[next[target]++]);
      numbers[next[part]++] = number;
    }
  return begin;
}

}  // namespace

bool QuotientTable::absorb(Region numbers, std::uint64_t count, std::size_t bytes) {
  if (!numbers.resize(std::max<std::size_t>(numbers.bytes(), (count + size_) * sizeof(Word)))) return false;
  for_each([&](Word number, Word) { numbers.as<Word>()[count++] = number; });
  if (!numbers.resize(count * sizeof(Word))) return false;
  region_.clear();
  waiting_.clear();
  shape_ = Shape(bits_, bytes, annotation_bits_);
  size_ = count;
  set_limit();
  const std::vector<std::uint64_t> begin = sort_by_part(numbers.as<Word>(), count, bits_ - part_bits, part_count);
  for (std::uint32_t part = part_count; part-- > 0;) {
    const Word last = ((Word{part_count} - part) << (bits_ - part_bits)) - 1;
    if (!extend_for(last, bytes)) return false;
    const Word *const first = numbers.as<Word>() + begin[part], *const end = numbers.as<Word>() + begin[part + 1];
    for (const Word* number = first; number != end; ++number) {
      if (end - number > ahead) prefetch(number[ahead]);
      place({*number, 0});
    }
    if (!numbers.resize(begin[part] * sizeof(Word))) return false;
  }
  return region_.resize(bytes);
}

bool QuotientTable::extend_for(Word number, std::size_t bytes) {
  const std::size_t needed = std::min(bytes, (line_of(number) + 1 + margin_lines) * line_bytes);
  return needed <= region_.bytes() || region_.resize(std::min(bytes, round_up(needed, huge_page))) ||
         region_.resize(needed);
}

void QuotientTable::place(const Annotated& placed) {
  if (is_bitmap_) return static_cast<void>(set_bit(placed.number));
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

bool QuotientTable::grow(const Crew* crew) {
  const Layout old = layout();
  const std::uint64_t bitmap = bitmap_bytes(bits_);
  if (bitmap <= preferred_bytes(region_.bytes()) && region_.resize(bitmap)) {
    is_bitmap_ = true;
  } else if (!enlarge(region_, small_page, growth_)) {
    return false;
  } else {
    shape_ = Shape(bits_, region_.bytes(), annotation_bits_);
  }
  set_limit();
  if (crew != nullptr)
    spread(old, *crew);
  else
    spread(old, [](Word number) { return number; });
  return true;
}

void QuotientTable::set_limit() { limit_ = usual_load.of(shape_.slots()); }

}  // namespace scrimp
