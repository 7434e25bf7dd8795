// Numbers words 1, 2, 3, ... in the order of first occurrence. The tables of a compression tree.
//
//     two buckets   +----+----+----+----+----+----+----+----+
//     192 bytes     | k  | k  | k  | 0  | 0  | 0  | 0  | 0  |   keys of the first bucket
//                   +----+----+----+----+----+----+----+----+
//                   | k  | k  | k  | k  | k  | 0  | 0  | 0  |   keys of the second
//                   +----+----+----+----+----+----+----+----+
//                   |n n |n 0 |0 0 |0 0 |n n |n n |n 0 |0 0 |   numbers, four bytes each, of the first and the second
//                   +----+----+----+----+----+----+----+----+
//
// A key is the mixed image of a word; its number is at the same place of its bucket; number 0 marks an empty place.
// Placing, probing and growing are as in store/plain_set.h.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/hash.h"
#include "core/memory.h"
#include "store/growth.h"
#include "store/line.h"

namespace scrimp {

class Numbering {
 public:
  static constexpr unsigned number_bits = 31;
  /// Returned by `number` if there is no room, and by `find` if the word has no number.
  static constexpr std::uint32_t none = 0;

  explicit Numbering(Budget& budget) : region_(budget) {
    if (region_.resize(first_bytes)) set_geometry();
  }

  /// The word's number; a new one if it has none yet.
  std::uint32_t number(Word word) { return number_key(mix(word)); }

  /// Numbers `count` words; returns how many were numbered before there was no room.
  std::uint32_t number(const Word* words, std::uint32_t count, std::uint32_t* numbers) {
    return for_each_key(words, count,
                        [&](Word key, std::uint32_t i) { return (numbers[i] = number_key(key)) != none; });
  }

  std::uint32_t find(Word word) const { return find_key(mix(word)); }

  /// Looks up `count` words.
  void find(const Word* words, std::uint32_t count, std::uint32_t* numbers) const {
    for_each_key(words, count, [&](Word key, std::uint32_t i) {
      numbers[i] = find_key(key);
      return true;
    });
  }

  /// Calls `visit` with every word and its number.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::uint64_t bucket = 0; bucket < capacity(); ++bucket)
      for (std::size_t i = 0; i < slots && numbers(bucket)[i] != none; ++i)
        visit(unmix(keys(bucket)[i]), numbers(bucket)[i]);
  }

  std::uint32_t size() const { return size_; }
  std::uint64_t bytes() const { return region_.bytes(); }
  std::uint64_t state_bytes() const { return std::uint64_t{size_} * (sizeof(Word) + sizeof(std::uint32_t)); }

 private:
  static constexpr std::uint32_t last_number = (std::uint32_t{1} << number_bits) - 1;
  static constexpr std::size_t slots = line_words;
  static constexpr std::size_t pair_bytes = 3 * line_bytes;
  static constexpr std::uint32_t ahead = 16;                         // words fetched before they are numbered
  static constexpr std::size_t near_bytes = std::size_t{256} << 10;  // tables up to this size fit in the caches
  static constexpr Load near_load{60}, usual_load{88}, last_load{95};
  static constexpr std::size_t first_bytes = 2 * small_page;
  static constexpr std::uint64_t chunk_buckets = 256;

  struct Entry {
    Word key;
    std::uint32_t number;
  };

  /// Calls `use` with the key of each word and its place, as long as that returns true, while the next ones are
  /// fetched. Returns how many times it did.
  template <class Use>
  std::uint32_t for_each_key(const Word* words, std::uint32_t count, Use use) const {
    std::uint32_t i = 0;
    if (region_.bytes() <= near_bytes) {
      while (i < count && use(mix(words[i]), i)) ++i;
      return i;
    }
    Word next[ahead];
    for (std::uint32_t first = 0; first < std::min(count, ahead); ++first) fetch(next[first] = mix(words[first]));
    for (; i < count; ++i) {
      const Word key = next[i % ahead];
      if (i + ahead < count) fetch(next[i % ahead] = mix(words[i + ahead]));
      if (!use(key, i)) [[unlikely]]
        break;
    }
    return i;
  }
  void fetch(Word key) const {
    const std::uint64_t bucket = home(key);
    fetch_line(keys(bucket));
    fetch_line(numbers(bucket));
  }

