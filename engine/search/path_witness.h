// Reads the events of a depth-first path off the path itself, by taking its steps once more.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/budget.h"
#include "observe/finding.h"
#include "search/expander.h"
#include "search/path.h"
#include "search/taken.h"

namespace scrimp {

/// What it records is counted by the budget, for as long as it lives.
template <std::uint32_t fixed_words>
class PathWitness final : public Witness {
 public:
  PathWitness(Budget& budget, const Expander& expander, const Path<fixed_words>& path)
      : budget_(budget), expander_(expander), path_(path) {}
  ~PathWitness() override { budget_.give_back(taken_bytes_); }
  PathWitness(const PathWitness&) = delete;
  PathWitness& operator=(const PathWitness&) = delete;

  /// `state` is the last one of the path.
  bool record(Finding finding, const Word*) override {
    const std::uint64_t bytes = (path_.size() + finding.events.size()) * sizeof(EventId);
    if (!budget_.take(bytes)) return false;
    taken_bytes_ += bytes;
    std::vector<EventId> events;
    events.reserve(path_.size() + finding.events.size());
    append_path(events);
    events.insert(events.end(), finding.events.begin(), finding.events.end());
    finding.events = std::move(events);
    findings.push_back(std::move(finding));
    return true;
  }

  std::vector<Finding> findings;

 private:
  void append_path(std::vector<EventId>& events) const {
    const Machine& machine = expander_.machine();
    std::vector<Word> state(machine.words);
    machine.initial(state.data());
    Replay replay(expander_);
    path_.for_each_taken([&](Taken taken) {
      const Word* const next = replay.step(state.data(), taken);
      state.assign(next, next + machine.words);
      events.push_back(replay.event());
    });
  }

  Budget& budget_;
  const Expander& expander_;
  const Path<fixed_words>& path_;
  std::uint64_t taken_bytes_ = 0;
};

}  // namespace scrimp
