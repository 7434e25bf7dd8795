// Codes by which states are sorted on disk: a key whose bits are evenly spread, and whatever the key does not say.
//
//     packed     up to 64 used bits: key = those bits, mixed, in the upper bits of a word
//     by parts   key = the numbers of parts of the state (code_tree.h), mixed (parts_code.h)
//     whole      key = a hash of all words from which, given the others, the first word can be computed; then the other
//                words as they are
//
// The upper bits of a key are the shard; all kinds of codes can be turned back into states. States of more than 64 bits
// are coded by parts as long as their tables have room and their numbers fit a word. Otherwise codes change: a part is
// split, or states are coded whole. Then all codes must be converted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/hash.h"
#include "core/machine.h"
#include "store/bit_ranges.h"
#include "store/disk/code_tree.h"
#include "store/disk/parts_code.h"
#include "store/shards.h"

namespace scrimp {

class StateCodes {
 public:
  /// With a tree, states of more than 64 bits are coded by its parts, if at most `most_numbers` numbers and 64 bits
  /// suffice.
  explicit StateCodes(const Machine& machine, std::unique_ptr<CodeTree> tree = nullptr,
                      std::uint64_t most_numbers = ~std::uint64_t{0})
      : state_words_(machine.words),
        is_packed_(used_bits(machine) <= most_packed_bits + 1),
        packed_(machine, 1, std::clamp(used_bits(machine), 2u, most_packed_bits + 1)),
        mixer_(packed_.bits()),
        tree_(std::move(tree)) {
    if (tree_ && !is_packed_) choose_parts(most_numbers);
  }

  /// The words of a code, and the bits of its key that matter, which are the upper ones.
  std::size_t words() const { return is_packed_ || parts_ ? 1 : state_words_; }
  unsigned bits() const { return is_packed_ ? packed_.bits() : parts_ ? parts_->bits() : 64; }
  /// If the bits of keys after those that matter are derived from them: PartsCode's base; else 0.
  unsigned base_bits() const { return parts_ ? parts_->base_bits() : 0; }
  std::size_t state_words() const { return state_words_; }
  bool is_by_parts() const { return parts_.has_value(); }
  std::uint64_t bytes() const { return tree_ ? tree_->bytes() : 0; }
  std::uint64_t numbers() const { return tree_ ? tree_->numbered() : 0; }

  /// The code of a state; false if there is no room for the numbers of its parts. From then on no part gets a number
  /// until codes change.
  [[nodiscard]] bool code(const Word* state, Word* code) {
    if (!parts_) {
      code_directly(state, code);
      return true;
    }
    CodeTree::Numbers numbers;
    const bool are_numbered = tree_->number(state, numbers);
    if (are_numbered && (is_full_ ? parts_->fits(numbers) : parts_->make_fit(numbers))) {
      *code = (*parts_)(numbers);
      return true;
    }
    if (!is_full_) lacks_numbers_ = !are_numbered && tree_->is_at_limit();
    is_full_ = true;
    tree_->allow(0);
    return false;
  }
  /// The same, unless states are coded by parts.
  void code_directly(const Word* state, Word* code) const {
    if (is_packed_) {
      *code = mixer_(packed_(state)) << (64 - packed_.bits());
    } else {
      *code = mix(*state ^ others_hash(state));
      std::copy(state + 1, state + state_words_, code + 1);
    }
  }

  struct Scratch {
    CodeTree::Scratch tree;
    std::vector<std::uint32_t> missing;
  };
  /// The codes by parts of those states whose parts have numbers; `scratch.missing` lists the others. Any thread, while
  /// none is coded.
  void find(const Word* states, std::uint32_t count, Word* codes, Scratch& scratch) const {
    CodeTree::Numbers numbers;
    scratch.missing.clear();
    for (std::uint32_t done = 0; done < count; done += CodeTree::block) {
      const std::uint32_t here = std::min(CodeTree::block, count - done);
      tree_->find(states + std::size_t{done} * state_words_, here, scratch.tree);
      for (std::uint32_t i = 0; i < here; ++i) {
        tree_->found_numbers(scratch.tree, i, numbers);
        if (scratch.tree.is_new[i] || !parts_->fits(numbers)) {
          scratch.missing.push_back(done + i);
        } else {
          codes[done + i] = (*parts_)(numbers);
        }
      }
    }
  }

