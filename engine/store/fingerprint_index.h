// A hash table from fingerprints of 32 bits to slots of records, with removal.
//
//     a line             | f f f f f 0 0 | n | s s s s s . . |   |
//                          fingerprints        slots
//                                          overflow
//
// A record with fingerprint f has its home in line scale(f, lines) and is stored in the first line from there on that
// had room; the first line follows the last. `overflow` counts the records that passed a full line in this way: if it
// is 0, a search ends. When a record is removed from such a line, the next record that passed it takes its place, so
// that only full lines are ever passed. A fingerprint is never 0, which marks an empty place.
//
// Several records may have the same fingerprint, so the caller must compare. The home follows from the fingerprint
// alone, so growing needs only the index; it is done in place, from the last line to the first, because homes move
// towards the end. Entries that find no room before the end wait until the first lines are done.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/machine.h"
#include "core/memory.h"
#include "store/column.h"
#include "store/growth.h"
#include "store/line.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace scrimp {

using Fingerprint = std::uint32_t;

inline Fingerprint fingerprint(Word hash) { return std::max(static_cast<Fingerprint>(hash >> 32), Fingerprint{1}); }

class FingerprintIndex {
 public:
  explicit FingerprintIndex(Budget& budget) : region_(budget) {
    if (region_.resize(first_bytes)) set_geometry();
  }

  void prefetch(Fingerprint wanted) const { fetch_line(home(wanted)); }

  /// The first slot with this fingerprint for which `is_it` holds, or `no_slot`.
  template <class IsIt>
  [[gnu::always_inline]] Slot find(Fingerprint wanted, IsIt is_it) const {
    for (const Line* line = home(wanted);; line = after(line)) {
      for (std::uint32_t places = line->places(wanted); places != 0; places &= places - 1) {
        const Slot slot = line->slots[std::countr_zero(places)];
        if (is_it(slot)) [[likely]]
          return slot;
      }
      if (line->overflow == 0) return no_slot;
    }
  }

  /// Returns false, with nothing changed, if there is no room.
  [[nodiscard]] bool add(Fingerprint added, Slot slot) {
    if (size_ >= limit_) [[unlikely]]
      if (!make_room()) return false;
    append(added, slot);
    ++size_;
    return true;
  }

  /// Removes a slot that was added with this fingerprint.
  void remove(Fingerprint removed, Slot slot) {
    Line* line = home(removed);
    std::uint32_t places;
    for (; (places = line->places_of(removed, slot)) == 0; line = after(line)) --line->overflow;
    line->fingerprints[std::countr_zero(places)] = 0;
    while (line->overflow != 0) line = fill_hole(line);
    --size_;
  }

  template <class Visit>
  void for_each(Visit visit) const {
    for (std::uint64_t i = 0; i < count_; ++i)
      for (std::size_t place = 0; place < line_slots; ++place)
        if (lines_[i].fingerprints[place] != 0) visit(lines_[i].slots[place]);
  }

  /// Whether the overflow count of every line is right and only full lines were passed. For tests: it looks at
  /// everything.
  bool is_sound() const {
    std::vector<std::uint32_t> passed(count_);
    for (std::uint64_t i = 0; i < count_; ++i)
      for (const Fingerprint stored : lines_[i].fingerprints)
        for (const Line* line = stored == 0 ? lines_ + i : home(stored); line != lines_ + i; line = after(line))
          ++passed[static_cast<std::size_t>(line - lines_)];
    for (std::uint64_t i = 0; i < count_; ++i)
      if (lines_[i].overflow != passed[i] || (passed[i] != 0 && lines_[i].places(0) != 0)) return false;
    return true;
  }

  std::uint64_t size() const { return size_; }
  std::uint64_t bytes() const { return region_.bytes(); }

 private:
  static constexpr std::size_t line_slots = 7;
  static constexpr Load usual_load{85}, last_load{90};
  static constexpr std::size_t first_bytes = small_page;
  static constexpr std::uint64_t chunk_lines = 256;

  struct alignas(line_bytes) Line {
    Fingerprint fingerprints[line_slots];
    std::uint32_t overflow;
    Slot slots[line_slots];
    std::uint32_t unused;

