#include "search/breadth_first/level_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

namespace scrimp {

namespace {

std::string temporary_folder() {
  const char* folder = std::getenv("TMPDIR");
  return folder != nullptr && *folder != '\0' ? folder : "/tmp";
}

/// A file that disappears when its last descriptor is closed, however the process ends; -1 if it cannot be created.
int open_unlinked() {
  std::string name = temporary_folder() + "/scrimp-levels-XXXXXX";
  const int file = mkostemp(name.data(), O_CLOEXEC);
  if (file >= 0) unlink(name.c_str());
  return file;
}

}  // namespace

LevelLog::LevelLog(Budget& budget, std::uint32_t words) : LevelLog(budget, words, open_unlinked()) {}

LevelLog::LevelLog(Budget& budget, std::uint32_t words, const std::string& path, std::uint64_t present)
    : LevelLog(budget, words, open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | (present == 0 ? O_TRUNC : 0), 0666)) {
  in_file_ = present;
  sums_.emplace(budget);
}

LevelLog::LevelLog(Budget& budget, std::uint32_t words, int file)
    : budget_(budget), words_(words), file_(file), writes_file_(file_ >= 0), buffer_(budget), memory_(budget) {
  if (!buffer_.resize(buffer_words * sizeof(Word))) {
    if (file_ >= 0) close(file_);
    throw std::bad_alloc();
  }
  budget_.hold_as_spare(this);
}

LevelLog::~LevelLog() {
  budget_.hold_as_spare(nullptr);
  if (file_ >= 0) close(file_);
}

void LevelLog::append_words(const Word* words, std::uint64_t count) {
  const Word* const end = words + count;
  while (words != end && good_) {
    if (buffered_ == buffer_words) flush();
    const std::size_t piece = std::min(buffer_words - buffered_, static_cast<std::size_t>(end - words));
    std::memcpy(buffer_.as<Word>() + buffered_, words, piece * sizeof(Word));
    buffered_ += piece;
    words += piece;
  }
}

void LevelLog::flush() {
  const Word* const from = buffer_.as<const Word>();
  const std::size_t written = write_to_file(from, buffered_);
  good_ = good_ && keep_in_memory(from + written, buffered_ - written);
  buffered_ = 0;
}

void LevelLog::give_up() {
  memory_.clear();
  good_ = good_ && in_memory_ == 0;
}

/// Returns how many words were written, which is less than `count` if the file takes no more.
std::size_t LevelLog::write_to_file(const Word* from, std::size_t count) {
  const char* const bytes = reinterpret_cast<const char*>(from);
  std::size_t done = 0;
  while (writes_file_ && done != count * sizeof(Word)) {
    const off_t place = static_cast<off_t>(in_file_ * sizeof(Word) + done);
    const ssize_t written = pwrite(file_, bytes + done, count * sizeof(Word) - done, place);
    if (written < 0 && errno == EINTR) continue;
    writes_file_ = written > 0;
    if (writes_file_) done += static_cast<std::size_t>(written);
  }
  in_file_ += done / sizeof(Word);
  if (sums_) sums_->add(from, done / sizeof(Word));
  return done / sizeof(Word);
}

/// Its own growth must not make the budget take this very memory back.
bool LevelLog::keep_in_memory(const Word* from, std::size_t count) {
  if (count == 0) return true;
  const std::size_t needed = (in_memory_ + count) * sizeof(Word);
  if (needed > memory_.bytes()) {
    budget_.hold_as_spare(nullptr);
    const bool has_room = memory_.resize(needed / 8 * 9) || memory_.resize(needed);
    if (!has_room) memory_.clear();
    budget_.hold_as_spare(this);
    if (!has_room) return false;
  }
  std::memcpy(memory_.as<Word>() + in_memory_, from, count * sizeof(Word));
  in_memory_ += count;
  return true;
}

bool LevelLog::sync() { return writes_file_ && fsync(file_) == 0; }

std::optional<Word> LevelLog::sum_of_rest(std::uint64_t words) {
  std::uint64_t first = words / LogSums::block_words * LogSums::block_words;
  Checksum sum(first / LogSums::block_words);
  while (first != words) {  // the buffer is empty
    const std::size_t piece = std::min<std::uint64_t>(words - first, buffer_words);
    if (read_from_file(first, piece, buffer_.as<Word>()) == 0) return std::nullopt;
    sum.add(buffer_.as<const Word>(), piece);
    first += piece;
  }
  return sum.value();
}

std::uint64_t LevelLog::read(std::uint64_t first, std::uint64_t count, Word* states) {
  const std::size_t wanted = count * words_;
  std::size_t done = 0;
  while (good_ && done != wanted) {
    const std::size_t got = read_words(first * words_ + done, wanted - done, states + done);
    good_ = got != 0;
    done += got;
  }
  return done / words_;
}

/// Reads from where the first word is: the file, or memory. Returns 0 if it is nowhere.
std::size_t LevelLog::read_words(std::uint64_t first, std::size_t count, Word* to) const {
  if (first < in_file_) return read_from_file(first, std::min<std::size_t>(count, in_file_ - first), to);
  const std::uint64_t place = first - in_file_;
  if (place >= in_memory_) return 0;
  const std::size_t piece = std::min<std::size_t>(count, in_memory_ - place);
  std::memcpy(to, memory_.as<const Word>() + place, piece * sizeof(Word));
  return piece;
}

/// All of them, or 0 if the file is damaged.
std::size_t LevelLog::read_from_file(std::uint64_t first, std::size_t count, Word* to) const {
  char* const bytes = reinterpret_cast<char*>(to);
  std::size_t done = 0;
  while (done != count * sizeof(Word)) {
    const off_t place = static_cast<off_t>(first * sizeof(Word) + done);
    const ssize_t got = pread(file_, bytes + done, count * sizeof(Word) - done, place);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return 0;
    done += static_cast<std::size_t>(got);
  }
  return count;
}

}  // namespace scrimp
