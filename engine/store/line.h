// Questions about one cache line of keys, answered without a branch per key: a probe then costs one unpredictable
// branch. Plain x86-64 has SSE2; other machines take the portable loops.
#pragma once

#include <cstdint>

#include "core/machine.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace scrimp {

inline constexpr std::size_t line_bytes = 64;
inline constexpr std::size_t line_words = line_bytes / sizeof(Word);

/// Whether one of the eight words of the line is `key`.
inline bool line_holds(const Word* line, Word key) {
#ifdef __SSE2__
  const __m128i* pairs = reinterpret_cast<const __m128i*>(line);
  const __m128i wanted = _mm_set1_epi64x(static_cast<long long>(key));
  const auto matches = [&](int i) {  // all ones in a half whose both 32-bit quarters are equal
    const __m128i equal = _mm_cmpeq_epi32(_mm_load_si128(pairs + i), wanted);
    return _mm_and_si128(equal, _mm_shuffle_epi32(equal, _MM_SHUFFLE(2, 3, 0, 1)));
  };
  return _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(matches(0), matches(1)), _mm_or_si128(matches(2), matches(3)))) !=
         0;
#else
  bool found = false;
  for (std::size_t i = 0; i < line_words; ++i) found |= line[i] == key;
  return found;
#endif
}

/// Whether one of the four pairs of words of the line is `key`.
inline bool line_holds_pair(const Word* line, const Word* key) {
  bool found = false;
#ifdef __SSE2__
  const __m128i* pairs = reinterpret_cast<const __m128i*>(line);
  const __m128i wanted = _mm_loadu_si128(reinterpret_cast<const __m128i*>(key));
  for (int i = 0; i < 4; ++i) found |= _mm_movemask_epi8(_mm_cmpeq_epi32(_mm_load_si128(pairs + i), wanted)) == 0xffff;
#else
  for (std::size_t i = 0; i < line_words; i += 2) found |= ((line[i] ^ key[0]) | (line[i + 1] ^ key[1])) == 0;
#endif
  return found;
}

}  // namespace scrimp
