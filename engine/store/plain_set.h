// compress=none: the states themselves, in one open-addressed table.
//
//     bucket 0               bucket 1                    bucket homes - 1          margin
//     +-----+-----+-----+----+-----+-----+-----+--- ... ---+-----+-----+-----+----+---- ... ----+----+
//     | key | key | key | 0  | key |  0  |  0  |           | key | key | key | key| key  0      | 0  |
//     +-----+-----+-----+----+-----+-----+-----+--- ... ---+-----+-----+-----+----+---- ... ----+----+
//
// A slot holds the words of one state; a zero first word marks it empty (no state has one). States of one or two words
// come in buckets of one cache line, eight or four slots, filled from the left; longer ones in buckets of a single
// slot. A state whose hash is h has its home in bucket scale(h, homes) and lies in the first bucket from there on that
// had room (linear probing). Probing does not wrap round: what the last homes cannot hold goes into a margin of
// buckets, the last of which stays empty and so ends every probe. A state of one word is stored as its mixed image: the
// mixing is a bijection, so the image is as good as the state, and it is its own hash.
//
// Growing. scale() is monotone, so states keep their order, up to probing, and none moves towards the front. The region
// is extended and its chunks are emptied and inserted again from the last to the first: a sequential pass, in place,
// that never holds more than the new table. With f = new homes / old homes:
//
//     old   |        chunk [begin, end)        |  emptied and spread already  |
//     new   |            ...             | window [f begin, f end)             | spread  ... |
//
// A state found in a chunk although its home lies before the chunk is carried over to the chunk of its home. So what
// lands in a window comes from one chunk, and the number of keys in each of its buckets can be counted on the side.
#pragma once

#include <cstring>
#include <vector>

#include "core/hash.h"
#include "core/memory.h"
#include "store/growth.h"
#include "store/line.h"
#include "store/state_set.h"

namespace scrimp {

/// `Words` is the number of words of a state, or 0 where it is known only at run time.
template <std::uint32_t Words>
class PlainSet {
 public:
  PlainSet(const Machine& machine, Budget& budget) : PlainSet(budget, machine.words) {}
  PlainSet(Budget& budget, std::uint32_t words) : words_(words), region_(budget) {
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
    const Word* probed = bucket(home(hashed));
    while (!holds(probed, state, hashed)) {
      if (!is_full(probed)) return false;
      probed += bucket_words();
    }
    return true;
  }

  std::uint64_t size() const { return size_; }
  std::uint64_t bytes() const { return region_.bytes(); }
  std::uint64_t state_bytes() const { return size_ * words() * sizeof(Word); }

 private:
  static constexpr std::uint32_t ahead = 32;  // states hashed and fetched before they are inserted
  static constexpr Load usual_load{85}, last_load{95};
  static constexpr std::size_t chunk_bytes = std::size_t{16} << 10;
  static constexpr std::uint32_t slots = Words == 1 || Words == 2 ? line_words / Words : 1;

  std::size_t words() const { return Words == 0 ? words_ : Words; }
  std::size_t bucket_words() const { return slots * words(); }
  std::uint64_t capacity() const { return region_.bytes() / sizeof(Word) / bucket_words(); }
  Word* bucket(std::uint64_t index) const { return region_.template as<Word>() + index * bucket_words(); }
  std::uint64_t home(Word hashed) const { return scale(hashed, homes_); }
  void fetch(Word hashed) const { __builtin_prefetch(bucket(home(hashed))); }

  Word hash(const Word* state) const {
    if constexpr (Words == 1) return mix(*state);
    return hash_words(state, static_cast<std::uint32_t>(words()));
  }

  Word hash_of_key(const Word* key) const {
    if constexpr (Words == 1) return *key;
    return hash(key);
  }

  bool holds(const Word* probed, const Word* state, Word hashed) const {
    if constexpr (Words == 1) return line_holds(probed, hashed);
    if constexpr (Words == 2) return line_holds_pair(probed, state);
    std::size_t i = 0;
    while (i < words() && probed[i] == state[i]) ++i;
    return i == words();
  }

  bool is_full(const Word* probed) const { return probed[bucket_words() - words()] != 0; }

  unsigned used(const Word* probed) const {
    unsigned count = 0;
    for (std::size_t i = 0; i < bucket_words(); i += words()) count += probed[i] != 0;
    return count;
  }

  Insertion insert_hashed(const Word* state, Word hashed) {
    if (homes_ == 0) [[unlikely]]
      return Insertion::no_room;
    Word* probed = bucket(home(hashed));
    while (!holds(probed, state, hashed)) {
      if (!is_full(probed)) return add(probed, state, hashed);
      probed += bucket_words();
    }
    return Insertion::known;
  }

