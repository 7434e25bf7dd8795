#include "reduction/local.h"

namespace scrimp {

Local::Local(bool proviso, const Relations& relations)
    : process_(relations.process),
      proviso_(proviso, relations),
      eligible_(relations.events()),
      tried_(relations.locations.size()) {
  for (EventId event = 0; event < relations.events(); ++event)
    eligible_[event] = relations.safe[event] != 0 && !proviso_.sees(event);
}

bool Local::choose(const Word*, const Entries& entries, Surroundings& around, std::uint8_t* chosen) {
  if (!any_is_eligible(entries)) return false;
  ++states_;
  for (std::uint32_t first = 0; first < entries.count; ++first) {  // L2
    const std::uint32_t process = leader(entries.events[first]);
    if (tried_[process] == states_) continue;
    tried_[process] = states_;
    if (!may_go_alone(entries, process, around)) continue;
    std::uint32_t count = 0;
    for (std::uint32_t entry = 0; entry < entries.count; ++entry)
      count += chosen[entry] = leader(entries.events[entry]) == process;  // L5
    return count < entries.count;
  }
  return false;  // L6
}

bool Local::any_is_eligible(const Entries& entries) const {
  for (std::uint32_t entry = 0; entry < entries.count; ++entry)
    if (eligible_[entries.events[entry] & event_mask]) return true;
  return false;
}

bool Local::may_go_alone(const Entries& entries, std::uint32_t process, Surroundings& around) const {
  for (std::uint32_t entry = 0; entry < entries.count; ++entry) {
    const EventId event = entries.events[entry];
    if (leader(event) == process && !eligible_[event & event_mask]) return false;  // L3
  }
  return proviso_.is_met(entries, around,
                         [&](std::uint32_t entry) { return leader(entries.events[entry]) == process; });  // L4
}

}  // namespace scrimp
