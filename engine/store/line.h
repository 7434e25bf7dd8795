// Cache lines: comparing eight words at once, without a branch per word, and copying that bypasses the caches. Plain
// x86-64 has SSE2, most machines have AVX2 (see CMakeLists.txt); others use the portable loops.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "core/machine.h"

#ifdef __AVX2__
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace scrimp {

inline constexpr std::size_t line_bytes = 64;
inline constexpr std::size_t line_words = line_bytes / sizeof(Word);

/// Starts loading a cache line. GCC treats a function that only prefetches as one without effect and drops its calls;
/// the empty statement counts as an effect.
inline void fetch_line(const void* address) {
  __builtin_prefetch(address);
  __asm__ volatile("");
}

/// A set of words of a line. Iterate with `first` and `drop_first`.
struct WordMask {
  std::uint32_t bits;  // two for every word, as the comparison yields

  explicit operator bool() const { return bits != 0; }
  unsigned first() const { return static_cast<unsigned>(std::countr_zero(bits)) / 2; }
  void drop_first() { bits &= ~(3u << (2 * first())); }
};

namespace word_comparison {

inline WordMask equal_one_by_one(const Word* line, Word key) {
  std::uint32_t bits = 0;
  for (unsigned i = 0; i < line_words; ++i) bits |= (line[i] == key ? 3u : 0u) << (2 * i);
  return {bits};
}

#ifdef __SSE2__
inline WordMask equal_by_sse2(const Word* line, Word key) {
  const __m128i* pairs = reinterpret_cast<const __m128i*>(line);
  const __m128i wanted = _mm_set1_epi64x(static_cast<long long>(key));
  const auto equal = [&](int i) {  // SSE2 compares 32 bits: a word is equal if both halves are
    const __m128i halves = _mm_cmpeq_epi32(_mm_load_si128(pairs + i), wanted);
    return _mm_and_si128(halves, _mm_shuffle_epi32(halves, _MM_SHUFFLE(2, 3, 0, 1)));
  };
  const __m128i narrowed = _mm_packs_epi16(_mm_packs_epi32(equal(0), equal(1)), _mm_packs_epi32(equal(2), equal(3)));
  return {static_cast<std::uint32_t>(_mm_movemask_epi8(narrowed))};
}
#endif

#ifdef __AVX2__
inline WordMask equal_by_avx2(const Word* line, Word key) {
  const __m256i* halves = reinterpret_cast<const __m256i*>(line);
  const __m256i wanted = _mm256_set1_epi64x(static_cast<long long>(key));
  const auto equal = [&](int i) {  // two bits for every word: its halves compare alike
    const __m256i words = _mm256_cmpeq_epi64(_mm256_load_si256(halves + i), wanted);
    return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(words)));
  };
  return {equal(0) | equal(1) << 8};
}
#endif

}  // namespace word_comparison

/// The words of an aligned line that are `key`.
inline WordMask words_equal(const Word* line, Word key) {
#if defined(__AVX2__)
  return word_comparison::equal_by_avx2(line, key);
#elif defined(__SSE2__)
  return word_comparison::equal_by_sse2(line, key);
#else
  return word_comparison::equal_one_by_one(line, key);
#endif
}

/// Copies whole aligned lines past the caches: for data that are not needed soon, this saves reading the overwritten
/// lines. Ends with a fence, so that later accesses see the copy.
inline void stream_lines(Word* target, const Word* source, std::size_t words) {
#ifdef __SSE2__
  for (std::size_t i = 0; i < words; i += 2)
    _mm_stream_si128(reinterpret_cast<__m128i*>(target + i),
                     _mm_load_si128(reinterpret_cast<const __m128i*>(source + i)));
  _mm_sfence();
#else
  std::memcpy(target, source, words * sizeof(Word));
#endif
}

}  // namespace scrimp