  std::uint32_t number_key(Word key) {
    if (homes_ == 0) [[unlikely]]
      return none;
    for (std::uint64_t bucket = home(key);; ++bucket) {
      if (const std::uint32_t known = find_in(bucket, key); known != none) return known;
      if (!is_full(bucket)) return add(bucket, key);
    }
  }
  std::uint32_t find_key(Word key) const {
    if (homes_ == 0) return none;
    for (std::uint64_t bucket = home(key);; ++bucket) {
      if (const std::uint32_t known = find_in(bucket, key); known != none) return known;
      if (!is_full(bucket)) return none;
    }
  }

  Word* keys(std::uint64_t bucket) const {
    return reinterpret_cast<Word*>(region_.data() + bucket / 2 * pair_bytes + bucket % 2 * line_bytes);
  }
  std::uint32_t* numbers(std::uint64_t bucket) const {
    return reinterpret_cast<std::uint32_t*>(region_.data() + bucket / 2 * pair_bytes + 2 * line_bytes +
                                            bucket % 2 * (line_bytes / 2));
  }
  std::uint64_t home(Word key) const { return scale(key, homes_); }
  std::uint64_t capacity() const { return region_.bytes() / pair_bytes * 2; }
  bool is_full(std::uint64_t bucket) const { return numbers(bucket)[slots - 1] != none; }

  /// A zero key may match empty places too, but these come after its own.
  std::uint32_t find_in(std::uint64_t bucket, Word key) const {
    const WordMask matches = words_equal(keys(bucket), key);
    return matches ? numbers(bucket)[matches.first()] : none;
  }

  std::uint32_t add(std::uint64_t bucket, Word key) {
    if (size_ >= limit_ || bucket == last_) [[unlikely]] {
      if (!make_room(bucket)) return none;
      bucket = first_with_room(home(key));
    }
    append(bucket, {key, ++size_});
    return size_;
  }

  void append(std::uint64_t bucket, Entry entry) {
    std::uint32_t* places = numbers(bucket);
    const auto place = static_cast<std::size_t>(std::find(places, places + slots, none) - places);
    keys(bucket)[place] = entry.key;
    places[place] = entry.number;
  }

  std::uint64_t first_with_room(std::uint64_t bucket) const {
    while (is_full(bucket)) ++bucket;
    return bucket;
  }

  [[gnu::noinline]] bool make_room(std::uint64_t bucket) {
    if (size_ == last_number) return false;
    if (grow()) return true;
    limit_ = last_load.of(homes_ * slots);
    return size_ < limit_ && bucket != last_;
  }

  bool grow() {
    const std::uint64_t old_capacity = capacity();
    if (!enlarge(region_, 4 * pair_bytes)) return false;
    margin_ += 2;
    set_geometry();
    spread(old_capacity);
    return true;
  }

  void set_geometry() {
    const Load load = region_.bytes() > near_bytes ? usual_load : near_load;
    homes_ = capacity() - margin_;
    limit_ = std::min<std::uint64_t>(load.of(homes_ * slots), last_number);
    last_ = capacity() - 1;
  }

  void spread(std::uint64_t old_capacity) {
    std::vector<Entry> entries, carried;
    for (std::uint64_t end = old_capacity; end > 0;) {
      const std::uint64_t begin = end > chunk_buckets ? end - chunk_buckets : 0;
      entries.swap(carried);
      carried.clear();
      for (std::uint64_t bucket = begin; bucket < end; ++bucket) take_out(bucket, entries);
      for (const Entry& entry : entries) {
        if (home(entry.key) < begin) {
          carried.push_back(entry);
        } else {
          append(first_with_room(home(entry.key)), entry);
        }
      }
      end = begin;
    }
  }

  void take_out(std::uint64_t bucket, std::vector<Entry>& entries) {
    for (std::size_t i = 0; i < slots && numbers(bucket)[i] != none; ++i)
      entries.push_back({keys(bucket)[i], numbers(bucket)[i]});
    std::memset(keys(bucket), 0, slots * sizeof(Word));
    std::memset(numbers(bucket), 0, slots * sizeof(std::uint32_t));
  }

  Region region_;
  std::uint64_t homes_ = 0;   // buckets that can be a key's home
  std::uint64_t margin_ = 8;  // buckets beyond them; the last stays empty
  std::uint64_t limit_ = 0;   // grow when this many words are numbered
  std::uint32_t size_ = 0;
  std::uint64_t last_ = 0;
};

}  // namespace scrimp
