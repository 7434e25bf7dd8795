#include "search/checkpoint/folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string_view>
#include <system_error>

#include "search/checkpoint/checkpoint_file.h"
#include "search/checkpoint/log_sums.h"

namespace scrimp {

namespace {

constexpr std::string_view checkpoint_prefix = "checkpoint-", log_prefix = "states-";

/// The numbers in the names of files that begin with `prefix`, the largest first.
std::vector<std::uint64_t> numbers_in(const std::string& folder, std::string_view prefix) {
  std::vector<std::uint64_t> numbers;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename();
    std::uint64_t number = 0;
    if (!name.starts_with(prefix)) continue;
    const char* const end = name.data() + name.size();
    const auto parsed = std::from_chars(name.data() + prefix.size(), end, number);
    if (parsed.ec == std::errc{} && parsed.ptr == end) numbers.push_back(number);
  }
  std::sort(numbers.begin(), numbers.end(), std::greater<>());
  return numbers;
}

/// The first thing that is wrong with the first words of a file of states; empty if nothing is.
std::string verify_log(const std::string& path, std::uint64_t words, const std::vector<Word>& sums) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return path + ": " + std::strerror(errno);
  std::string complaint;
  std::vector<Word> buffer(std::size_t{1} << 13);
  std::uint64_t done = 0;
  for (std::size_t block = 0; block < sums.size() && complaint.empty(); ++block) {
    Checksum sum(block);
    const std::uint64_t end = std::min<std::uint64_t>(words, (block + 1) * LogSums::block_words);
    while (done != end && complaint.empty()) {
      const std::size_t wanted = std::min<std::uint64_t>(end - done, buffer.size()) * sizeof(Word);
      std::size_t got = 0;
      while (got != wanted) {
        const ssize_t now = pread(file, reinterpret_cast<char*>(buffer.data()) + got, wanted - got,
                                  static_cast<off_t>(done * sizeof(Word) + got));
        if (now < 0 && errno == EINTR) continue;
        if (now <= 0) break;
        got += static_cast<std::size_t>(now);
      }
      if (got != wanted) complaint = path + ": its end is missing";
      sum.add(buffer.data(), wanted / sizeof(Word));
      done += wanted / sizeof(Word);
    }
    if (complaint.empty() && sum.value() != sums[block]) complaint = path + ": it is damaged";
  }
  close(file);
  return complaint;
}

std::string verify_states(CheckpointReader& file, const std::string& folder, const SavedProgress& progress) {
  file.bytes(Section::fired);
  const auto skip = [&](Section kind) {
    for (std::uint64_t left = file.begin(kind); left != 0; --left) file.next();
    file.finish();
  };
  skip(Section::findings);
  skip(Section::levels);
  std::vector<Word> sums(file.begin(Section::log));
  file.read(sums.data(), sums.size());
  file.finish();
  const std::uint64_t words = progress.log_states * progress.state_words;
  if (file.good() && sums.size() != (words + LogSums::block_words - 1) / LogSums::block_words)
    file.complain("a block is too short");
  if (!file.good()) return file.complaint();
  return verify_log(folder + "/" + log_name(progress.log_number), words, sums);
}

std::string read_intact(const std::string& folder, std::uint64_t number, IntactCheckpoint& result) {
  const std::string path = folder + "/" + checkpoint_name(number);
  if (CheckpointReader whole(path); !whole.verify()) return whole.complaint();
  CheckpointReader file(path);
  result.number = number;
  result.setup = file.bytes(Section::setup);
  SavedProgress progress;
  if (file.begin(Section::progress) != progress_words) file.complain("another version of scrimp wrote it");
  file.read(reinterpret_cast<Word*>(&progress), progress_words);
  file.finish();
  result.states = progress.observed.counts.states;
  if (!file.good()) return file.complaint();
  return progress.order == SavedOrder::breadth_first ? verify_states(file, folder, progress) : "";
}

}  // namespace

std::string checkpoint_name(std::uint64_t number) { return std::string(checkpoint_prefix) + std::to_string(number); }
std::string log_name(std::uint64_t number) { return std::string(log_prefix) + std::to_string(number); }

std::vector<std::uint64_t> checkpoints_in(const std::string& folder) { return numbers_in(folder, checkpoint_prefix); }

std::uint64_t unused_log_number(const std::string& folder) {
  const std::vector<std::uint64_t> numbers = numbers_in(folder, log_prefix);
  return numbers.empty() ? 0 : numbers.front() + 1;
}

Survey survey(const std::string& folder) {
  Survey result;
  for (const std::uint64_t number : checkpoints_in(folder)) {
    IntactCheckpoint checkpoint;
    const std::string complaint = read_intact(folder, number, checkpoint);
    if (complaint.empty()) {
      result.latest = std::move(checkpoint);
      break;
    }
    result.complaints.push_back(complaint);
  }
  return result;
}

void remove_others(const std::string& folder, const std::vector<std::uint64_t>& checkpoints,
                   const std::vector<std::uint64_t>& logs) {
  const auto remove = [&](std::string_view prefix, const std::vector<std::uint64_t>& kept) {
    for (const std::uint64_t number : numbers_in(folder, prefix))
      if (std::find(kept.begin(), kept.end(), number) == kept.end())
        unlink((folder + "/" + std::string(prefix) + std::to_string(number)).c_str());
  };
  remove(checkpoint_prefix, checkpoints);
  remove(log_prefix, logs);
}

}  // namespace scrimp
