#include "search/checkpoint/checkpoint_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace scrimp {

namespace {

constexpr Word mark = 0x6b63706d69726373;  // "scrimpck"
constexpr Word version = 1;
constexpr std::size_t buffer_words = std::size_t{1} << 13;

}  // namespace

CheckpointWriter::CheckpointWriter(BufferedFile& file) : file_(file) {
  const Word header[] = {mark, version};
  write(header, 2);
}

void CheckpointWriter::begin(Section kind, std::uint64_t words) {
  const Word header[] = {static_cast<Word>(kind), words};
  add(header, 2);
}

void CheckpointWriter::add(const Word* words, std::size_t count) {
  sum_.add(words, count);
  write(words, count);
}

void CheckpointWriter::finish() {
  const Word sum = sum_.value();
  write(&sum, 1);
}

void CheckpointWriter::bytes(Section kind, const void* from, std::size_t count) {
  const std::size_t whole = count / sizeof(Word), rest = count % sizeof(Word);
  begin(kind, 1 + whole + (rest != 0));
  add(count);
  const char* const bytes = static_cast<const char*>(from);
  for (std::size_t i = 0; i < whole + (rest != 0); ++i) {
    Word word = 0;
    std::memcpy(&word, bytes + i * sizeof(Word), std::min(sizeof(Word), count - i * sizeof(Word)));
    add(word);
  }
  finish();
}

void CheckpointWriter::write(const Word* words, std::size_t count) { file_.write(words, count * sizeof(Word)); }

CheckpointReader::CheckpointReader(const std::string& path)
    : path_(path), file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)), buffer_(buffer_words) {
  struct stat status = {};
  if (file_ < 0 || fstat(file_, &status) != 0) complain(std::strerror(errno));
  const auto bytes = static_cast<std::uint64_t>(status.st_size);
  length_ = bytes / sizeof(Word);
  if (bytes % sizeof(Word) != 0) complain("its end is missing");
  if (fetch_word() != mark) complain("it is not a checkpoint");
  if (fetch_word() != version) complain("another version of scrimp wrote it");
}

CheckpointReader::~CheckpointReader() {
  if (file_ >= 0) close(file_);
}

std::uint64_t CheckpointReader::begin(Section kind) {
  left_ = 2;
  const Word found = next(), words = next();
  if (found != static_cast<Word>(kind) && good()) complain("a block is missing");
  if (words >= length_ + (end_ - next_) && good()) complain("its end is missing");
  return left_ = good() ? words : 0;
}

Word CheckpointReader::next() {
  Word word = 0;
  read(&word, 1);
  return word;
}

void CheckpointReader::read(Word* words, std::size_t count) {
  if (count > left_ && good()) complain("a block is too short");
  if (!good()) return static_cast<void>(std::fill_n(words, count, 0));
  left_ -= count;
  fetch(words, count);
  sum_.add(words, count);
}

void CheckpointReader::finish() {
  if (left_ != 0 && good()) complain("a block is too long");
  if (fetch_word() != sum_.value() && good()) complain("it is damaged");
}

std::vector<std::uint8_t> CheckpointReader::bytes(Section kind) {
  const std::uint64_t words = begin(kind);
  const Word count = next();
  if (good() && (words == 0 || (count + sizeof(Word) - 1) / sizeof(Word) != words - 1))
    complain("a block is too short");
  std::vector<std::uint8_t> result(good() ? (words - 1) * sizeof(Word) : 0);
  for (std::size_t i = 0; i < result.size(); i += sizeof(Word)) {
    const Word word = next();
    std::memcpy(&result[i], &word, sizeof word);
  }
  finish();
  result.resize(good() ? count : 0);
  return result;
}

bool CheckpointReader::verify() {
  for (Word kind = 1; good() && kind != static_cast<Word>(Section::end);) {
    left_ = 2;
    kind = next();
    left_ = next();
    if (left_ >= length_ + (end_ - next_) && good()) complain("its end is missing");
    std::vector<Word> words(std::min<std::uint64_t>(left_, buffer_words));
    while (good() && left_ != 0) read(words.data(), std::min<std::uint64_t>(left_, buffer_words));
    finish();
  }
  if (good() && length_ + (end_ - next_) != 0) complain("something follows its end");
  return good();
}

void CheckpointReader::complain(const std::string& what) {
  if (complaint_.empty()) complaint_ = path_ + ": " + what;
}

Word CheckpointReader::fetch_word() {
  Word word = 0;
  fetch(&word, 1);
  return word;
}

void CheckpointReader::fetch(Word* words, std::size_t count) {
  while (count != 0 && good()) {
    if (next_ == end_) refill();
    const std::size_t piece = std::min(count, end_ - next_);
    std::copy_n(&buffer_[next_], piece, words);
    next_ += piece;
    words += piece;
    count -= piece;
  }
  std::fill_n(words, count, 0);
}

void CheckpointReader::refill() {
  const std::size_t wanted = std::min<std::uint64_t>(buffer_words, length_) * sizeof(Word);
  if (wanted == 0) return complain("its end is missing");
  char* const bytes = reinterpret_cast<char*>(buffer_.data());
  for (std::size_t done = 0; done != wanted;) {
    const ssize_t got = ::read(file_, bytes + done, wanted - done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return complain(got < 0 ? std::strerror(errno) : "its end is missing");
    done += static_cast<std::size_t>(got);
  }
  next_ = 0;
  end_ = wanted / sizeof(Word);
  length_ -= end_;
}

}  // namespace scrimp