    /// The places of a fingerprint, or the empty places, as a set of bits.
    std::uint32_t places(Fingerprint wanted) const {
#ifdef __SSE2__
      const __m128i key = _mm_set1_epi32(static_cast<int>(wanted));
      const auto equal = [&](int half) {
        const __m128i words = _mm_load_si128(reinterpret_cast<const __m128i*>(fingerprints) + half);
        return static_cast<std::uint32_t>(_mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(words, key))));
      };
      return (equal(0) | equal(1) << 4) & ((1u << line_slots) - 1);
#else
      std::uint32_t bits = 0;
      for (std::size_t i = 0; i < line_slots; ++i) bits |= std::uint32_t{fingerprints[i] == wanted} << i;
      return bits;
#endif
    }

    void put(Fingerprint added, Slot slot) {
      const int place = std::countr_zero(places(0));
      fingerprints[place] = added;
      slots[place] = slot;
    }

    std::uint32_t places_of(Fingerprint wanted, Slot slot) const {
      std::uint32_t candidates = places(wanted);
      while (candidates != 0 && slots[std::countr_zero(candidates)] != slot) candidates &= candidates - 1;
      return candidates;
    }
  };
  static_assert(sizeof(Line) == line_bytes);

  struct Entry {
    Fingerprint fingerprint;
    Slot slot;
  };

  static constexpr Line nothing{};

  Line* home(Fingerprint wanted) const { return lines_ + (wanted * count_ >> 32); }
  template <class AnyLine>
  AnyLine* after(AnyLine* line) const {
    return line + 1 == lines_ + count_ ? lines_ : line + 1;
  }

  void append(Fingerprint added, Slot slot) const {
    Line* line = home(added);
    for (; line->places(0) == 0; line = after(line)) ++line->overflow;
    line->put(added, slot);
  }

  std::uint64_t distance(const Line* from, const Line* to) const {
    return static_cast<std::uint64_t>(to - from) + (to < from ? count_ : 0);
  }

  /// Moves the next record that passed a line to the empty place in it. Returns the line it came from.
  Line* fill_hole(Line* hole) const {
    --hole->overflow;
    for (Line* line = after(hole);; line = after(line)) {
      for (std::size_t i = 0; i < line_slots; ++i) {
        const Fingerprint candidate = line->fingerprints[i];
        if (candidate == 0 || distance(home(candidate), line) < distance(hole, line)) continue;
        hole->put(candidate, line->slots[i]);
        line->fingerprints[i] = 0;
        return line;
      }
      --line->overflow;
    }
  }

  [[gnu::noinline]] bool make_room() {
    if (grow()) return true;
    limit_ = last_load.of(count_ * line_slots);
    return size_ < limit_;
  }

  bool grow() {
    const std::uint64_t old_count = count_;
    if (!enlarge(region_, 8 * line_bytes)) return false;
    set_geometry();
    spread(old_count);
    return true;
  }

  void set_geometry() {
    lines_ = region_.as<Line>();
    count_ = region_.bytes() / line_bytes;
    limit_ = usual_load.of(count_ * line_slots);
  }

  void spread(std::uint64_t old_count) const {
    std::vector<Entry> entries, carried, waiting;
    for (std::uint64_t end = old_count; end > 0;) {
      const std::uint64_t begin = end > chunk_lines ? end - chunk_lines : 0;
      entries.swap(carried);
      carried.clear();
      for (std::uint64_t i = begin; i < end; ++i) take_out(lines_[i], entries);
      for (const Entry& entry : entries) {
        if (home(entry.fingerprint) < lines_ + begin) {
          carried.push_back(entry);
        } else if (has_room_before_the_end(entry.fingerprint)) {
          append(entry.fingerprint, entry.slot);
        } else {
          waiting.push_back(entry);
        }
      }
      end = begin;
    }
    for (const Entry& entry : waiting) append(entry.fingerprint, entry.slot);
  }

  bool has_room_before_the_end(Fingerprint added) const {
    return std::any_of(home(added), lines_ + count_, [](const Line& line) { return line.places(0) != 0; });
  }

  static void take_out(Line& line, std::vector<Entry>& entries) {
    for (std::size_t i = 0; i < line_slots; ++i)
      if (line.fingerprints[i] != 0) entries.push_back({line.fingerprints[i], line.slots[i]});
    line = {};
  }

  Region region_;
  Line* lines_ = const_cast<Line*>(&nothing);  // read only as long as the table is empty
  std::uint64_t count_ = 0;                    // of lines
  std::uint64_t limit_ = 0;                    // grow when there are this many entries
  std::uint64_t size_ = 0;
};

}  // namespace scrimp
