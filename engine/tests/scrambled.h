// A heap whose nodes are numbered at random, so that no table can be made smaller by their regularity.
//
//     node n of a heap  ──▶  children 2n + 1, 2n + 2, ...  and  n / 2
//
//     state   [ lower bits of n, mixed | upper bits, mixed | n without its last bits, hashed | ... ]
//
// How much of a state recurs in others can be chosen: that decides how well states are compressed.
#pragma once

#include <array>
#include <cstdint>

#include "core/hash.h"
#include "core/machine.h"

namespace scrimp::testing {

class Scrambled {
 public:
  struct Shape {
    std::uint64_t nodes;
    std::uint32_t words;
    unsigned lower = 44;     // bits of the number in the first word; the others are in the second
    unsigned unmatched = 0;  // last bits of the number on which the words after these two do not depend
    std::uint32_t children = 2;
  };

  explicit Scrambled(const Shape& shape) : shape_(shape) { bits_[0] = first_bits + 1; }

  Machine machine() const {
    Machine made;
    made.words = shape_.words;
    made.max_successors = shape_.children + 1;
    made.transitions = 1;
    made.word_bits = bits_.data();
    made.context = &shape_;
    made.functions.initial = initial;
    made.functions.successors = successors;
    return made;
  }
  std::uint64_t states() const { return shape_.nodes; }
  std::uint64_t transitions() const { return 2 * shape_.nodes - 1; }

 private:
  static constexpr unsigned first_bits = 44;
  static constexpr std::uint32_t most_words = 64;

  static constexpr std::array<std::uint8_t, most_words> whole_words() {
    std::array<std::uint8_t, most_words> bits{};
    bits.fill(64);
    return bits;
  }

  static void write(const Shape& shape, std::uint64_t node, Word* state) {
    const Word lower = node & ((Word{1} << shape.lower) - 1);
    state[0] = BitMixer(first_bits)(lower) << 1 | 1;
    if (shape.words > 1) state[1] = BitMixer(64)(node >> shape.lower);
    for (std::uint32_t i = 2; i < shape.words; ++i) state[i] = mix((node >> shape.unmatched) * shape.words + i);
  }
  static std::uint64_t read(const Shape& shape, const Word* state) {
    const Word upper = shape.words > 1 ? BitMixer(64).inverse(state[1]) << shape.lower : 0;
    return upper | BitMixer(first_bits).inverse(*state >> 1);
  }

  static void initial(const void* shape, Word* state) { write(*static_cast<const Shape*>(shape), 0, state); }
  static std::uint64_t successors(const void* context, const Word* state, Word* successors, EventId* events) {
    const Shape& shape = *static_cast<const Shape*>(context);
    const std::uint64_t node = read(shape, state);
    std::uint32_t count = 0;
    const auto add = [&](std::uint64_t next) {
      if (next >= shape.nodes) return;
      write(shape, next, successors + count * shape.words);
      events[count++] = 0;
    };
    for (std::uint32_t child = 1; child <= shape.children; ++child) add(shape.children * node + child);
    add(node / 2);
    return count;
  }

  Shape shape_;
  std::array<std::uint8_t, most_words> bits_ = whole_words();
};

}  // namespace scrimp::testing