  void state(const Word* code, Word* state) const {
    if (parts_) {
      CodeTree::Numbers numbers;
      parts_->numbers(*code, numbers);
      tree_->state(numbers, state);
    } else if (is_packed_) {
      std::fill(state, state + state_words_, 0);
      packed_.write(mixer_.inverse(*code >> (64 - packed_.bits())), state);
      state[0] |= 1;
    } else {
      std::copy(code + 1, code + state_words_, state + 1);
      state[0] = unmix(*code) ^ others_hash(state);
    }
  }

  /// While states are loaded: the code of a state that the tree knew as a pair. `state` has room for one.
  void code(Tree::Pair pair, Word* state, Word* code) const {
    CodeTree::Numbers numbers;
    tree_->numbers_of(pair, numbers);
    if (parts_) {
      *code = (*parts_)(numbers);
    } else {
      tree_->state(numbers, state);
      code_directly(state, code);
    }
  }
  /// Afterwards, before any other state is coded. Returns false if there is no room for coding states by parts: then
  /// codes must change.
  [[nodiscard]] bool complete_loading() {
    if (!parts_) return tree_.reset(), true;
    tree_->drop_upper_tables();
    lacks_indexes_ = !tree_->make_indexes();
    return !lacks_indexes_;
  }
  void allow(std::uint64_t numbers) {
    if (tree_) tree_->allow(numbers);
  }

  /// When a state has no code: whether no part can be split, but there would be one if more numbers were allowed.
  bool needs_more_numbers() const { return is_full_ && lacks_numbers_ && !part_to_split(); }
  void go_on() { is_full_ = false; }

  /// From now on states have other codes, by more parts or whole. Only if they are coded by parts.
  void change() {
    is_full_ = false;
    tree_->allow(~std::uint64_t{0});
    former_ = std::exchange(parts_, std::nullopt);
    const std::optional<std::size_t> part = part_to_split();
    if (!part || lacks_indexes_) return;
    tree_->split(*part);
    parts_.emplace(code_of_parts());
  }
  /// The code of a state that had this one before the change. `state` has room for one.
  void convert(Word before, Word* state, Word* after) const {
    CodeTree::Numbers numbers, split;
    former_->numbers(before, numbers);
    if (parts_) {
      tree_->split_numbers(numbers, split);
      *after = (*parts_)(split);
    } else {
      tree_->state(numbers, state);
      code_directly(state, after);
    }
  }
  /// Once all codes are converted. Returns false if they must change again.
  [[nodiscard]] bool complete_change() {
    former_.reset();
    return complete_loading();
  }

  static std::uint32_t shard_of(Word key) { return static_cast<std::uint32_t>(key >> (64 - shard_bits)); }

 private:
  static constexpr unsigned most_packed_bits = 64;
  /// Of the numbers of all parts when they are chosen: they grow.
  static constexpr unsigned most_bits = 62;
  static constexpr unsigned least_bits = 16;

  Word others_hash(const Word* state) const {
    return hash_words(state + 1, static_cast<std::uint32_t>(state_words_ - 1));
  }

  /// Tables may be expected to double.
  void choose_parts(std::uint64_t most_numbers) {
    while (tree_->size() > most_numbers / 2) {
      const std::optional<std::size_t> part = part_to_split();
      if (!part) break;
      tree_->split(*part);
    }
    if (tree_->bits() <= most_bits && tree_->size() <= most_numbers) parts_.emplace(code_of_parts());
  }
  std::optional<std::size_t> part_to_split() const {
    const std::optional<std::size_t> part = tree_->largest_part();
    return part && tree_->bits_after_split(*part) <= most_bits ? part : std::nullopt;
  }
  PartsCode code_of_parts() const {
    std::vector<unsigned> widths;
    for (std::size_t i = 0; i < tree_->parts(); ++i)
      widths.push_back(static_cast<unsigned>(std::bit_width(tree_->greatest(i))));
    widths[0] += least_bits - std::min(tree_->bits(), least_bits);
    return PartsCode(widths);
  }

  std::size_t state_words_;
  bool is_packed_;
  BitRange packed_;
  BitMixer mixer_;
  std::unique_ptr<CodeTree> tree_;
  std::optional<PartsCode> parts_, former_;  // `former_`: while codes are converted
  bool is_full_ = false;
  bool lacks_numbers_ = false;  // that is because no more are allowed, not for lack of bits or memory
  bool lacks_indexes_ = false;  // there was no memory for them
};

}  // namespace scrimp
