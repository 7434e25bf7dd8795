// Findings in a checkpoint.
//
//     kind | watch | number of events, events | number of events of the cycle, events
#pragma once

#include <cstdint>
#include <vector>

#include "observe/finding.h"
#include "search/checkpoint/checkpoint_file.h"

namespace scrimp {

inline std::uint64_t words_of(const Finding& finding) { return 4 + finding.events.size() + finding.cycle.size(); }

inline void save(const Finding& finding, CheckpointWriter& file) {
  file.add(static_cast<Word>(finding.kind));
  file.add(static_cast<Word>(finding.watch + 1));
  for (const std::vector<EventId>* events : {&finding.events, &finding.cycle}) {
    file.add(events->size());
    for (const EventId event : *events) file.add(event);
  }
}

inline Finding load_finding(CheckpointReader& file) {
  Finding finding{static_cast<Finding::Kind>(file.next()), static_cast<int>(file.next()) - 1, {}};
  for (std::vector<EventId>* events : {&finding.events, &finding.cycle})
    for (Word left = file.next(); left != 0 && file.good(); --left)
      events->push_back(static_cast<EventId>(file.next()));
  return finding;
}

}  // namespace scrimp
