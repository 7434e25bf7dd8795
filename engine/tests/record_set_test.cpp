// Sets of records against a map: every code, every length, removal and reuse.
#include "store/record_set.h"

#include <map>
#include <numeric>
#include <vector>

#include "store/block_arena.h"
#include "store/coded_records.h"
#include "store/huffman_table.h"
#include "store/run_length_code.h"
#include "store/word_records.h"
#include "tests/byte_layout.h"
#include "tests/check.h"
#include "tests/store_keys.h"

namespace {

using namespace scrimp;
using namespace scrimp::testing;

constexpr std::uint64_t plenty = std::uint64_t{1} << 30;
constexpr StateCode::Kind kinds[] = {StateCode::Kind::huffman, StateCode::Kind::run_length};

using Bytes = std::vector<std::uint8_t>;

/// Numbers below a limit, determined by a seed.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_(mix(seed + 1)) {}
  std::uint64_t operator()(std::uint64_t range) { return scale(mix(state_ += odd_constants[0]), range); }

 private:
  Word state_;
};

/// Runs, gradual changes and noise.
Bytes sample(std::size_t count, Draws& draw) {
  Bytes bytes(count);
  const std::uint64_t kind = draw(4);
  for (std::size_t i = 0; i < count; ++i) {
    const bool repeats = i != 0 && draw(8) < 2 * kind;
    bytes[i] = repeats ? bytes[i - 1] : static_cast<std::uint8_t>(draw(kind == 3 ? 3 : 256));
  }
  return bytes;
}

template <class Code>
void code_and_decode(const Code& code, std::uint64_t seed) {
  Draws draw(seed);
  const Bytes bytes = sample(draw(600), draw);
  Bytes coded(code.most_bytes(bytes.size()) + 8, 0xee), decoded(bytes.size());
  const std::size_t length = code.encode(bytes.data(), bytes.size(), coded.data());
  CHECK(length <= code.most_bytes(bytes.size()));
  std::fill(coded.begin() + static_cast<std::ptrdiff_t>(length), coded.end(), 0x77);
  CHECK_EQUAL(code.decode(coded.data(), bytes.size(), decoded.data()), length);
  CHECK(decoded == bytes);
}

void decoding_inverts_coding() {
  ByteFrequencies skewed{};
  for (std::size_t i = 0; i < 256; ++i) skewed[i] = i < 40 ? std::uint64_t{1} << (40 - i) : 0;
  const HuffmanCode shipped(byte_code_lengths()), extreme(code_lengths(skewed)), even(code_lengths({}));
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    code_and_decode(shipped, seed);
    code_and_decode(extreme, seed);
    code_and_decode(even, seed);
    code_and_decode(RunLengthCode(), seed);
  }
}

std::uint64_t code_space(const CodeLengths& lengths) {
  return std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0}, [](std::uint64_t sum, std::uint8_t length) {
    return sum + (std::uint64_t{1} << (longest_code - length));
  });
}

void the_shipped_code_is_complete() { CHECK_EQUAL(code_space(byte_code_lengths()), std::uint64_t{1} << longest_code); }

void frequent_bytes_have_short_codes() {
  ByteFrequencies frequencies{};
  frequencies[7] = 1000;
  frequencies[9] = 500;
  const CodeLengths lengths = code_lengths(frequencies);
  CHECK_EQUAL(lengths[7], 1);
  CHECK_EQUAL(lengths[9], 2);
  CHECK_EQUAL(code_space(lengths), std::uint64_t{1} << longest_code);
}

void runs_of_three_bytes_are_shortened() {
  const Bytes bytes = {1, 1, 2, 2, 2, 2, 2, 3};
  Bytes coded(16);
  const std::size_t length = RunLengthCode::encode(bytes.data(), bytes.size(), coded.data());
  coded.resize(length);
  CHECK((coded == Bytes{1, 1, 1, 130, 2, 0, 3}));
}

void a_state_is_unpacked_and_packed_again() {
  const Layout layout({33, 64, 1, 50});
  const ByteFields fields = byte_fields(layout);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const State state = scattered(layout, i);
    Bytes bytes(fields.bytes);
    State packed(layout.words());
    fields.unpack(state.data(), bytes.data());
    fields.pack(bytes.data(), packed.data(), 4);
    CHECK(packed == state);
  }
}

