// All implementations of comparing the words of a line agree, including those for other processors.
#include "store/line.h"

#include <random>

#include "check.h"

namespace {

using namespace scrimp;

/// A line of few distinct words, some of which agree with the key in one half only.
struct Example {
  alignas(line_bytes) Word words[line_words];
};

constexpr Word key = 0x0123456789abcdef;

Example any_line(std::mt19937_64& random) {
  constexpr Word near[] = {key, key ^ 1, key ^ (Word{1} << 63), key << 32 | key >> 32, 0};
  Example example;
  for (Word& word : example.words) word = near[random() % std::size(near)];
  return example;
}

void all_comparisons_agree() {
  std::mt19937_64 random(1);
  for (int i = 0; i < 10000; ++i) {
    const Example example = any_line(random);
    const std::uint32_t expected = word_comparison::equal_one_by_one(example.words, key).bits;
#ifdef __SSE2__
    CHECK_EQUAL(word_comparison::equal_by_sse2(example.words, key).bits, expected);
#endif
#ifdef __AVX2__
    CHECK_EQUAL(word_comparison::equal_by_avx2(example.words, key).bits, expected);
#endif
    CHECK_EQUAL(words_equal(example.words, key).bits, expected);
  }
}

void equal_words_are_visited_in_order() {
  const Example example{{key, 0, key, 0, 0, 0, 0, key}};
  unsigned visited = 0;
  for (WordMask mask = words_equal(example.words, key); mask; mask.drop_first()) visited = visited * 10 + mask.first();
  CHECK_EQUAL(visited, 27u);
}

}  // namespace

int main() {
  return testing::run_all({
      TEST(all_comparisons_agree),
      TEST(equal_words_are_visited_in_order),
  });
}
