// compress=none: the states themselves, in one open-addressed table.
//
//     slot      0      1      2                 homes - 1              capacity - 1
//            +------+------+------+-- ... ------+------+--  margin  --+------+
//            | key  |  0   | key  |             | key  | key          |  0   |
//            +------+------+------+-- ... ------+------+--------------+------+
//
// A slot holds the words of one state; a zero first word marks it empty (no state has one). A state whose hash is h has
// its home at slot scale(h, homes) and lies in the first slot that was empty from there on (linear probing). Probing does
// not wrap round: what the last homes cannot hold goes into a margin, whose last slot stays empty and ends every probe.
// A state of one word is stored as its mixed image: the mixing is a bijection, so the image is as good as the state, and
// is its own hash.
//
// Growing. scale() is monotone, so states keep their order, up to probing, when the table grows, and no state moves
// towards the front. The region is extended and its chunks of slots are emptied and inserted again from the last to the
// first: a sequential pass, in place, that never holds more than the new table. A state probed out of an earlier chunk
// is carried over to that chunk.
#pragma once

#include <cstring>
#include <vector>

#include "core/hash.h"
#include "core/memory.h"
#include "store/growth.h"
#include "store/state_set.h"

namespace scrimp {

/// `Words` is the number of words of a state, or 0 where it is known only at run time.
template <std::uint32_t Words>
class PlainSet {
 public:
  PlainSet(const Machine& machine, Budget& budget) : words_(machine.words), region_(budget) {
    if (enlarge(region_)) set_geometry();
  }

  Insertion insert(const Word* state) { return insert_hashed(state, hash(state)); }

  void insert(const Word* states, std::uint32_t count, Insertion* results) {
    Word hashes[ahead];
    const std::uint32_t first = std::min(count, ahead);
    for (std::uint32_t i = 0; i < first; ++i) fetch(hashes[i] = hash(states + i * words()));
    for (std::uint32_t i = 0; i < count; ++i) {
      const Word hashed = hashes[i % ahead];
      if (i + ahead < count) fetch(hashes[i % ahead] = hash(states + std::size_t{i + ahead} * words()));
      results[i] = insert_hashed(states + std::size_t{i} * words(), hashed);
    }
  }

  void prefetch(const Word* state) const { fetch(hash(state)); }

  bool contains(const Word* state) const {
    if (homes_ == 0) return false;
    const Word hashed = hash(state);
    return *find(state, hashed) != 0;
  }

  std::uint64_t size() const { return size_; }
  std::uint64_t bytes() const { return region_.bytes(); }
  std::uint64_t state_bytes() const { return size_ * slot_bytes(); }

 private:
  static constexpr std::uint32_t ahead = 16;  // states hashed and fetched before they are inserted
  static constexpr Load usual_load{85}, last_load{95};
  static constexpr std::uint64_t chunk_slots = 2048;

  std::size_t words() const { return Words == 0 ? words_ : Words; }
  std::size_t slot_bytes() const { return words() * sizeof(Word); }
  Word* slot(std::uint64_t index) const { return region_.template as<Word>() + index * words(); }

  Word hash(const Word* state) const {
    if constexpr (Words == 1) return mix(*state);
    return hash_words(state, static_cast<std::uint32_t>(words()));
  }

  /// The hash of what a slot holds.
  Word hash_of_slot(const Word* key) const {
    if constexpr (Words == 1) return *key;
    return hash(key);
  }

  bool same(const Word* key, const Word* state, Word hashed) const {
    if constexpr (Words == 1) return *key == hashed;
    for (std::size_t i = 0; i < words(); ++i)
      if (key[i] != state[i]) return false;
    return true;
  }

  void store(Word* key, const Word* state, Word hashed) {
    if constexpr (Words == 1) {
      *key = hashed;
    } else {
      std::memcpy(key, state, slot_bytes());
    }
  }

  void fetch(Word hashed) const { __builtin_prefetch(slot(scale(hashed, homes_))); }

  /// The slot that holds the state, or the empty one where it belongs.
  Word* find(const Word* state, Word hashed) const {
    Word* key = slot(scale(hashed, homes_));
    while (*key != 0 && !same(key, state, hashed)) key += words();
    return key;
  }

  Insertion insert_hashed(const Word* state, Word hashed) {
    if (homes_ == 0) [[unlikely]] return Insertion::no_room;
    Word* key = find(state, hashed);
    if (*key != 0) return Insertion::known;
    if (size_ >= limit_ || key == last_) [[unlikely]] {
      if (!make_room(key)) return Insertion::no_room;
      key = find(state, hashed);
    }
    store(key, state, hashed);
    ++size_;
    return Insertion::fresh;
  }

  /// Grows; where that is refused, fills the table further than it would otherwise be.
  bool make_room(const Word* key) {
    if (grow()) return true;
    limit_ = last_load.of(homes_);
    return size_ < limit_ && key != last_;
  }

  bool grow() {
    const std::uint64_t old_capacity = capacity();
    if (!enlarge(region_)) return false;
    margin_ += 2;
    set_geometry();
    spread(old_capacity);
    return true;
  }

  std::uint64_t capacity() const { return region_.bytes() / slot_bytes(); }

  void set_geometry() {
    homes_ = capacity() - margin_;
    limit_ = usual_load.of(homes_);
    last_ = slot(capacity() - 1);
  }

  /// Moves the states of the first `old_capacity` slots to where the new geometry wants them.
  void spread(std::uint64_t old_capacity) {
    std::vector<Word> chunk, carried;
    for (std::uint64_t end = old_capacity; end > 0;) {
      const std::uint64_t begin = end > chunk_slots ? end - chunk_slots : 0;
      chunk.assign(slot(begin), slot(end));
      chunk.insert(chunk.end(), carried.begin(), carried.end());
      carried.clear();
      std::memset(slot(begin), 0, (end - begin) * slot_bytes());
      for (const Word* key = chunk.data(); key != chunk.data() + chunk.size(); key += words())
        if (*key != 0) place(key, begin, carried);
      end = begin;
    }
  }

  void place(const Word* key, std::uint64_t begin, std::vector<Word>& carried) {
    const std::uint64_t home = scale(hash_of_slot(key), homes_);
    if (home < begin) {
      carried.insert(carried.end(), key, key + words());
      return;
    }
    Word* target = slot(home);
    while (*target != 0) target += words();
    std::memcpy(target, key, slot_bytes());
  }

  std::uint32_t words_;
  Region region_;
  std::uint64_t homes_ = 0;
  std::uint64_t margin_ = 128;  // stretching the homes adds at most one slot to what overflows the last: two suffice
  std::uint64_t size_ = 0;
  std::uint64_t limit_ = 0;  // grow when this many states are held
  Word* last_ = nullptr;     // the slot that stays empty
};

}  // namespace scrimp
