// compress=none: the states themselves, in one open-addressed table.
//
//     bucket 0         bucket 1                         bucket homes-1    margin
//     +----------------+----------------+---  ...  ---+----------------+----------- ... -----------+
//     | a b c d e . . .| f g h . . . . .|             | i j k l m n o p| q . . .           . . . . |
//     +----------------+----------------+---  ...  ---+----------------+----------- ... -----------+
//
//     a bucket of states of two words    | a0 b0 c0 d0 e0 0  0  0  |     first line: the first words
//                                        | a1 b1 c1 d1 e1 .  .  .  |     second line: the second words
//
// A bucket holds eight states, word by word, in as many cache lines as a state has words; it fills from the left. With
// annotations, a bucket holds four states if these fill whole lines: a state of one word and its annotation are then
// fetched with one line.
//
// The first word w0 is stored as mix(w0 xor hash of the other words). Given the other words this is a bijection, so it
// identifies w0; it is never zero, so zero marks an empty slot; and it is a hash of the whole state, so a lookup
// usually reads only the first line, and the table never rehashes a state.
//
// A state with hash h has its home in bucket scale(h, homes) and is stored in the first bucket from there on that had
// room when it was inserted (linear probing). Probing does not wrap around: states that overflow the last homes go into
// a margin of buckets. The last bucket of the margin stays empty and so ends every probe.
//
// Growing. scale() is monotone, so states keep their order, up to probing, and none moves towards the front. The region
// is extended and its states are spread out chunk by chunk, from the last to the first: a sequential pass, in place,
// that never holds more than the new table. With f = new homes / old homes:
//
//     old   |  not yet read  | chunk [begin, end)  |  read: free to be overwritten  |
//     new   |                     ...              | window [f begin, f end) | done |
//
// The states of a chunk are laid out in a copy of their window, which then replaces the old contents. A state whose
// home lies before the chunk in which probing put it is carried over to the chunk of its home; a state that does not
// fit into the window is inserted into the windows beyond it, which are already done. Several threads work on parts of
// the table in waves (store/waves.h); the few states that would have to go to another part are inserted at the end.
//
// States are removed in bulk, in one pass from the first bucket to the last: remaining states are compacted in their
// home bucket; those stored outside their home move to the first bucket from their home on that has room, which is at
// the latest the bucket they were in.
#pragma once

#include <algorithm>
#include <cstring>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/hash.h"
#include "core/memory.h"
#include "store/growth.h"
#include "store/line.h"
#include "store/scattered.h"
#include "store/shards.h"
#include "store/state_set.h"

namespace scrimp {

/// `Words` is the number of words of a state, or 0 if it is known only at run time. Each annotation, at most two, takes
/// a word.
template <std::uint32_t Words, class... Annotations>
class PlainSet {
 public:
  static constexpr std::size_t annotations = sizeof...(Annotations);
  static constexpr bool keys_are_hashes = true;
  static_assert(annotations <= 2 && ((sizeof(Annotations) == sizeof(Word)) && ...));

