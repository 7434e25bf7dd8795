// Where the state of an automaton lies in a state of its product with a machine.
//
//     state of the product     | words of the machine's state .. | state of the automaton |
//                                                     last word: | used bits | automaton | 0 |, if they fit
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/machine.h"
#include "store/byte_fields.h"

namespace scrimp {

class AutomatonPlace {
 public:
  /// For an automaton with so many states.
  AutomatonPlace(const Machine& system, std::uint32_t states);

  /// `fixed_words` is that number, or 0 if it is known only at run time.
  template <std::uint32_t fixed_words = 0>
  std::uint32_t words() const {
    return fixed_words != 0 ? fixed_words : static_cast<std::uint32_t>(word_bits_.size());
  }
  const std::uint8_t* word_bits() const { return word_bits_.data(); }

  template <std::uint32_t fixed_words = 0>
  std::uint32_t state_of(const Word* state) const {
    return static_cast<std::uint32_t>(state[words<fixed_words>() - 1] >> shift_ & mask_);
  }

  /// Moves states that the system wrote one after the other to where those of the product are, with zero bits for the
  /// automaton.
  void spread(Word* states, std::uint32_t count) const {
    if (has_word_) spread_out(states, count);
  }
  /// Gives states with zero bits for the automaton this state of it.
  template <std::uint32_t fixed_words = 0>
  void attach(Word* states, std::uint32_t count, std::uint32_t automaton_state) const {
    const Word bits = Word{automaton_state} << shift_;
    Word* last = states + words<fixed_words>() - 1;
    for (std::uint32_t i = 0; i < count; ++i, last += words<fixed_words>()) *last |= bits;
  }
  void clear(Word* state) const { state[words() - 1] &= ~(mask_ << shift_); }

  /// The system's part of a state: the words themselves, or a copy without the automaton's bits.
  class SystemState {
   public:
    [[gnu::always_inline]] SystemState(const AutomatonPlace& place, const Word* state) : words_(state) {
      if (place.has_word_ || place.mask_ == 0) return;
      Word* const copy = place.system_words_ <= small_.size() ? small_.data() : room(place.system_words_);
      std::copy_n(state, place.system_words_, copy);
      place.clear(copy);
      words_ = copy;
    }
    const Word* words() const { return words_; }

   private:
    [[gnu::noinline]] Word* room(std::uint32_t words) {
      large_ = std::make_unique_for_overwrite<Word[]>(words);
      return large_.get();
    }

    const Word* words_;
    std::array<Word, 16> small_;
    std::unique_ptr<Word[]> large_;
  };

  /// The same for states of one word.
  class SystemWord {
   public:
    SystemWord(const AutomatonPlace& place, const Word* state) : word_(*state & ~(place.mask_ << place.shift_)) {}
    const Word* words() const { return &word_; }

   private:
    const Word word_;
  };

  /// The same, as a value.
  std::vector<Word> system_words(const Word* state) const;
  /// The fields of the system's states, and the automaton's state.
  ByteFields fields(const ByteFields& system) const;

 private:
  void spread_out(Word* states, std::uint32_t count) const;

  std::uint32_t system_words_;
  bool has_word_ = false;  // the automaton's state has a word of its own
  unsigned shift_ = 0;     // of the automaton's state in the last word
  Word mask_ = 0;          // zero if there is only one
  std::vector<std::uint8_t> word_bits_;
};

}  // namespace scrimp
