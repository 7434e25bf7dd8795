// Numbers for words: 1, 2, 3, ... in the order in which they first come. The tables of a compression tree.
//
//     one line    +--------+--------+--------+--------+--------+----+----+----+----+----+----+
//     64 bytes    | key    | key    | key    | key    | key    | n  | n  | n  | n  | n  |    |
//                 +--------+--------+--------+--------+--------+----+----+----+----+----+----+
//                   8 bytes                                      4 bytes
//
// A key is the mixed image of a word, its number stands beside it, number 0 marks an empty slot; lines fill from the
// left. Placing, probing and growing are those of store/plain_set.h, with buckets of five.
#pragma once

#include <cstring>
#include <vector>

#include "core/hash.h"
#include "core/memory.h"
#include "store/growth.h"
#include "store/line.h"

namespace scrimp {

class Numbering {
 public:
  /// What `number` returns where there is no room, and `find` where the word has no number.
  static constexpr std::uint32_t none = 0;

  explicit Numbering(Budget& budget) : region_(budget) {
    if (region_.resize(first_bytes)) set_geometry();
  }

  /// The word's number; a new one where it has none yet.
  std::uint32_t number(Word word) {
    const Word key = mix(word);
    if (homes_ == 0) [[unlikely]]
      return none;
    Line* line = line_at(home(key));
    for (;; ++line) {
      if (const std::uint32_t known = line->find(key); known != none) return known;
      if (!line->is_full()) return add(line, key);
    }
  }

  std::uint32_t find(Word word) const {
    const Word key = mix(word);
    if (homes_ == 0) return none;
    for (const Line* line = line_at(home(key));; ++line) {
      if (const std::uint32_t known = line->find(key); known != none) return known;
      if (!line->is_full()) return none;
    }
  }

  void prefetch(Word word) const { __builtin_prefetch(line_at(home(mix(word)))); }

  std::uint32_t size() const { return size_; }
  std::uint64_t bytes() const { return region_.bytes(); }
  std::uint64_t state_bytes() const { return std::uint64_t{size_} * (sizeof(Word) + sizeof(std::uint32_t)); }

 private:
  static constexpr unsigned slots = 5;
  static constexpr Load usual_load{85}, last_load{95};
  static constexpr std::size_t first_bytes = small_page;
  static constexpr std::uint64_t chunk_lines = 256;

  struct Line {
    Word keys[slots];
    std::uint32_t numbers[slots];
    std::uint32_t unused;

    /// The first match counts: behind it lie at most empty slots, whose zero key may be a match by chance.
    std::uint32_t find(Word key) const {
      unsigned matches = 0;
      for (unsigned i = 0; i < slots; ++i) matches |= unsigned{keys[i] == key} << i;
      return matches == 0 ? none : numbers[std::countr_zero(matches)];
    }
    bool is_full() const { return numbers[slots - 1] != none; }
    unsigned used() const {
      unsigned count = 0;
      for (const std::uint32_t number : numbers) count += number != none;
      return count;
    }
    void append(Word key, std::uint32_t number) {
      const unsigned slot = used();
      keys[slot] = key;
      numbers[slot] = number;
    }
  };
  static_assert(sizeof(Line) == line_bytes);

  struct Entry {
    Word key;
    std::uint32_t number;
  };

  Line* line_at(std::uint64_t index) const { return region_.as<Line>() + index; }
  std::uint64_t home(Word key) const { return scale(key, homes_); }
  std::uint64_t capacity() const { return region_.bytes() / line_bytes; }

  std::uint32_t add(Line* line, Word key) {
    if (size_ >= limit_ || line == last_) [[unlikely]] {
      if (!make_room(line)) return none;
      line = first_with_room(home(key));
    }
    line->append(key, ++size_);
    return size_;
  }

  Line* first_with_room(std::uint64_t index) const {
    Line* line = line_at(index);
    while (line->is_full()) ++line;
    return line;
  }

  [[gnu::noinline]] bool make_room(const Line* line) {
    if (size_ == ~std::uint32_t{0}) return false;
    if (grow()) return true;
    limit_ = last_load.of(homes_ * slots);
    return size_ < limit_ && line != last_;
  }

  bool grow() {
    const std::uint64_t old_capacity = capacity();
    if (!enlarge(region_)) return false;
    margin_ += 2;
    set_geometry();
    spread(old_capacity);
    return true;
  }

  void set_geometry() {
    homes_ = capacity() - margin_;
    limit_ = std::min<std::uint64_t>(usual_load.of(homes_ * slots), ~std::uint32_t{0});
    last_ = line_at(capacity() - 1);
  }

  void spread(std::uint64_t old_capacity) {
    std::vector<Entry> entries, carried;
    for (std::uint64_t end = old_capacity; end > 0;) {
      const std::uint64_t begin = end > chunk_lines ? end - chunk_lines : 0;
      entries.swap(carried);
      carried.clear();
      for (const Line *line = line_at(begin), *stop = line_at(end); line != stop; ++line)
        for (unsigned i = 0; i < slots && line->numbers[i] != none; ++i)
          entries.push_back({line->keys[i], line->numbers[i]});
      std::memset(static_cast<void*>(line_at(begin)), 0, (end - begin) * line_bytes);
      for (const Entry& entry : entries) {
        if (home(entry.key) < begin) {
          carried.push_back(entry);
        } else {
          first_with_room(home(entry.key))->append(entry.key, entry.number);
        }
      }
      end = begin;
    }
  }

  Region region_;
  std::uint64_t homes_ = 0;    // lines that are some key's home
  std::uint64_t margin_ = 16;  // lines beyond them; the last stays empty
  std::uint64_t limit_ = 0;    // grow when this many words are numbered
  std::uint32_t size_ = 0;
  Line* last_ = nullptr;
};

}  // namespace scrimp
