// Numbers words 1, 2, 3, ... and gives them back: the tables of a tree whose numbers are on disk (code_tree.h).
//
//     words    | - | word 1 | word 2 | word 3 | ...      by number
//     index    | 0 | tag 3 | 0 | tag 1 | tag 2 | ...     numbers by hash, four bytes each
//
// The bits that numbers do not need are a tag: some more bits of the word's hash, so that a number is followed to its
// word rarely in vain. An entry takes 8 bytes, and 4 to 6 of the index. The index can be made from the words, so that
// it grows in place: it is enlarged, emptied, and filled again.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "core/hash.h"
#include "core/memory.h"
#include "store/growth.h"
#include "store/line.h"
#include "store/numbering.h"

namespace scrimp {

class ReversibleNumbering {
 public:
  static constexpr std::uint32_t none = Numbering::none;

  explicit ReversibleNumbering(Budget& budget) : words_(budget), index_(budget) {}

  /// Takes the numbers of a table over, without an index. Returns false if there is no room.
  [[nodiscard]] bool take_over(const Numbering& table) {
    if (!words_.resize((std::size_t{table.size()} + 1) * sizeof(Word))) return false;
    size_ = table.size();
    table.for_each([&](Word word, std::uint32_t number) { words_.as<Word>()[number] = word; });
    return true;
  }

  std::uint32_t size() const { return size_; }
  std::uint64_t bytes() const { return words_.bytes() + index_.bytes(); }
  Word word(std::uint32_t number) const { return words_.as<Word>()[number]; }

  /// Everything but `word`, `size` and `bytes` needs it. Returns false if there is no room.
  [[nodiscard]] bool make_index() {
    const std::size_t slots = std::size_t{size_} + size_ / 2 + 1;
    if (!index_.resize(std::max(slots * sizeof(std::uint32_t), small_page))) return false;
    fill_index();
    return true;
  }
  void drop_index() { index_.clear(); }
  void clear() {
    index_.clear();
    words_.clear();
  }

  std::uint32_t find(Word word) const {
    const Word hash = mix(word);
    const std::uint32_t tag = tag_of(hash), *const slots = index_.as<std::uint32_t>();
    for (std::uint64_t slot = scale(hash, slots_); slots[slot] != none; slot = after(slot)) {
      const std::uint32_t number = slots[slot] & number_mask();
      if ((slots[slot] ^ number) == tag && this->word(number) == word) return number;
    }
    return none;
  }
  void find(const Word* words, std::uint32_t count, std::uint32_t* numbers) const {
    for (std::uint32_t i = 0; i < std::min(count, ahead); ++i) fetch(words[i]);
    for (std::uint32_t i = 0; i < count; ++i) {
      if (i + ahead < count) fetch(words[i + ahead]);
      numbers[i] = find(words[i]);
    }
  }

  /// A number for a word that has none yet; `none` if there is no room.
  std::uint32_t add(Word word) {
    if (size_ >= limit_ && !grow_index()) return none;
    if ((std::size_t{size_} + 2) * sizeof(Word) > words_.bytes() && !grow_words()) return none;
    words_.as<Word>()[++size_] = word;
    add_to_index(size_);
    return size_;
  }

 private:
  static constexpr std::uint32_t last_number = (std::uint32_t{1} << Numbering::number_bits) - 1;
  static constexpr Load most_load{85};
  static constexpr std::uint32_t ahead = 16;

  std::uint32_t number_mask() const { return (std::uint32_t{1} << number_bits_) - 1; }
  std::uint32_t tag_of(Word hash) const { return static_cast<std::uint32_t>(hash) << number_bits_; }
  std::uint64_t after(std::uint64_t slot) const { return slot + 1 == slots_ ? 0 : slot + 1; }
  void fetch(Word word) const { fetch_line(index_.as<std::uint32_t>() + scale(mix(word), slots_)); }

  void add_to_index(std::uint32_t number) {
    const Word hash = mix(word(number));
    std::uint64_t slot = scale(hash, slots_);
    while (index_.as<std::uint32_t>()[slot] != none) slot = after(slot);
    index_.as<std::uint32_t>()[slot] = number | tag_of(hash);
  }

  void fill_index() {
    slots_ = index_.bytes() / sizeof(std::uint32_t);
    limit_ = std::min<std::uint64_t>(most_load.of(slots_), last_number);
    number_bits_ = static_cast<unsigned>(std::bit_width(limit_));
    std::memset(index_.data(), 0, index_.bytes());
    for (std::uint32_t number = 1; number <= size_; ++number) add_to_index(number);
  }

  bool grow_index() {
    const std::size_t bytes = index_.bytes(), step = bytes < (std::size_t{1} << 20) ? bytes : bytes / 4;
    if (size_ == last_number || !index_.resize(bytes + step)) return false;
    fill_index();
    return true;
  }
  bool grow_words() { return words_.resize(words_.bytes() + std::max(words_.bytes() / 8, small_page)); }

  Region words_;
  Region index_;
  std::uint32_t size_ = 0;
  std::uint64_t slots_ = 0;
  std::uint64_t limit_ = 0;  // numbers for which the index has room
  unsigned number_bits_ = 0;
};

}  // namespace scrimp
