// Finds the slot of a record by a fingerprint of 32 bits, and can forget it again.
//
//     a line             | f f f f f 0 0 | n | s s s s s . . |   |
//                          fingerprints        slots
//                                          overflow
//
// A record with fingerprint f has its home in line scale(f, homes) and lies in the first line from there on that had
// room when it came. `overflow` counts the records that passed a full line in this way: where it is 0, a search ends. A
// record that is removed is subtracted wherever it passed, so that no trace of it is left. A fingerprint is never 0,
// which marks an empty place.
//
// Several records may have one fingerprint: whoever asks must compare. The home follows from the fingerprint alone, so
// growing needs nothing but the index. Margin and growing are those of store/numbering.h.
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

  /// The first slot with this fingerprint of which `is_it` holds, or `no_slot`.
  template <class IsIt>
  [[gnu::always_inline]] Slot find(Fingerprint wanted, IsIt is_it) const {
    for (const Line* line = home(wanted);; ++line) {
      for (std::uint32_t places = line->places(wanted); places != 0; places &= places - 1) {
        const Slot slot = line->slots[std::countr_zero(places)];
        if (is_it(slot)) [[likely]]
          return slot;
      }
      if (line->overflow == 0) return no_slot;
    }
  }

  /// Calls `visit` with the slots that have this fingerprint and lie in its home.
  template <class Visit>
  [[gnu::always_inline]] void at_home(Fingerprint wanted, Visit visit) const {
    const Line* const line = home(wanted);
    for (std::uint32_t places = line->places(wanted); places != 0; places &= places - 1)
      visit(line->slots[std::countr_zero(places)]);
  }

  /// Changes nothing and returns false where there is no room.
  [[nodiscard]] bool add(Fingerprint added, Slot slot) {
    if (size_ >= limit_) [[unlikely]]
      if (!make_room()) return false;
    Line* line = first_with_room(home(added));
    while (line == last_) [[unlikely]] {
      if (!grow()) return false;
      line = first_with_room(home(added));
    }
    append(line, added, slot);
    ++size_;
    return true;
  }

  /// Removes a slot that was added with this fingerprint.
  void remove(Fingerprint removed, Slot slot) {
    Line* line = home(removed);
    for (;; ++line) {
      const std::uint32_t places = line->places_of(removed, slot);
      if (places != 0) {
        line->fingerprints[std::countr_zero(places)] = 0;
        break;
      }
      --line->overflow;
    }
    --size_;
  }

  template <class Visit>
  void for_each(Visit visit) const {
    for (std::uint64_t i = 0; i < capacity(); ++i)
      for (std::size_t place = 0; place < line_slots; ++place)
        if (lines()[i].fingerprints[place] != 0) visit(lines()[i].slots[place]);
  }

  std::uint64_t size() const { return size_; }
  std::uint64_t bytes() const { return region_.bytes(); }

 private:
  static constexpr std::size_t line_slots = 7;
  static constexpr Load usual_load{85}, last_load{92};
  static constexpr std::size_t first_bytes = small_page;
  static constexpr std::uint64_t chunk_lines = 256;

  struct alignas(line_bytes) Line {
    Fingerprint fingerprints[line_slots];
    std::uint32_t overflow;
    Slot slots[line_slots];
    std::uint32_t unused;

    /// The places of a fingerprint, or the empty ones, as a set of bits.
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

  Line* lines() const { return region_.as<Line>(); }
  std::uint64_t capacity() const { return region_.bytes() / line_bytes; }
  Line* home(Fingerprint wanted) const { return lines_ + (wanted * homes_ >> 32); }

  static Line* first_with_room(Line* line) {
    while (line->places(0) == 0) ++line;
    return line;
  }

  void append(Line* target, Fingerprint added, Slot slot) const {
    for (Line* passed = home(added); passed != target; ++passed) ++passed->overflow;
    const int place = std::countr_zero(target->places(0));
    target->fingerprints[place] = added;
    target->slots[place] = slot;
  }

  [[gnu::noinline]] bool make_room() {
    if (grow()) return true;
    limit_ = last_load.of(homes_ * line_slots);
    return size_ < limit_;
  }

  [[gnu::noinline]] bool grow() {
    const std::uint64_t old_capacity = capacity();
    if (!enlarge(region_, 8 * line_bytes)) return false;
    margin_ += old_capacity == 0 ? 0 : 2;
    set_geometry();
    spread(old_capacity);
    return true;
  }

  void set_geometry() {
    lines_ = lines();
    homes_ = capacity() - margin_;
    limit_ = usual_load.of(homes_ * line_slots);
    last_ = lines_ + capacity() - 1;
  }

  void spread(std::uint64_t old_capacity) {
    std::vector<Entry> entries, carried;
    for (std::uint64_t end = old_capacity; end > 0;) {
      const std::uint64_t begin = end > chunk_lines ? end - chunk_lines : 0;
      entries.swap(carried);
      carried.clear();
      for (std::uint64_t i = begin; i < end; ++i) take_out(lines_[i], entries);
      for (const Entry& entry : entries) {
        Line* const target = home(entry.fingerprint);
        if (target < lines_ + begin) {
          carried.push_back(entry);
        } else {
          append(first_with_room(target), entry.fingerprint, entry.slot);
        }
      }
      end = begin;
    }
  }

  static void take_out(Line& line, std::vector<Entry>& entries) {
    for (std::size_t i = 0; i < line_slots; ++i)
      if (line.fingerprints[i] != 0) entries.push_back({line.fingerprints[i], line.slots[i]});
    line = {};
  }

  Region region_;
  Line* lines_ = const_cast<Line*>(&nothing);  // read only as long as nothing is held
  std::uint64_t homes_ = 0;                    // lines that are some fingerprint's home
  std::uint64_t margin_ = 8;                   // lines beyond them; the last stays empty
  std::uint64_t limit_ = 0;                    // grow when there are so many
  std::uint64_t size_ = 0;
  Line* last_ = nullptr;
};

}  // namespace scrimp
