// Checkpoints of a depth-first search, and how it goes on from one.
//
//   1. To write a checkpoint, between two steps: write all states of the set, the number of events that were taken of
//      each state of the path, and the findings so far. Nothing of an earlier checkpoint can be used again.
//   2. To go on: read the states into the set, and repeat the steps of the path.
#pragma once

#include <cstdint>
#include <vector>

#include "observe/finding.h"
#include "observe/observer.h"
#include "search/checkpoint/checkpoints.h"
#include "search/checkpoint/saved_findings.h"
#include "search/depth_first/taken.h"
#include "store/saved_set.h"
#include "store/state_set.h"

namespace scrimp {

class DepthFirstCheckpoint {
 public:
  DepthFirstCheckpoint(Checkpoints& checkpoints, Observer& observer, std::vector<Finding>& findings)
      : checkpoints_(checkpoints), observer_(observer), findings_(findings) {}

  bool is_due() const { return checkpoints_.is_due(); }
  /// Whether the disk failed, so that no further checkpoint can be written.
  bool has_failed() const { return !checkpoints_.report().complaint.empty(); }
  bool resumes() const { return checkpoints_.resumed() != nullptr; }

  /// L1. `taken` events of the path's last state were taken. Returns false if the checkpoint could not be written;
  /// without the memory to list the states of the set, that is no reason to end the search.
  template <EnumerableSet Set, class Path>
  bool save(const Set& set, const Path& path, Taken taken) {
    SavedProgress progress;
    progress.observed = observer_.numbers();
    return checkpoints_.write(progress, observer_.seconds(), [&](CheckpointWriter& file) {
      const std::vector<std::uint8_t>& fired = observer_.fired_events();
      file.bytes(Section::fired, fired.data(), fired.size());
      write_findings(file);
      file.begin(Section::states, 2 + set.size() * set.row_words());
      const bool are_listed = scrimp::save(set, [&](const Word* words, std::size_t count) {
        file.add(words, count);
        return true;
      });
      file.finish();
      if (!are_listed) return false;
      file.begin(Section::path, 1 + path.size());
      file.add(path.size());
      path.for_each_taken([&](Taken each) { file.add(each); });
      file.add(taken);
      file.finish();
      return true;
    });
  }

  /// L2. `step` repeats the step that was taken last from the path's last state; `stay` is for the last one, from which
  /// no step is repeated. Returns false if that is not possible; then the reason why the search ends is set.
  template <EnumerableSet Set, class Step, class Stay>
  bool resume(Set& set, Step step, Stay stay) {
    CheckpointReader& file = checkpoints_.blocks();
    observer_.restore(checkpoints_.resumed()->observed, file.bytes(Section::fired));
    read_findings(file);
    file.begin(Section::states);
    const bool are_loaded = load(set, [&](Word* words, std::size_t count) {
      file.read(words, count);
      return file.good() && observer_.may_go_on();
    });
    if (file.good() && !are_loaded) return observer_.end(Reason::memory), false;
    file.finish();
    file.begin(Section::path);
    for (Word left = file.next(); left > 1 && file.good() && observer_.running(); --left)
      step(static_cast<Taken>(file.next()));
    if (file.good() && observer_.running()) stay(static_cast<Taken>(file.next()));
    if (observer_.running()) file.finish();
    if (!file.good()) observer_.end((checkpoints_.complain(file.complaint()), Reason::disk));
    return observer_.running();
  }

 private:
  void write_findings(CheckpointWriter& file) const {
    std::uint64_t words = 1;
    for (const Finding& finding : findings_) words += words_of(finding);
    file.begin(Section::findings, words);
    file.add(findings_.size());
    for (const Finding& finding : findings_) scrimp::save(finding, file);
    file.finish();
  }

  void read_findings(CheckpointReader& file) {
    file.begin(Section::findings);
    for (Word left = file.next(); left != 0 && file.good(); --left) findings_.push_back(load_finding(file));
    file.finish();
  }

  Checkpoints& checkpoints_;
  Observer& observer_;
  std::vector<Finding>& findings_;
};

}  // namespace scrimp
