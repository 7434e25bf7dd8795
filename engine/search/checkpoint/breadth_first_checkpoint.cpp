#include "search/checkpoint/breadth_first_checkpoint.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "search/checkpoint/saved_findings.h"

namespace scrimp {

namespace {

/// A file that is read from the beginning, word by word.
class WordFile {
 public:
  explicit WordFile(const std::string& path) : file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~WordFile() {
    if (file_ >= 0) close(file_);
  }
  WordFile(const WordFile&) = delete;
  WordFile& operator=(const WordFile&) = delete;

  bool read(Word* words, std::uint64_t count) {
    char* const bytes = reinterpret_cast<char*>(words);
    for (std::size_t done = 0; done != count * sizeof(Word);) {
      const ssize_t got = ::read(file_, bytes + done, count * sizeof(Word) - done);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return false;
      done += static_cast<std::size_t>(got);
    }
    return true;
  }

 private:
  int file_;
};

}  // namespace

bool BreadthFirstCheckpoint::mark(std::uint64_t expanded, std::uint64_t level_left) {
  mark_.progress.observed = observer_.numbers();
  mark_.progress.expanded = expanded;
  mark_.progress.level_left = level_left;
  mark_.progress.log_states = observer_.counts.states;
  mark_.levels = levels_.mark();
  is_new_ = !resumes() || mark_.progress.expanded != resumed().expanded || checkpoints_.report().written != 0 ||
            checkpoints_.reencoding() != nullptr;
  return levels_.log()->writes_file() ||
         checkpoints_.complain("cannot write the states of the search: the disk is full");
}

bool BreadthFirstCheckpoint::save() {
  LevelLog& log = *levels_.log();
  log.flush();
  if (!log.sync() || !log.sums().good())
    return checkpoints_.complain("cannot write the states of the search: the disk is full");
  is_new_ = false;
  return checkpoints_.write(mark_.progress, observer_.seconds(), [&](CheckpointWriter& file) { return write(file); });
}

bool BreadthFirstCheckpoint::write(CheckpointWriter& file) {
  const std::vector<std::uint8_t>& fired = observer_.fired_events();
  file.bytes(Section::fired, fired.data(), fired.size());
  levels_.save(mark_.levels, file);
  return write_sums(file);
}

bool BreadthFirstCheckpoint::write_sums(CheckpointWriter& file) {
  LevelLog& log = *levels_.log();
  const std::uint64_t words = mark_.progress.log_states * log.words();
  const std::uint64_t whole = words / LogSums::block_words;
  const bool has_rest = words % LogSums::block_words != 0;
  file.begin(Section::log, whole + has_rest);
  for (std::uint64_t block = 0; block < whole; ++block) file.add(log.sums()[block]);
  if (has_rest) {
    const std::optional<Word> rest = log.sum_of_rest(words);
    if (!rest) return checkpoints_.complain("cannot read the states of the search");
    file.add(*rest);
  }
  file.finish();
  return true;
}

bool BreadthFirstCheckpoint::restore() {
  CheckpointReader& file = checkpoints_.blocks();
  observer_.restore(resumed().observed, file.bytes(Section::fired));
  levels_.restore(file, checkpoints_.reencoding());
  return file.good() || checkpoints_.complain(file.complaint());
}

bool BreadthFirstCheckpoint::read_states(Word* states, std::uint64_t count,
                                         const std::function<bool(std::uint64_t)>& use) {
  const std::uint32_t words = static_cast<std::uint32_t>(resumed().state_words);
  const Reencoding* const reencoding = checkpoints_.reencoding();
  const std::string path = checkpoints_.log_path(resumed().log_number);
  WordFile log(path);
  LogSums sums(levels_.budget());
  std::vector<Word> old(reencoding != nullptr ? count * words : 0);
  Word* const target = reencoding != nullptr ? old.data() : states;
  for (std::uint64_t left = resumed().log_states; left != 0;) {
    const std::uint64_t piece = std::min(left, count);
    if (!log.read(target, piece * words)) return checkpoints_.complain(path + ": its end is missing");
    sums.add(target, piece * words);
    left -= piece;
    if (reencoding == nullptr) {
      levels_.log()->sum_up(states, piece * words);
    } else {
      for (std::uint64_t i = 0; i < piece; ++i) (*reencoding)(&old[i * words], states + i * reencoding->new_words());
      levels_.log()->append(states, piece);
    }
    if (!use(piece)) return true;
  }
  CheckpointReader& file = checkpoints_.blocks();
  const std::uint64_t expected = file.begin(Section::log);
  bool are_equal = expected >= sums.blocks() && sums.good();
  for (std::uint64_t block = 0; block < expected; ++block)
    are_equal = file.next() == (block < sums.blocks() ? sums[block] : sums.rest()) && are_equal;
  return are_equal || checkpoints_.complain(path + ": it is damaged");
}

}  // namespace scrimp
