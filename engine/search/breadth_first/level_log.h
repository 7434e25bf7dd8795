// The states of a breadth-first search, level by level, in an unnamed file, for finding traces.
// The file is written sequentially and read only after the search; it uses disk space and a fixed amount of memory.
#pragma once

#include <cstdint>

#include "core/machine.h"
#include "core/memory.h"

namespace scrimp {

class LevelLog {
 public:
  /// Opens the file in $TMPDIR, else in /tmp. Throws std::bad_alloc if the budget has no room for the buffer.
  LevelLog(Budget& budget, std::uint32_t words);
  ~LevelLog();
  LevelLog(const LevelLog&) = delete;
  LevelLog& operator=(const LevelLog&) = delete;

  /// Whether everything appended is in the file or in the buffer: a full disk makes this false for good.
  bool good() const { return good_; }

  void append(const Word* states, std::uint64_t count);
  void flush();

  /// Reads up to `count` states, beginning with number `first`; returns how many were read.
  std::uint64_t read(std::uint64_t first, std::uint64_t count, Word* states);

  std::uint64_t bytes() const { return buffer_.bytes(); }

 private:
  static constexpr std::size_t buffer_words = std::size_t{1} << 15;

  const std::uint32_t words_;
  int file_;
  bool good_;
  Region buffer_;
  std::size_t buffered_ = 0;  // words in the buffer
};

}  // namespace scrimp
