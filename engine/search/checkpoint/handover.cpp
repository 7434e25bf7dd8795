#include "search/checkpoint/handover.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "search/checkpoint/durable_file.h"
#include "search/checkpoint/saved_findings.h"

namespace scrimp {

namespace {

constexpr std::size_t handover_buffer = std::size_t{64} << 10;
constexpr std::size_t number_words = sizeof(HandedOver) / sizeof(Word);

void write_sightings(CheckpointWriter& file, const Sightings& sightings) {
  std::uint64_t words = 1;
  for (const Sightings::Sighting& each : sightings.all) words += words_of(each);
  file.begin(Section::round, words);
  file.add(sightings.all.size());
  for (const Sightings::Sighting& each : sightings.all) save(each, file);
  file.finish();
}

void read_sightings(CheckpointReader& file, std::uint32_t words, const Reencoding* reencoding, Sightings& sightings) {
  file.begin(Section::round);
  for (Word left = file.next(); left != 0 && file.good(); --left)
    sightings.all.push_back(load_sighting(file, words, reencoding));
  file.finish();
}

}  // namespace

void Handover::leave(HandedOver numbers, const RoundPart& round, const List& visited, const List& frontier) {
  Region buffer(budget_);
  if (!buffer.resize(handover_buffer)) return;
  numbers.observed = observer_.numbers();
  numbers.of_round = round.observer.numbers();
  numbers.seconds = observer_.seconds() + seconds();
  numbers.effort = effort();
  numbers.state_words = machine_.words;
  numbers.events = machine_.transitions;
  empty_file();
  BufferedFile file(fcntl(options_.file, F_DUPFD_CLOEXEC, 0), "the file of a search", buffer);
  CheckpointWriter writer(file);
  if (write(writer, numbers, round, visited, frontier) && file.flush())
    end_ = HandoverEnd::left;
  else
    empty_file();
}

bool Handover::write(CheckpointWriter& file, const HandedOver& numbers, const RoundPart& round, const List& visited,
                     const List& frontier) {
  const std::vector<std::uint8_t>& fired = observer_.fired_events();
  file.begin(Section::progress, number_words);
  file.add(reinterpret_cast<const Word*>(&numbers), number_words);
  file.finish();
  file.bytes(Section::fired, fired.data(), fired.size());
  levels_.save(levels_.mark(), file);
  write_sightings(file, round.expanded);
  write_sightings(file, round.entered);
  return write(file, Section::states, numbers.states, visited) &&
         write(file, Section::frontier, numbers.frontier, frontier);
}

bool Handover::write(CheckpointWriter& file, Section kind, std::uint64_t states, const List& list) {
  std::uint64_t left = states;
  bool is_listed = true;
  file.begin(kind, states * machine_.words);
  const bool is_complete = list([&](const Word* listed, std::uint64_t count) {
    is_listed = is_listed && count <= left && !observer_.stop_requested();
    if (!is_listed) return;
    file.add(listed, count * machine_.words);
    left -= count;
  });
  file.finish();
  return is_complete && is_listed && left == 0;
}

bool Handover::restore() {
  const Reencoding* const reencoding = options_.reencoding ? &*options_.reencoding : nullptr;
  CheckpointReader& file = reader_.emplace("/proc/self/fd/" + std::to_string(options_.file));
  if (file.begin(Section::progress) != number_words) file.complain("it has no numbers");
  file.read(reinterpret_cast<Word*>(&numbers_), number_words);
  file.finish();
  const std::uint32_t words = reencoding != nullptr ? reencoding->old_words() : machine_.words;
  if (numbers_.state_words != words || numbers_.events != machine_.transitions)
    file.complain("it is of another search");
  if (!file.good()) return false;
  observer_.restore(numbers_.observed, file.bytes(Section::fired));
  levels_.restore(file, reencoding);
  return file.good();
}

void Handover::restore(RoundPart& round) {
  const Reencoding* const reencoding = options_.reencoding ? &*options_.reencoding : nullptr;
  round.observer.restore(numbers_.of_round, {});
  read_sightings(*reader_, machine_.words, reencoding, round.expanded);
  read_sightings(*reader_, machine_.words, reencoding, round.entered);
}

bool Handover::read(Section kind, Word* states, std::uint64_t count, const std::function<bool(std::uint64_t)>& use) {
  CheckpointReader& file = *reader_;
  const bool is_translated = options_.reencoding.has_value();
  const std::size_t words = numbers_.state_words;
  std::vector<Word> old(is_translated ? count * words : 0);
  Word* const target = is_translated ? old.data() : states;
  for (std::uint64_t left = file.begin(kind) / words; left != 0;) {
    const std::uint64_t piece = std::min(left, count);
    file.read(target, piece * words);
    if (!file.good()) return false;
    for (std::uint64_t i = 0; is_translated && i < piece; ++i)
      (*options_.reencoding)(&old[i * words], states + i * machine_.words);
    left -= piece;
    if (!use(piece)) return true;
  }
  file.finish();
  return file.good();
}

void Handover::complete() {
  reader_.reset();
  empty_file();
  end_ = HandoverEnd::none;
}

double Handover::effort() const {
  timespec time = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9) / threads_ + numbers_.effort;
}

/// What is in it takes room on disk. If that fails, it is still overwritten from the beginning.
void Handover::empty_file() const {
  lseek(options_.file, 0, SEEK_SET);
  static_cast<void>(!ftruncate(options_.file, 0));
}

}  // namespace scrimp
