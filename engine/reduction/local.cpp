#include "reduction/local.h"

#include <algorithm>

namespace scrimp {

Local::Local(bool proviso, const Relations& relations)
    : process_(relations.process),
      proviso_(proviso, relations),
      eligible_(relations.events()),
      tried_(relations.locations.size()) {
  for (EventId event = 0; event < relations.events(); ++event)
    eligible_[event] = relations.safe[event] != 0 && !proviso_.sees(event);
}

bool Local::choose(const Word* state, const Entries& entries, Surroundings& around, std::uint8_t* chosen) {
  if (!any_is_eligible(entries)) return false;
  ++states_;
  std::fill_n(chosen, entries.count, 0);
  std::uint32_t count = 0;
  for (std::uint32_t first = 0; first < entries.count; ++first) {  // L2
    const std::uint32_t process = leader(entries.events[first]);
    if (tried_[process] == states_) continue;
    tried_[process] = states_;
    if (!minds_its_own_business(entries, process)) continue;
    count += add(entries, process, chosen);
    if (leads_away(state, entries, process, around)) return count < entries.count;
  }
  return false;  // L5
}

bool Local::any_is_eligible(const Entries& entries) const {
  for (std::uint32_t entry = 0; entry < entries.count; ++entry)
    if (eligible_[entries.events[entry] & event_mask]) return true;
  return false;
}

/// L3.
bool Local::minds_its_own_business(const Entries& entries, std::uint32_t process) const {
  for (std::uint32_t entry = 0; entry < entries.count; ++entry) {
    const EventId event = entries.events[entry];
    if (leader(event) == process && !eligible_[event & event_mask]) return false;
  }
  return true;
}

std::uint32_t Local::add(const Entries& entries, std::uint32_t process, std::uint8_t* chosen) const {
  std::uint32_t added = 0;
  for (std::uint32_t entry = 0; entry < entries.count; ++entry)
    if (leader(entries.events[entry]) == process) added += chosen[entry] = 1;
  return added;
}

/// L4.
bool Local::leads_away(const Word* state, const Entries& entries, std::uint32_t process, Surroundings& around) const {
  return proviso_.is_met(state, entries, around,
                         [&](std::uint32_t entry) { return leader(entries.events[entry]) == process; });
}

}  // namespace scrimp
