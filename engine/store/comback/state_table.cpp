#include "store/comback/state_table.h"

namespace scrimp {

StateTable::StateTable(Budget& budget, unsigned hash_bits)
    : hash_bits_(hash_bits == 0 ? usual_hash_bits : std::min(hash_bits, most_hash_bits)),
      region_(budget),
      shape_(hash_bits_, first_table_bytes) {
  waiting_.reserve(most_waiting);
  if (region_.resize(first_table_bytes)) set_limit();
}

void StateTable::place(Word key, StateId id) {
  const auto [home, remainder] = shape_.divisor.divide(key);
  std::byte* const line = line_at(home);
  const std::uint32_t header = LineFormat::header(line);
  if (shape_.format.is_full(header)) {
    push_further(home, slot_of(remainder, id));
  } else {
    shape_.format.append(line, header, slot_of(remainder, id));
  }
}

void StateTable::push_further(std::uint64_t home, Word slot) {
  const LineFormat& format = shape_.format;
  LineFormat::mark_overflowed(line_at(home));
  std::uint64_t index = home;
  unsigned displacement = 0;
  while (++displacement < format.classes()) {
    std::byte* const line = line_at(++index);
    const std::uint32_t header = LineFormat::header(line);
    if (!format.is_full(header)) return format.add(line, displacement, slot);
    if (format.at_least(header, displacement) == format.slots()) continue;
    const LineFormat::Evicted evicted = format.evict(line);
    format.add(line, displacement, slot);
    displacement = evicted.displacement;
    slot = evicted.entry;
  }
  const Word remainder = slot & ((Word{1} << shape_.remainder_bits) - 1);
  waiting_.push_back({(index + 1 - displacement) * shape_.divisor.value() + remainder, slot >> shape_.remainder_bits});
  if (waiting_.size() >= most_waiting || size_ >= crowded_load.of(shape_.slots())) limit_ = 0;
}

bool StateTable::make_room() {
  if (region_.bytes() == 0) return false;
  if (grow()) return true;
  limit_ = waiting_.size() < most_waiting ? last_load.of(shape_.slots()) : 0;
  return size_ < limit_;
}

bool StateTable::grow() {
  const Shape old = shape_;
  const std::uint64_t old_lines = region_.bytes() / line_bytes;
  // Not generously: the point of this table is to be small.
  if (!enlarge_to(region_, preferred_bytes(region_.bytes()))) return false;
  shape_ = Shape(hash_bits_, region_.bytes());
  set_limit();
  spread(old, old_lines);
  return true;
}

/// Moves the entries that lie in the region in the old shape to their new places.
void StateTable::spread(const Shape& old, std::uint64_t old_lines) {
  std::vector<Entry> entries, carried;
  const auto collect = [&](const Entry& entry) {
    entries.push_back({key(entry.key >> old.extra_bits, entry.id), entry.id});
  };
  for (const Entry& entry : std::exchange(waiting_, {})) collect(entry);
  waiting_.reserve(most_waiting);
  carried.swap(entries);
  for (std::uint64_t end = old_lines; end > 0;) {
    const std::uint64_t begin = end > chunk_lines ? end - chunk_lines : 0;
    entries.swap(carried);
    carried.clear();
    for (std::uint64_t i = begin; i < end; ++i) decode(old, line_at(i), i, collect);
    std::memset(line_at(begin), 0, (end - begin) * line_bytes);
    for (const Entry& entry : entries) {
      if (shape_.divisor.divide(entry.key).quotient < begin) {
        carried.push_back(entry);
      } else {
        place(entry.key, entry.id);
      }
    }
    end = begin;
  }
}

}  // namespace scrimp