void bytes_of_states_are_counted() {
  const Layout layout({9, 8});
  const ByteFields fields{{{0, 1, 8, 1}, {1, 0, 8, 2}}, 3};
  const State state = {5 << 1 | 1, 7};
  ByteFrequencies frequencies{};
  count_bytes(fields, state.data(), frequencies);
  CHECK_EQUAL(frequencies[5], 1u);
  CHECK_EQUAL(frequencies[7], 1u);
  CHECK_EQUAL(frequencies[0], 1u);
}

/// Adds and removes at random, and compares with a map now and then.
template <class Records>
void add_remove_and_compare(const Layout& layout, const StateCode& code, Family family, std::uint64_t seed) {
  Budget budget(plenty);
  RecordSet<Records> set(layout.machine(), code, budget);
  std::map<State, Slot> expected;
  Draws draw(seed);
  const auto key_of = [&](const State& state) {
    Word key;
    set.prepare(state.data(), 1, &key);
    return key;
  };
  for (int step = 0; step < 6000; ++step) {
    const State state = family(layout, draw(2000));
    const auto known = expected.find(state);
    const Slot found = set.find(set.image(state.data()), key_of(state));
    CHECK_EQUAL(found, known == expected.end() ? no_slot : known->second);
    const bool shrinks = step / 1500 % 2 == 1;
    if (known == expected.end() && !shrinks) {
      if (!set.has_free_slot()) CHECK(set.resize(set.slots() + 300));
      const Slot slot = set.add(set.image(state.data()), key_of(state));
      CHECK(slot != no_slot);
      expected[state] = slot;
    } else if (known != expected.end() && (shrinks || draw(3) == 0)) {
      set.remove(known->second);
      expected.erase(known);
    }
    CHECK_EQUAL(set.size(), expected.size());
    if (step % 500 != 0) continue;
    std::map<State, Slot> stored;
    set.for_each([&](Slot slot, const Word* words) { stored[State(words, words + layout.words())] = slot; });
    CHECK(stored == expected);
  }
  for (const auto& [state, slot] : expected) set.remove(slot);
  CHECK_EQUAL(set.size(), 0u);
  CHECK_EQUAL(set.state_bytes(), 0u);
}

void removed_states_are_gone_and_all_others_are_found() {
  for (const std::vector<std::uint8_t>& bits :
       std::vector<std::vector<std::uint8_t>>{{12}, {64}, {41, 30}, {20, 64, 3, 50, 9}}) {
    const Layout layout(bits);
    const ByteFields fields = byte_fields(layout);
    for (const Family family : families) {
      add_remove_and_compare<WordRecords<0>>(layout, {}, family, 1);
      if (bits.size() == 1) add_remove_and_compare<WordRecords<1>>(layout, {}, family, 2);
      if (bits.size() == 2) add_remove_and_compare<WordRecords<2>>(layout, {}, family, 3);
      for (const StateCode::Kind kind : kinds) add_remove_and_compare<CodedRecords>(layout, {kind, &fields}, family, 4);
    }
  }
}

const auto is_slot = [](Slot slot) { return [slot](Slot other) { return other == slot; }; };

void colliding_fingerprints_are_distinguished() {
  Budget budget(plenty);
  FingerprintIndex index(budget);
  for (const Fingerprint same : {1u, 5u, 0xffffffffu})
    for (Slot slot = 0; slot < 40; ++slot) CHECK(index.add(same, slot));
  for (Slot slot = 0; slot < 40; slot += 2) index.remove(5, slot);
  for (Slot slot = 0; slot < 40; ++slot) {
    CHECK_EQUAL(index.find(1, is_slot(slot)), slot);
    CHECK_EQUAL(index.find(5, is_slot(slot)), slot % 2 == 0 ? no_slot : slot);
    CHECK_EQUAL(index.find(0xffffffff, is_slot(slot)), slot);
  }
}

void a_full_index_can_replace_entries_indefinitely() {
  Budget budget(64 << 10);
  FingerprintIndex index(budget);
  std::vector<Fingerprint> stored;
  while (index.add(fingerprint(mix(stored.size() + 1)), static_cast<Slot>(stored.size())))
    stored.push_back(fingerprint(mix(stored.size() + 1)));
  std::uint64_t made = stored.size();
  CHECK(made > 4000);
  for (int round = 0; round < 20; ++round) {
    for (Slot slot = 0; slot < stored.size(); ++slot) {
      index.remove(stored[slot], slot);
      stored[slot] = fingerprint(mix(++made));
      CHECK(index.add(stored[slot], slot));
    }
    CHECK(index.is_sound());
  }
  for (Slot slot = 0; slot < stored.size(); ++slot) CHECK_EQUAL(index.find(stored[slot], is_slot(slot)), slot);
}

