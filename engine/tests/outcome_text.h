// An outcome as a text, to compare two of them.
#pragma once

#include <sstream>
#include <string>

#include "run.h"

namespace scrimp::testing {

/// Everything that an outcome says, but for memory and time. After a misfit the search starts over: only that counts.
inline std::string text_of(const Outcome& outcome) {
  std::ostringstream out;
  if (outcome.misfit) {
    out << "misfit " << outcome.misfit->event << " at";
    for (const Word word : outcome.misfit->state) out << " " << word;
    return out.str();
  }
  const Counts& counts = outcome.counts;
  out << name(outcome.reason) << " states " << counts.states << " transitions " << counts.transitions << " inner "
      << counts.inner_events << " matched " << counts.matched << " depth " << counts.depth << " deadlocks "
      << counts.deadlocks << " faults " << counts.faults << " violations " << counts.violations << "\nhits";
  for (const std::uint64_t hits : counts.watch_hits) out << " " << hits;
  out << "\nlevels";
  for (const Level& level : outcome.levels) out << " " << level.states << "/" << level.transitions;
  out << "\nfired";
  for (const std::uint8_t fired : outcome.fired) out << " " << int(fired);
  for (const Finding& finding : outcome.findings) {
    out << "\n" << name(finding.kind) << " " << finding.watch << ":";
    for (const EventId event : finding.events) out << " " << event;
    out << " |";
    for (const EventId event : finding.cycle) out << " " << event;
  }
  return out.str();
}

}  // namespace scrimp::testing
