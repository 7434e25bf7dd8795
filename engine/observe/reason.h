// Why a search ended.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace scrimp {

enum class Reason : std::uint8_t {
  none,
  closed,
  violations,
  goals,
  memory,
  time,
  depth,
  interrupt,
  misfit,
  disk,
  cache,
  audit,
  states
};

/// In the order of the enumeration.
constexpr std::array reason_names{"none",      "closed", "violations", "goals", "memory", "time",  "depth",
                                  "interrupt", "misfit", "disk",       "cache", "audit",  "states"};
static_assert(reason_names.size() == static_cast<std::size_t>(Reason::states) + 1);

constexpr const char* name(Reason reason) { return reason_names[static_cast<std::size_t>(reason)]; }

}  // namespace scrimp
