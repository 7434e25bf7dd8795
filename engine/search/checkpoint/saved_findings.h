// Findings in a checkpoint.
//
//     kind | watch | number of events, events | number of events of the cycle, events
//
// Some come with the state that they refer to, whose words are before them.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "observe/finding.h"
#include "search/checkpoint/checkpoint_file.h"
#include "search/checkpoint/reencoding.h"

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

/// The next state of a file, in a layout of so many words.
inline std::vector<Word> load_state(CheckpointReader& file, std::uint32_t words, const Reencoding* reencoding) {
  std::vector<Word> state(reencoding != nullptr ? reencoding->old_words() : words);
  file.read(state.data(), state.size());
  if (reencoding == nullptr) return state;
  std::vector<Word> wider(words);
  (*reencoding)(state.data(), wider.data());
  return wider;
}

inline std::uint64_t words_of(const Sightings::Sighting& sighting) {
  return sighting.state.size() + words_of(sighting.finding);
}

inline void save(const Sightings::Sighting& sighting, CheckpointWriter& file) {
  file.add(sighting.state.data(), sighting.state.size());
  save(sighting.finding, file);
}

inline Sightings::Sighting load_sighting(CheckpointReader& file, std::uint32_t words, const Reencoding* reencoding) {
  std::vector<Word> state = load_state(file, words, reencoding);
  return {load_finding(file), std::move(state)};
}

}  // namespace scrimp
