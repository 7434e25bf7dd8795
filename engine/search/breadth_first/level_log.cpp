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

LevelLog::LevelLog(Budget& budget, std::uint32_t words)
    : words_(words), file_(open_unlinked()), good_(file_ >= 0), buffer_(budget) {
  if (!buffer_.resize(buffer_words * sizeof(Word))) throw std::bad_alloc();
}

LevelLog::~LevelLog() {
  if (file_ >= 0) close(file_);
}

void LevelLog::append(const Word* states, std::uint64_t count) {
  const Word* const end = states + count * words_;
  while (states != end) {
    if (buffered_ == buffer_words) flush();
    const std::size_t piece = std::min(buffer_words - buffered_, static_cast<std::size_t>(end - states));
    std::memcpy(buffer_.as<Word>() + buffered_, states, piece * sizeof(Word));
    buffered_ += piece;
    states += piece;
  }
}

void LevelLog::flush() {
  const char* from = buffer_.as<const char>();
  std::size_t left = buffered_ * sizeof(Word);
  while (good_ && left != 0) {
    const ssize_t written = write(file_, from, left);
    if (written < 0 && errno == EINTR) continue;
    good_ = written > 0;
    if (!good_) break;
    from += written;
    left -= static_cast<std::size_t>(written);
  }
  buffered_ = 0;
}

std::uint64_t LevelLog::read(std::uint64_t first, std::uint64_t count, Word* states) {
  const std::size_t state_bytes = std::size_t{words_} * sizeof(Word);
  char* to = reinterpret_cast<char*>(states);
  std::size_t done = 0;
  while (done != count * state_bytes) {
    const ssize_t got =
        pread(file_, to + done, count * state_bytes - done, static_cast<off_t>(first * state_bytes + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done / state_bytes;
}

}  // namespace scrimp