  PlainSet(const Machine& machine, Budget& budget) : PlainSet(budget, machine.words) {}
  PlainSet(Budget& budget, std::uint32_t words) : words_(words), region_(budget) {
    if (region_.resize(std::max(first_table_bytes, first_buckets * bucket_words() * sizeof(Word)))) set_geometry();
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

  /// A hint that this state of one word will soon be inserted.
  void prefetch(Word state) const { fetch(hash(&state)); }

  /// A key is the state's hash.
  void prepare(const Word* states, std::uint32_t count, Word* keys) const {
    for (std::uint32_t i = 0; i < count; ++i) fetch(keys[i] = hash(states + std::size_t{i} * words()));
  }
  /// A hint that a state with about this hash will be looked up soon.
  void fetch(Word hashed) const {
    const Word* wanted = bucket(home(hashed));
    for (std::size_t i = 0; i < bucket_words(); i += line_words) fetch_line(wanted + i);
  }

  /// A state of an annotated set; `beside` is null if there was no room.
  struct AnnotatedEntry {
    Insertion insertion;
    Word* beside = nullptr;

    template <std::size_t which = 0>
    Word& annotation() const {
      return beside[which * places];
    }
    void annotate(const Word* values) const {
      for (std::size_t i = 0; i < annotations; ++i) beside[i * places] = values[i];
    }
  };
  using Entry = std::conditional_t<annotations == 0, Visited, AnnotatedEntry>;

  [[gnu::always_inline]] Entry visit(const Word* state, Word key)
    requires(annotations == 0)
  {
    return {insert_hashed(state, key)};
  }
  Entry visit(const Word* state, Word key)
    requires(annotations != 0)
  {
    if (homes_ == 0) [[unlikely]]
      return {Insertion::no_room};
    for (Word* probed = bucket(home(key));; probed += bucket_words()) {
      if (Word* const found = find(probed, state, key)) return {Insertion::known, beside(found)};
      if (is_full(probed)) continue;
      const Insertion added = add(probed, state, key);
      return {added, added == Insertion::fresh ? beside(added_) : nullptr};
    }
  }

  Word key_of(const Word* state) const { return hash(state); }

  /// Calls `use` with states, from the last bucket on, and frees their memory on the way, as long as `goes_on()`.
  /// Returns how many buckets are left. The set can only be drained further afterwards, from these, or converted.
  template <class Use, class GoesOn>
  std::uint64_t drain(std::uint64_t buckets, Use use, GoesOn goes_on)
    requires(annotations == 0)
  {
    std::vector<Word> state(words());
    const std::size_t step = std::clamp(region_.bytes() / 64, small_page, std::size_t{1} << 20);
    while (buckets > 0 && goes_on()) {
      read_bucket(--buckets, state.data(), use);
      const std::size_t needed = buckets * bucket_words() * sizeof(Word);
      if (needed + step <= region_.bytes() && !region_.resize(needed)) continue;
    }
    if (buckets == 0) region_.clear();
    homes_ = 0;
    return buckets;
  }
  std::uint64_t buckets() const { return capacity(); }

  /// Calls `use` with states of the last buckets, `count` of them or all there are.
  template <class Use>
  void for_each_of_last(std::uint64_t count, Use use) const {
    std::vector<Word> state(words());
    for (std::uint64_t left = capacity(); left-- > 0 && count > 0;)
      read_bucket(left, state.data(), [&](const Word* each) {
        if (count == 0) return;
        use(each);
        --count;
      });
  }

  /// States of one word, in memory of their own, each as something else.
  struct Converted {
    Region words;
    std::uint64_t count;
  };
  /// Converts the states of the first buckets, which are all that is left, where they are.
  template <class Convert>
  Converted convert(std::uint64_t buckets, Convert convert)
    requires(Words == 1 && annotations == 0)
  {
    Word* const first = bucket(0);
    std::uint64_t count = 0;
    for (const Word *place = first, *end = bucket(buckets); place != end; ++place) {
      const Word held = *place;
      first[count] = convert(unmix(held));  // branch-free: an empty place is overwritten by the next state
      count += held != 0;
    }
    homes_ = 0;
    return {std::move(region_), count};
  }

  struct Scratch {};

  /// The buckets of a shard.
  struct Section {
    Word *begin, *end;
  };

  bool can_share() const
    requires(annotations == 0)
  {
    return homes_ != 0;
  }
  void review_if_due() {}

  /// A code has the words of a state as they are stored: its hash, then all its words but the first.
  std::size_t code_words() const { return words(); }
  bool codes_at_once() const { return true; }
  bool codes_cheaply() const { return true; }
  void look_up(const Word* states, std::uint32_t count, Word* codes, Scratch&) const {
    for (std::uint32_t i = 0; i < count; ++i, states += words(), codes += words()) {
      const Word hashed = hash(states);
      for (std::size_t j = 1; j < words(); ++j) codes[j] = states[j];
      *codes = hashed;
    }
  }
  bool number(const Word*, std::uint32_t, Word*) { return true; }
  void place(Word* codes, std::uint32_t count, Shard* shards) const {
    for (std::uint32_t i = 0; i < count; ++i, codes += words())
      shards[i] = static_cast<Shard>(*codes >> (64 - shard_bits));
  }
  bool make_room(std::uint64_t codes, const Crew& crew) {
    while (size_ >= limit_ || size_ + codes / 2 >= last_load.of(homes_ * places))
      if (homes_ == 0 || !grow(&crew)) return false;
    return true;
  }
  Section section(std::uint32_t shard) const {
    const std::uint64_t begin = (shard * homes_ + shard_count - 1) >> shard_bits,
                        end = ((shard + 1) * homes_) >> shard_bits;
    return {bucket(begin), shard + 1 == shard_count ? last_ : bucket(std::max(begin, end))};
  }
  void fetch(const Section&, Codes codes) const {
    for (std::uint32_t i = 0; i < codes.count; ++i) fetch(codes.first[i * words()]);
  }
  void insert(const Section& section, Codes codes, Insertion* results, Codes next) {
    insert_and_fetch(
        codes.count, [&](std::uint32_t i) { results[i] = insert_within(section, codes.first + i * words()); },
        next.count, [&](std::uint32_t i) { fetch(next.first[i * words()]); });
  }
  void count_inserted(std::uint64_t fresh) { size_ += fresh; }
  Insertion insert_late(const Word* code) { return insert_hashed(code, *code); }

  /// Replaces the first annotation of each state by `renew` of it. States for which that is zero are removed.
  template <class Renew>
  void sweep(Renew renew)
    requires(annotations != 0)
  {
    std::vector<Word> astray(bucket_words() + held_words());
    size_ = 0;
    bool follows_full = false;  // only then can the bucket hold states whose home is another one
    for (std::uint64_t index = 0; index < capacity(); ++index) {
      const bool was_full = is_full(bucket(index));
      if (follows_full) {
        const std::size_t count = close_ranks(index, astray.data(), renew);
        for (std::size_t i = 0; i < count; ++i) {
          const Word* const state = &astray[i * held_words()];
          Word* const probed = first_with_room(bucket(home(*state)));
          write(probed + used(probed), state, *state, held_words());
        }
        size_ += count;
      } else {
        size_ += thin_out(bucket(index), astray.data(), renew);
      }
      follows_full = was_full;
    }
  }

  bool contains(const Word* state) const {
    if (homes_ == 0) return false;
    const Word hashed = hash(state);
    const Word* probed = bucket(home(hashed));
    for (; !holds(probed, state, hashed); probed += bucket_words())
      if (!is_full(probed)) return false;
    return true;
  }

  /// As long as nothing is inserted, a state stays in its slot, and any thread may look it up.
  std::uint64_t slots() const { return capacity() * places; }
  static constexpr std::uint64_t no_slot = ~std::uint64_t{0};
  /// The slot of a state, or `no_slot`.
  std::uint64_t slot_of(const Word* state) const {
    if (homes_ == 0) return no_slot;
    const Word hashed = hash(state);
    for (std::uint64_t index = home(hashed);; ++index) {
      if (const Word* const found = find(bucket(index), state, hashed))
        return index * places + static_cast<std::uint64_t>(found - bucket(index));
      if (!is_full(bucket(index))) return no_slot;
    }
  }
  /// Writes the state in a slot; returns false if there is none.
  bool read_slot(std::uint64_t slot, Word* state) const {
    const Word* const place = bucket(slot / places) + slot % places;
    if (*place == 0) return false;
    for (std::size_t i = 1; i < words(); ++i) state[i] = place[i * places];
    *state = unmix(*place) ^ others_hash(state);
    return true;
  }

  std::size_t row_words() const { return held_words(); }
  template <RowOrder order = RowOrder::scattered, class Use>
  bool for_each_row(Use use) const {
    std::vector<Word> row(held_words());
    for_each_in<order>(capacity(), [&](std::uint64_t index) {
      const Word* const line = bucket(index);
      for (const Word* place = line; place != line + places; ++place) {
        if (*place == 0) continue;
        for (std::size_t i = 1; i < held_words(); ++i) row[i] = place[i * places];
        row[0] = unmix(*place) ^ others_hash(row.data());
        use(static_cast<const Word*>(row.data()));
      }
    });
    return true;
  }
  bool add_row(const Word* row) {
    const Entry entry = visit(row, hash(row));
    if (entry.insertion != Insertion::fresh) return false;
    entry.annotate(row + words());
    return true;
  }

  std::uint64_t size() const { return size_; }
  std::uint64_t bytes() const { return region_.bytes(); }
  std::uint64_t state_bytes() const { return size_ * held_words() * sizeof(Word); }

 private:
  static constexpr std::uint32_t ahead = 32;  // states hashed and fetched before they are inserted
  static constexpr bool is_small = annotations == 1 && Words % 2 == 1;  // buckets, which then are full more often
  static constexpr Load usual_load{is_small ? 75u : 88u}, last_load{95};
  static constexpr std::size_t chunk_words = 2048;
  static constexpr std::size_t near_bytes = std::size_t{4} << 20;
  static constexpr std::size_t places = is_small ? line_words / 2 : line_words;  // of a bucket
  static constexpr std::size_t first_buckets = 32;

  std::size_t words() const { return Words == 0 ? words_ : Words; }
  /// The words of a state and its annotations.
  std::size_t held_words() const { return words() + annotations; }
  std::size_t bucket_words() const { return places * held_words(); }
  Word* beside(Word* place) const { return place + words() * places; }
  std::uint64_t capacity() const { return region_.bytes() / sizeof(Word) / bucket_words(); }
  Word* bucket(std::uint64_t index) const { return region_.template as<Word>() + index * bucket_words(); }
  std::uint64_t home(Word hashed) const { return scale(hashed, homes_); }

  Word hash(const Word* state) const {
    if constexpr (Words == 1) return mix(*state);
    return mix(*state ^ others_hash(state));
  }
  /// Hash of all words but the first. Its lowest bit is clear, so the lowest bit of the first word stays set: no image
  /// is zero.
  Word others_hash(const Word* state) const {
    if constexpr (Words == 1) return 0;
    return hash_words(state + 1, static_cast<std::uint32_t>(words() - 1)) & ~Word{1};
  }

  bool holds(const Word* probed, const Word* state, Word hashed) const {
    WordMask candidates = equal(probed, hashed);
    if constexpr (Words == 1) return bool(candidates);
    for (; candidates; candidates.drop_first())
      if (others_equal(probed + candidates.first(), state)) return true;
    return false;
  }

  /// The slot of the state in a bucket, or null.
  Word* find(Word* probed, const Word* state, Word hashed) const {
    for (WordMask candidates = equal(probed, hashed); candidates; candidates.drop_first())
      if (others_equal(probed + candidates.first(), state)) return probed + candidates.first();
    return nullptr;
  }

  bool others_equal(const Word* place, const Word* state) const {
    for (std::size_t i = 1; i < words(); ++i)
      if (place[i * places] != state[i]) return false;
    return true;
  }

  /// The slots of a bucket whose first word is `key`.
  static WordMask equal(const Word* probed, Word key) {
    return {words_equal(probed, key).bits & static_cast<std::uint32_t>((std::uint64_t{1} << 2 * places) - 1)};
  }

  static bool is_full(const Word* probed) { return probed[places - 1] != 0; }
  static unsigned used(const Word* probed_with_room) { return equal(probed_with_room, 0).first(); }

  [[gnu::always_inline]] Insertion insert_hashed(const Word* state, Word hashed) {
    if (homes_ == 0) [[unlikely]]
      return Insertion::no_room;
    Word* probed = bucket(home(hashed));
    for (; !holds(probed, state, hashed); probed += bucket_words())
      if (!is_full(probed)) return add(probed, state, hashed);
    return Insertion::known;
  }

  [[gnu::always_inline]] Insertion add(Word* probed, const Word* state, Word hashed) {
    if (size_ >= limit_ || probed == last_) [[unlikely]] {
      if (!make_room(probed)) return Insertion::no_room;
      probed = first_with_room(bucket(home(hashed)));
    }
    Word* const place = probed + used(probed);
    write(place, state, hashed, words());
    if constexpr (annotations != 0) added_ = place;
    ++size_;
    return Insertion::fresh;
  }

  /// Without counting it. Leaves it undecided if it would have to look outside the section.
  Insertion insert_within(const Section& section, const Word* code) const {
    Word* probed = bucket(home(*code));
    if (probed < section.begin) return Insertion::no_room;
    for (; probed < section.end; probed += bucket_words()) {
      if (holds(probed, code, *code)) return Insertion::known;
      if (is_full(probed)) continue;
      write(probed + used(probed), code, *code, words());
      return Insertion::fresh;
    }
    return Insertion::no_room;
  }

  /// Calls `use` with every state of a bucket, written to `state`.
  template <class Use>
  void read_bucket(std::uint64_t index, Word* state, Use use) const {
    const Word* const line = bucket(index);
    for (const Word* place = line; place != line + places; ++place) {
      if (*place == 0) continue;
      for (std::size_t i = 1; i < words(); ++i) state[i] = place[i * places];
      state[0] = unmix(*place) ^ others_hash(state);
      use(static_cast<const Word*>(state));
    }
  }

  void write(Word* place, const Word* state, Word hashed, std::size_t count) const {
    *place = hashed;
    for (std::size_t i = 1; i < count; ++i) place[i * places] = state[i];
  }

  Word* first_with_room(Word* probed) const {
    while (is_full(probed)) probed += bucket_words();
    return probed;
  }

  /// Grows; if the budget refuses that, fills the table beyond its usual load.
  [[gnu::noinline]] bool make_room(const Word* probed) {
    if (grow()) return true;
    limit_ = last_load.of(homes_ * places);
    return size_ < limit_ && probed != last_;
  }

  /// With a crew, all its threads move states.
  bool grow(const Crew* crew = nullptr) {
    const std::uint64_t old_homes = homes_, old_capacity = capacity();
    if (!enlarge(region_, 8 * bucket_words() * sizeof(Word), Growth::brisk)) return false;
    margin_ += 2;  // stretching the homes adds at most one bucket to the overflow of the last one
    set_geometry();
    spread(old_homes, old_capacity, crew);
    return true;
  }

  void set_geometry() {
    homes_ = capacity() - margin_;
    limit_ = usual_load.of(homes_ * places);
    last_ = bucket(capacity() - 1);
  }

  /// A window of the table being laid out, with the number of states in each bucket.
  struct Window {
    std::uint64_t first = 0;
    std::vector<Word> memory;
    Word* buckets = nullptr;  // aligned, within the memory
    std::vector<std::uint8_t> counts;
  };

  /// What it takes to move a part of the table. `outside` has the states that have no place in the part's window.
  struct Spreading {
    Window window;
    std::vector<Word> states, carried, spilled, outside;
  };

  void spread(std::uint64_t old_homes, std::uint64_t old_capacity, const Crew* crew) {
    const auto stretched = [&](std::uint64_t index) {
      return std::min(static_cast<std::uint64_t>(DoubleWord{index} * homes_ / old_homes), capacity());
    };
    std::uint64_t rest = old_capacity;
    Pool<Spreading> pool;
    std::vector<Word> outside;
    std::mutex outside_mutex;
    const auto spread_part = [&](std::uint64_t begin, std::uint64_t end) {
      Spreading spreading = pool.take();
      spread_part_of(begin, end, stretched, spreading);
      {
        const std::lock_guard lock(outside_mutex);
        outside.insert(outside.end(), spreading.outside.begin(), spreading.outside.end());
      }
      pool.give_back(std::move(spreading));
    };
    if (crew != nullptr) rest = move_in_waves(old_capacity, *crew, stretched, spread_part);
    spread_part(0, rest);
    for (const Word* state = outside.data(); state != outside.data() + outside.size(); state += held_words()) {
      Word* const probed = first_with_room(bucket(home(*state)));
      write(probed + used(probed), state, *state, held_words());
    }
  }

  /// Moves the states of the buckets [begin, end) to the window that belongs to them.
  template <class Stretched>
  void spread_part_of(std::uint64_t part_begin, std::uint64_t part_end, Stretched stretched, Spreading& spreading) {
    const std::uint64_t chunk = std::max<std::uint64_t>(chunk_words / bucket_words(), 1);
    Word* const window_end = bucket(stretched(part_end));
    auto& [window, states, carried, spilled, outside] = spreading;
    carried.clear();
    outside.clear();
    for (std::uint64_t end = part_end; end > part_begin;) {
      const std::uint64_t begin = end > part_begin + chunk ? end - chunk : part_begin;
      states.swap(carried);
      carried.clear();
      read(begin, end, states);
      open(window, stretched(begin), stretched(end));
      lay_out(states, window, carried, spilled);
      put_back(window);
      for (const Word* state = spilled.data(); state != spilled.data() + spilled.size(); state += held_words()) {
        Word* probed = bucket(home(*state));
        while (probed < window_end && is_full(probed)) probed += bucket_words();
        if (probed < window_end)
          write(probed + used(probed), state, *state, held_words());
        else
          outside.insert(outside.end(), state, state + held_words());
      }
      spilled.clear();
      end = begin;
    }
    outside.insert(outside.end(), carried.begin(), carried.end());
  }

  /// Appends the states of a chunk, their first word as stored, with their annotations.
  void read(std::uint64_t begin, std::uint64_t end, std::vector<Word>& states) const {
    std::size_t size = states.size();
    states.resize(size + (end - begin) * bucket_words() + held_words());
    for (const Word *line = bucket(begin), *stop = bucket(end); line != stop; line += bucket_words())
      for (std::size_t place = 0; place < places; ++place) {
        for (std::size_t i = 0; i < held_words(); ++i) states[size + i] = line[place + i * places];
        size += line[place] != 0 ? held_words() : 0;  // an empty slot is overwritten by the next state
      }
    states.resize(size);
  }

  /// Keeps in a bucket, which is the home of all its states, those that stay. Returns their number. They are written
  /// back from a copy, because reading whole lines right after writing single words to them is slow.
  template <class Renew>
  std::size_t thin_out(Word* line, Word* copy, Renew renew) {
    std::copy_n(line, bucket_words(), copy);
    std::fill_n(line, bucket_words(), 0);
    std::size_t staying = 0;
    for (std::size_t place = 0; place < places; ++place) {  // branch-free: which states stay is unpredictable
      const Word renewed = renew(copy[place + words() * places]);
      const Word kept = -Word{renewed != 0};
      for (std::size_t i = 0; i < held_words(); ++i) line[staying + i * places] = copy[place + i * places] & kept;
      line[staying + words() * places] = renewed;
      staying += renewed != 0;
    }
    return staying;
  }

  /// Keeps in a bucket those of its states that stay and have their home there. Copies the other states that stay, with
  /// their annotations, and returns their number.
  template <class Renew>
  std::size_t close_ranks(std::uint64_t index, Word* astray, Renew renew) {
    Word* const line = bucket(index);
    std::size_t at_home = 0, elsewhere = 0, place = 0;
    for (; place < places && line[place] != 0; ++place) {
      const Word renewed = renew(line[place + words() * places]);
      const bool stays = renewed != 0;
      const bool is_at_home = home(line[place]) == index;
      Word* const target = is_at_home ? line + at_home : astray + elsewhere * held_words();
      const std::size_t stride = is_at_home ? places : 1;
      for (std::size_t i = 0; i < words(); ++i) target[i * stride] = line[place + i * places];
      target[words() * stride] = renewed;
      if constexpr (annotations == 2) target[(words() + 1) * stride] = line[place + (words() + 1) * places];
      (is_at_home ? at_home : elsewhere) += stays;  // a removed state is overwritten by the next
    }
    for (std::size_t empty = at_home; empty < place; ++empty)
      for (std::size_t i = 0; i < held_words(); ++i) line[empty + i * places] = 0;
    size_ += at_home;
    return elsewhere;
  }

  void open(Window& window, std::uint64_t first, std::uint64_t last) const {
    window.first = first;
    window.memory.assign((last - first) * bucket_words() + line_words, 0);
    const std::size_t misaligned = reinterpret_cast<std::uintptr_t>(window.memory.data()) % line_bytes / sizeof(Word);
    window.buckets = window.memory.data() + (line_words - misaligned) % line_words;
    window.counts.assign(last - first, 0);
  }

  /// A table that fits in the caches stays there.
  void put_back(const Window& window) {
    const std::size_t count = window.counts.size() * bucket_words();
    if (region_.bytes() > near_bytes) return stream_lines(bucket(window.first), window.buckets, count);
    std::memcpy(bucket(window.first), window.buckets, count * sizeof(Word));
  }

  void lay_out(const std::vector<Word>& states, Window& window, std::vector<Word>& carried,
               std::vector<Word>& spilled) const {
    const std::uint64_t size = window.counts.size();
    for (const Word *state = states.data(), *stop = state + states.size(); state != stop; state += held_words()) {
      const std::uint64_t target = home(*state);
      std::uint64_t index = target - window.first;
      while (index < size && window.counts[index] == places) ++index;
      if (index < size) {
        write(window.buckets + index * bucket_words() + window.counts[index]++, state, *state, held_words());
      } else {
        std::vector<Word>& elsewhere = target < window.first ? carried : spilled;
        elsewhere.insert(elsewhere.end(), state, state + held_words());
      }
    }
  }

  std::uint32_t words_;
  Region region_;
  std::uint64_t homes_ = 0;   // buckets that can be a state's home
  std::uint64_t margin_ = 8;  // buckets beyond them
  std::uint64_t size_ = 0;
  std::uint64_t limit_ = 0;  // grow when this many states are held
  Word* last_ = nullptr;     // the bucket that stays empty
  Word* added_ = nullptr;    // the slot of the last fresh state, if states have annotations
};

static_assert(ShardableSet<PlainSet<0>> && ShardableSet<PlainSet<1>> && !ShardableSet<PlainSet<1, Word>>);
static_assert(EnumerableSet<PlainSet<0>> && EnumerableSet<PlainSet<1>> && EnumerableSet<PlainSet<2, Word>>);

}  // namespace scrimp
