#include "search/checkpoint/checkpoints.h"

#include <algorithm>
#include <new>
#include <vector>

namespace scrimp {

namespace {

constexpr std::size_t buffer_bytes = std::size_t{64} << 10;

std::chrono::steady_clock::duration duration_of(double seconds) {
  constexpr double most = 1e9;
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(std::min(seconds, most)));
}

}  // namespace

Checkpoints::Checkpoints(const CheckpointOptions& options, SavedOrder order, const Machine& machine, Budget& budget)
    : options_(options),
      order_(order),
      machine_(machine),
      buffer_(budget),
      next_(Clock::now() + duration_of(options.every)) {
  if (!buffer_.resize(buffer_bytes)) throw std::bad_alloc();
  if (const auto known = checkpoints_in(options.folder); !known.empty()) next_number_ = known.front() + 1;
  const bool keeps_layout = options.resume && read_resumed() && !options.reencoding;
  log_number_ = keeps_layout ? resumed_->log_number : unused_log_number(options.folder);
  is_log_named_ = keeps_layout;
}

bool Checkpoints::read_resumed() {
  reader_.emplace(options_.folder + "/" + checkpoint_name(*options_.resume));
  reader_->bytes(Section::setup);
  SavedProgress progress;
  if (reader_->begin(Section::progress) != progress_words) reader_->complain("another version of scrimp wrote it");
  reader_->read(reinterpret_cast<Word*>(&progress), progress_words);
  reader_->finish();
  const std::uint32_t words = options_.reencoding ? options_.reencoding->old_words() : machine_.words;
  const bool fits = progress.order == order_ && progress.state_words == words &&
                    progress.events == machine_.transitions && progress.watches == machine_.watches &&
                    (!options_.reencoding || options_.reencoding->new_words() == machine_.words);
  if (reader_->good() && !fits) reader_->complain("it is of another search");
  if (!reader_->good()) return complain(reader_->complaint());
  resumed_ = progress;
  last_ = Kept{*options_.resume, progress.log_number};
  report_.states = report_.resumed_states = progress.observed.counts.states;
  report_.resumptions = progress.resumptions + (options_.reencoding ? 0 : 1);
  return true;
}

std::unique_ptr<LevelLog> Checkpoints::open_log(Budget& budget) {
  const bool goes_on = resumed_ && !options_.reencoding;
  const std::uint64_t present = goes_on ? resumed_->log_states * resumed_->state_words : 0;
  return std::make_unique<LevelLog>(budget, machine_.words, log_path(log_number_), present);
}

bool Checkpoints::write(SavedProgress progress, double seconds, const std::function<bool(CheckpointWriter&)>& write) {
  next_ = Clock::now() + duration_of(options_.every);
  progress.order = order_;
  progress.state_words = machine_.words;
  progress.events = machine_.transitions;
  progress.watches = machine_.watches;
  progress.seconds = seconds + (resumed_ ? resumed_->seconds : 0);
  progress.resumptions = report_.resumptions;
  progress.log_number = log_number_;
  if (!is_log_named_ && !sync_folder(options_.folder)) return complain("cannot write " + options_.folder);
  is_log_named_ = true;
  DurableFile file(options_.folder, checkpoint_name(next_number_), buffer_);
  CheckpointWriter writer(file);
  writer.bytes(Section::setup, options_.setup.data(), options_.setup.size());
  writer.begin(Section::progress, progress_words);
  writer.add(reinterpret_cast<const Word*>(&progress), progress_words);
  writer.finish();
  if (!write(writer)) return false;
  writer.begin(Section::end, 0);
  writer.finish();
  if (!file.keep()) return complain(file.complaint());
  last_but_one_ = last_;
  last_ = Kept{next_number_++, log_number_};
  ++report_.written;
  report_.states = progress.observed.counts.states;
  keep_last_two();
  return true;
}

void Checkpoints::keep_last_two() {
  std::vector<std::uint64_t> checkpoints, logs{log_number_};
  for (const std::optional<Kept>& kept : {last_, last_but_one_}) {
    if (!kept) continue;
    checkpoints.push_back(kept->number);
    logs.push_back(kept->log);
  }
  remove_others(options_.folder, checkpoints, logs);
}

bool Checkpoints::complain(const std::string& what) {
  if (report_.complaint.empty()) report_.complaint = what;
  return false;
}

}  // namespace scrimp
