// The states of a breadth-first search, level after level: traces are found in this log.
//
//     in the file                  | in memory                   | in the buffer
//     states, while it can be written, then, if the budget allows  the last ones
//
// The log is appended to during the search and read when a trace is wanted. A search that finds nothing never reads it,
// so a log that cannot be kept does not end the search. The file has no name. If it cannot be made or written to (the
// folder is missing, the disk is full), what follows is kept in memory that the budget may take back at any time.
//
// The log of a search that can be resumed has a named file and checksums: see search/checkpoint/.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/machine.h"
#include "core/memory.h"
#include "search/checkpoint/log_sums.h"

namespace scrimp {

class LevelLog final : public Spare {
 public:
  /// Opens the file in $TMPDIR, else in /tmp. Throws std::bad_alloc if the budget has no room for the buffer.
  LevelLog(Budget& budget, std::uint32_t words);
  /// Writes to a file with a name, or goes on after its first `present` words, of which `read` and `sum_up` know.
  LevelLog(Budget& budget, std::uint32_t words, const std::string& path, std::uint64_t present);
  ~LevelLog() override;
  LevelLog(const LevelLog&) = delete;
  LevelLog& operator=(const LevelLog&) = delete;

  /// Whether everything that was appended can be read, as far as is known. Once false, this stays false.
  bool good() const { return good_; }

  std::uint32_t words() const { return words_; }
  void append(const Word* states, std::uint64_t count) { append_words(states, count * words_); }
  void append_words(const Word* words, std::uint64_t count);
  void flush();

  bool writes_file() const { return writes_file_; }
  /// Writes words to the file, past the buffer, which must be empty. Returns how many: fewer than `count` if the file
  /// takes no more. Takes nothing from the budget, so another thread may do this while the search takes memory.
  std::uint64_t write_words(const Word* words, std::uint64_t count) { return write_to_file(words, count); }

  /// Makes what was written permanent, after `flush`. Returns false if that fails, or if something was not written.
  [[nodiscard]] bool sync();
  /// The checksums of the words in the file, if it has a name.
  const LogSums& sums() const { return *sums_; }
  /// Adds words that were present to the checksums, in order, before anything is appended.
  void sum_up(const Word* words, std::uint64_t count) { sums_->add(words, count); }
  /// The checksum of the block that ends with the first `words` words and is not complete; empty if it cannot be read.
  std::optional<Word> sum_of_rest(std::uint64_t words);

  /// Reads up to `count` states from the `first`-th on, after `flush`; returns how many.
  std::uint64_t read(std::uint64_t first, std::uint64_t count, Word* states);

  std::uint64_t bytes() const { return buffer_.bytes() + memory_.bytes(); }

  std::uint64_t spare_bytes() const override { return memory_.bytes(); }
  void give_up() override;

 private:
  static constexpr std::size_t buffer_words = std::size_t{1} << 15;

  LevelLog(Budget& budget, std::uint32_t words, int file);
  std::size_t write_to_file(const Word* from, std::size_t count);
  bool keep_in_memory(const Word* from, std::size_t count);
  std::size_t read_words(std::uint64_t first, std::size_t count, Word* to) const;
  std::size_t read_from_file(std::uint64_t first, std::size_t count, Word* to) const;

  Budget& budget_;
  const std::uint32_t words_;
  int file_;
  bool writes_file_;
  bool good_ = true;
  Region buffer_;
  Region memory_;
  std::uint64_t in_file_ = 0;    // words
  std::uint64_t in_memory_ = 0;  // words, those that come after the ones in the file
  std::size_t buffered_ = 0;     // words in the buffer
  std::optional<LogSums> sums_;
};

}  // namespace scrimp
