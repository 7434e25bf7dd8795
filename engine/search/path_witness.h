// Reads the events of a depth-first path off the path itself, by taking its steps once more.
#pragma once

#include <utility>
#include <vector>

#include "observe/finding.h"
#include "search/expander.h"
#include "search/path.h"
#include "search/taken.h"

namespace scrimp {

template <std::uint32_t fixed_words>
class PathWitness final : public Witness {
 public:
  PathWitness(const Expander& expander, const Path<fixed_words>& path) : expander_(expander), path_(path) {}

  /// `state` is the last one of the path.
  void record(Finding finding, const Word*) override {
    std::vector<EventId> events = events_of_path();
    events.insert(events.end(), finding.events.begin(), finding.events.end());
    finding.events = std::move(events);
    findings.push_back(std::move(finding));
  }

  std::vector<Finding> findings;

 private:
  std::vector<EventId> events_of_path() const {
    const Machine& machine = expander_.machine();
    std::vector<Word> state(machine.words);
    machine.initial(state.data());
    std::vector<EventId> events;
    Replay replay(expander_);
    for (const Taken taken : path_.taken()) {
      const Word* const next = replay.step(state.data(), taken);
      state.assign(next, next + machine.words);
      events.push_back(replay.event());
    }
    return events;
  }

  const Expander& expander_;
  const Path<fixed_words>& path_;
};

}  // namespace scrimp
