// Paths to findings, from the backedges.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/machine.h"
#include "observe/finding.h"
#include "search/depth_first/taken.h"
#include "search/expansion/expander.h"
#include "store/comback/backedge_table.h"
#include "store/comback/state_id.h"

namespace scrimp {

class BackedgeWitness final : public Witness {
 public:
  /// The number of the state that is being passed to the observer.
  StateId shown = 0;

  bool record(Finding finding, const Word*) override {
    sightings_.push_back({std::move(finding), shown});
    return true;
  }

  /// The recorded findings with their paths; findings whose path is not found before `give_up` returns true are
  /// omitted.
  template <class GiveUp>
  std::vector<Finding> findings(Expander& expander, const BackedgeTable& backedges, GiveUp give_up) {
    std::vector<Finding> found;
    for (Sighting& sighting : sightings_) {
      if (give_up()) break;
      std::vector<EventId> events = path(expander, backedges, sighting.id);
      events.insert(events.end(), sighting.finding.events.begin(), sighting.finding.events.end());
      sighting.finding.events = std::move(events);
      found.push_back(std::move(sighting.finding));
    }
    return found;
  }

 private:
  struct Sighting {
    Finding finding;
    StateId id;
  };

  static std::vector<EventId> path(Expander& expander, const BackedgeTable& backedges, StateId id) {
    std::vector<std::uint32_t> ordinals;
    for (; id != 0; id = backedges[id].predecessor) ordinals.push_back(backedges[id].ordinal);
    std::reverse(ordinals.begin(), ordinals.end());
    std::vector<Word> state(expander.machine().words);
    expander.machine().initial(state.data());
    Replay replay(expander);
    std::vector<EventId> events;
    for (const std::uint32_t ordinal : ordinals) {
      const Word* const next = replay.step(state.data(), ordinal + 1);
      replay.append_events(state.data(), events);
      state.assign(next, next + state.size());
    }
    return events;
  }

  std::vector<Sighting> sightings_;
};

}  // namespace scrimp
