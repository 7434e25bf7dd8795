// Codes of states that were visited recently, as many as there is room for.
//
//     bucket     | newest key ... oldest key |      eight keys, in one cache line
//                | their second words        |      then the other words of the codes, a line for each
//
// A code that is found here belongs to a visited state; one that is not found may do so too. The buckets of a shard lie
// together, so that one thread for each shard may add codes at the same time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "core/hash.h"
#include "core/memory.h"
#include "store/line.h"
#include "store/shards.h"

namespace scrimp {

class RecentStates {
 public:
  explicit RecentStates(Budget& budget) : region_(budget) {}

  /// Takes up to `bytes`, or less if the budget has less, for codes of so many words. Forgets what it had.
  void open(std::size_t bytes, std::size_t code_words) {
    close();
    code_words_ = code_words;
    const std::size_t unit = shard_count * bucket_words() * sizeof(Word);
    for (std::size_t units = bytes / unit; units != 0 && buckets_per_shard_ == 0; units /= 2)
      if (region_.resize(units * unit)) buckets_per_shard_ = units;
  }
  /// Forgets everything and frees the memory.
  void close() {
    region_.clear();
    buckets_per_shard_ = 0;
  }
  std::uint64_t bytes() const { return region_.bytes(); }

  void fetch(Word key) const {
    if (buckets_per_shard_ != 0) fetch_line(bucket(key));
  }

  /// Zero marks an empty place, so that a code whose key is zero is never found.
  bool contains(const Word* code) const {
    if (buckets_per_shard_ == 0 || *code == 0) return false;
    const Word* const line = bucket(*code);
    for (WordMask matches = words_equal(line, *code); matches; matches.drop_first())
      if (has_rest(line + matches.first(), code)) return true;
    return false;
  }

  /// Replaces the oldest code of its bucket.
  void add(const Word* code) {
    if (buckets_per_shard_ == 0) return;
    Word* line = bucket(*code);
    for (std::size_t i = 0; i < code_words_; ++i, line += line_words) {
      std::memmove(line + 1, line, (line_words - 1) * sizeof(Word));
      line[0] = code[i];
    }
  }

 private:
  std::size_t bucket_words() const { return code_words_ * line_words; }
  Word* bucket(Word key) const {
    const std::uint64_t index = scale(key, buckets_per_shard_ * shard_count);
    return region_.as<Word>() + index * bucket_words();
  }
  bool has_rest(const Word* place, const Word* code) const {
    for (std::size_t i = 1; i < code_words_; ++i)
      if (place[i * line_words] != code[i]) return false;
    return true;
  }

  std::size_t code_words_ = 1;
  Region region_;
  std::uint64_t buckets_per_shard_ = 0;
};

}  // namespace scrimp