void an_index_grows_while_its_last_lines_overflow_into_the_first() {
  Budget budget(plenty);
  FingerprintIndex index(budget);
  const auto near_the_end = [](Slot slot) { return slot % 4 == 0 ? fingerprint(mix(slot)) : ~Fingerprint{0} - slot; };
  for (Slot slot = 0; slot < 5000; ++slot) {
    CHECK(index.add(near_the_end(slot), slot));
    if (slot % 100 != 0) continue;
    CHECK(index.is_sound());
    for (Slot known = 0; known <= slot; ++known) CHECK_EQUAL(index.find(near_the_end(known), is_slot(known)), known);
  }
  for (Slot slot = 0; slot < 5000; ++slot) {
    index.remove(near_the_end(slot), slot);
    CHECK_EQUAL(index.find(near_the_end(slot), is_slot(slot)), no_slot);
    if (slot % 100 == 0) CHECK(index.is_sound());
  }
  CHECK_EQUAL(index.size(), 0u);
}

/// Blocks with their expected contents.
class Blocks {
 public:
  Blocks(std::size_t most_bytes, std::uint64_t limit) : budget_(limit), arena_(most_bytes, budget_) {}

  bool add(std::size_t bytes) {
    BlockArena::Place place = arena_.allocate(bytes);
    if (place == BlockArena::nowhere && arena_.can_close_slabs()) {
      arena_.close_slabs();
      for (Block& block : blocks_)
        if (arena_.must_move(block.place)) block.place = arena_.move(block.place);
      place = arena_.allocate(bytes);
      CHECK(place != BlockArena::nowhere);
    }
    if (place == BlockArena::nowhere) return false;
    const auto fill = static_cast<std::uint8_t>(++made_);
    std::memset(arena_.at(place), fill, bytes);
    blocks_.push_back({place, bytes, fill});
    return true;
  }

  void remove(std::size_t index) {
    check(blocks_[index]);
    arena_.free(blocks_[index].place);
    blocks_[index] = blocks_.back();
    blocks_.pop_back();
  }

  void check_all() const {
    for (const Block& block : blocks_) check(block);
  }

  std::size_t size() const { return blocks_.size(); }
  const Budget& budget() const { return budget_; }

 private:
  struct Block {
    BlockArena::Place place;
    std::size_t bytes;
    std::uint8_t fill;
  };

  void check(const Block& block) const {
    for (std::size_t i = 0; i < block.bytes; ++i)
      CHECK_EQUAL(static_cast<unsigned>(arena_.at(block.place)[i]), unsigned{block.fill});
  }

  Budget budget_;
  BlockArena arena_;
  std::vector<Block> blocks_;
  std::uint64_t made_ = 0;
};

void allocated_blocks_do_not_overlap() {
  for (const std::size_t most : {std::size_t{3}, std::size_t{40}, std::size_t{5000}})
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      Blocks blocks(most, 300'000);
      Draws draw(seed);
      for (int step = 0; step < 8000; ++step) {
        while (!blocks.add(1 + draw(most))) blocks.remove(draw(blocks.size()));
        if (blocks.size() != 0 && draw(3) == 0) blocks.remove(draw(blocks.size()));
      }
      blocks.check_all();
      CHECK(blocks.budget().held() <= 300'000);
    }
}

void space_of_small_blocks_can_be_used_for_large_ones() {
  Blocks blocks(60, 400'000);
  Draws draw(1);
  while (blocks.add(12)) {
  }
  const std::size_t small = blocks.size();
  std::size_t removed = 0, large = 0;
  for (; large < small / 10; ++large)
    for (; !blocks.add(60); ++removed) blocks.remove(draw(blocks.size()));
  blocks.check_all();
  CHECK(removed < small * 7 / 10);
}

constexpr Test tests[] = {
    TEST(decoding_inverts_coding),
    TEST(the_shipped_code_is_complete),
    TEST(frequent_bytes_have_short_codes),
    TEST(runs_of_three_bytes_are_shortened),
    TEST(a_state_is_unpacked_and_packed_again),
    TEST(bytes_of_states_are_counted),
    TEST(removed_states_are_gone_and_all_others_are_found),
    TEST(colliding_fingerprints_are_distinguished),
    TEST(a_full_index_can_replace_entries_indefinitely),
    TEST(an_index_grows_while_its_last_lines_overflow_into_the_first),
    TEST(allocated_blocks_do_not_overlap),
    TEST(space_of_small_blocks_can_be_used_for_large_ones),
};

}  // namespace

int main() { return run_all(tests); }
