#include "search/liveness/automaton_place.h"

#include <bit>
#include <cstring>

namespace scrimp {

AutomatonPlace::AutomatonPlace(const Machine& system, std::uint32_t states) : system_words_(system.words) {
  const auto bits = static_cast<unsigned>(std::bit_width(states - 1));
  const std::uint32_t last = system.words - 1;
  word_bits_.assign(system.word_bits, system.word_bits + system.words);
  mask_ = (Word{1} << bits) - 1;
  has_word_ = bits != 0 && word_bits_[last] + bits > 64;
  if (has_word_) {
    word_bits_.push_back(static_cast<std::uint8_t>(bits));
  } else if (bits != 0) {
    shift_ = word_bits_[last];
    word_bits_[last] = static_cast<std::uint8_t>(word_bits_[last] + bits);
  }
}

void AutomatonPlace::spread_out(Word* states, std::uint32_t count) const {
  for (std::size_t i = count; i-- > 0;) {
    Word* const state = states + i * words();
    std::memmove(state, states + i * system_words_, system_words_ * sizeof(Word));
    state[system_words_] = 0;
  }
}

std::vector<Word> AutomatonPlace::system_words(const Word* state) const {
  const SystemState system_state(*this, state);
  return {system_state.words(), system_state.words() + system_words_};
}

ByteFields AutomatonPlace::fields(const ByteFields& system) const {
  ByteFields fields = system;
  if (mask_ == 0) return fields;
  const auto bits = static_cast<std::uint32_t>(std::bit_width(mask_));
  const std::uint32_t bytes = (bits + 7) / 8;
  fields.fields.push_back({words() - 1, shift_, bits, bytes});
  fields.bytes += bytes;
  return fields;
}

}  // namespace scrimp