  Insertion add(Word* probed, const Word* state, Word hashed) {
    if (size_ >= limit_ || probed == last_) [[unlikely]] {
      if (!make_room(probed)) return Insertion::no_room;
      probed = first_with_room(bucket(home(hashed)));
    }
    copy(probed + used(probed) * words(), Words == 1 ? &hashed : state);
    ++size_;
    return Insertion::fresh;
  }

  void copy(Word* target, const Word* source) const { std::memcpy(target, source, words() * sizeof(Word)); }

  Word* first_with_room(Word* probed) const {
    while (is_full(probed)) probed += bucket_words();
    return probed;
  }

  /// Grows; where that is refused, fills the table further than it would otherwise be.
  [[gnu::noinline]] bool make_room(const Word* probed) {
    if (grow()) return true;
    limit_ = last_load.of(homes_ * slots);
    return size_ < limit_ && probed != last_;
  }

  bool grow() {
    const std::uint64_t old_homes = homes_, old_capacity = capacity();
    if (!enlarge(region_)) return false;
    margin_ += 2;  // stretching the homes adds at most one bucket to what overflows the last of them
    set_geometry();
    spread(old_homes, old_capacity);
    return true;
  }

  void set_geometry() {
    homes_ = capacity() - margin_;
    limit_ = usual_load.of(homes_ * slots);
    last_ = bucket(capacity() - 1);
  }

  void spread(std::uint64_t old_homes, std::uint64_t old_capacity) {
    const std::uint64_t chunk = chunk_bytes / sizeof(Word) / bucket_words() + 1;
    const auto stretched = [&](std::uint64_t index) { return DoubleWord{index} * homes_ / old_homes; };
    std::vector<Word> keys, carried;
    std::vector<std::uint8_t> counts;
    for (std::uint64_t end = old_capacity; end > 0;) {
      const std::uint64_t begin = end > chunk ? end - chunk : 0;
      keys.swap(carried);
      carried.clear();
      take_out(begin, end, keys);
      const std::uint64_t first = static_cast<std::uint64_t>(stretched(begin));
      const std::uint64_t last = std::min(static_cast<std::uint64_t>(stretched(end)), homes_);
      counts.assign(last - first + 1, 0);
      counts.back() = static_cast<std::uint8_t>(used(bucket(last)));  // shared with the window above
      put_back(keys, first, counts, carried);
      end = begin;
    }
  }

  /// Appends the keys of a chunk to `keys` and empties the chunk.
  void take_out(std::uint64_t begin, std::uint64_t end, std::vector<Word>& keys) const {
    std::size_t size = keys.size();
    keys.resize(size + (end - begin) * bucket_words() + words());
    for (const Word *key = bucket(begin), *stop = bucket(end); key != stop; key += words()) {
      copy(keys.data() + size, key);  // whatever it is: overwritten by the next where it is empty
      size += *key != 0 ? words() : 0;
    }
    keys.resize(size);
    std::memset(bucket(begin), 0, (end - begin) * bucket_words() * sizeof(Word));
  }

  /// Inserts keys into the window that starts at bucket `first`; `counts` are the keys in each of its buckets.
  void put_back(const std::vector<Word>& keys, std::uint64_t first, std::vector<std::uint8_t>& counts,
                std::vector<Word>& carried) {
    for (const Word *key = keys.data(), *stop = key + keys.size(); key != stop; key += words()) {
      const std::uint64_t target = home(hash_of_key(key));
      if (target < first) {
        carried.insert(carried.end(), key, key + words());
      } else if (std::uint8_t& count = counts[target - first]; count < slots) {
        copy(bucket(target) + count++ * words(), key);
      } else {
        put_further(key, target, first, counts);
      }
    }
  }

  void put_further(const Word* key, std::uint64_t target, std::uint64_t first, std::vector<std::uint8_t>& counts) {
    Word* probed = first_with_room(bucket(target));
    copy(probed + used(probed) * words(), key);
    const std::uint64_t offset = static_cast<std::uint64_t>(probed - bucket(first)) / bucket_words();
    if (offset < counts.size()) ++counts[offset];
  }

  std::uint32_t words_;
  Region region_;
  std::uint64_t homes_ = 0;    // buckets that are some state's home
  std::uint64_t margin_ = 64;  // buckets beyond them
  std::uint64_t size_ = 0;
  std::uint64_t limit_ = 0;  // grow when this many states are held
  Word* last_ = nullptr;     // the bucket that stays empty
};

static_assert(StateSet<PlainSet<0>> && StateSet<PlainSet<1>> && StateSet<PlainSet<2>>);

}  // namespace scrimp
