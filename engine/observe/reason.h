// Why a search ended.
#pragma once

#include <cstdint>

namespace scrimp {

enum class Reason : std::uint8_t {
  none,
  closed,
  violations,
  memory,
  time,
  depth,
  interrupt,
  misfit,
  disk,
  cache,
  audit
};

constexpr const char* name(Reason reason) {
  switch (reason) {
    case Reason::none: return "none";
    case Reason::closed: return "closed";
    case Reason::violations: return "violations";
    case Reason::memory: return "memory";
    case Reason::time: return "time";
    case Reason::depth: return "depth";
    case Reason::interrupt: return "interrupt";
    case Reason::misfit: return "misfit";
    case Reason::disk: return "disk";
    case Reason::cache: return "cache";
    case Reason::audit: return "audit";
  }
  return "none";
}

}  // namespace scrimp
