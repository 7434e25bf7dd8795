// The file of a checkpoint: blocks with their lengths and checksums.
//
//     | mark, version | kind, words, word ... word, checksum | kind, ... | end |       64 bits each
//
// A block's checksum depends on the blocks before it, so that no block can be missing or in another place. The last
// block is empty; nothing follows it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/checksum.h"
#include "core/machine.h"
#include "search/checkpoint/durable_file.h"

namespace scrimp {

enum class Section : Word { setup = 1, progress, fired, findings, levels, log, states, path, end, round, frontier };

class CheckpointWriter {
 public:
  explicit CheckpointWriter(BufferedFile& file);

  /// A block of `words` words, which are passed to `add`, in as many pieces as convenient.
  void begin(Section kind, std::uint64_t words);
  void add(Word word) { add(&word, 1); }
  void add(const Word* words, std::size_t count);
  void finish();

  /// A block of bytes: their number, then the bytes themselves, filled up to whole words.
  void bytes(Section kind, const void* from, std::size_t count);

 private:
  void write(const Word* words, std::size_t count);

  BufferedFile& file_;
  Checksum sum_;
};

/// Reads blocks in order. The first thing that is wrong ends the reading: then `complaint` says what it was, and all
/// words that are read from there on are zero.
class CheckpointReader {
 public:
  explicit CheckpointReader(const std::string& path);
  ~CheckpointReader();
  CheckpointReader(const CheckpointReader&) = delete;
  CheckpointReader& operator=(const CheckpointReader&) = delete;

  /// Begins the next block, which must be of this kind; returns how many words it has.
  std::uint64_t begin(Section kind);
  Word next();
  void read(Word* words, std::size_t count);
  void finish();

  std::vector<std::uint8_t> bytes(Section kind);

  /// Reads to the end, whatever the blocks hold. Returns whether everything is as it was written.
  bool verify();

  bool good() const { return complaint_.empty(); }
  const std::string& complaint() const { return complaint_; }
  void complain(const std::string& what);

 private:
  void fetch(Word* words, std::size_t count);
  Word fetch_word();
  void refill();

  const std::string path_;
  int file_;
  std::vector<Word> buffer_;
  std::size_t next_ = 0, end_ = 0;  // in the buffer
  std::uint64_t left_ = 0;          // words of this block
  std::uint64_t length_ = 0;        // words of the file that were not fetched from it
  Checksum sum_;
  std::string complaint_;
};

}  // namespace scrimp
