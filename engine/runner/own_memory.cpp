#include "runner/own_memory.h"

#include <cstdio>
#include <cstring>

#include "core/memory.h"

namespace scrimp {

namespace {

/// A line of /proc/self/status such as `VmHWM:     4321 kB`.
std::uint64_t status_bytes(const char* name) {
  std::FILE* const file = std::fopen("/proc/self/status", "r");
  if (file == nullptr) return 0;
  char line[256];
  unsigned long long kibibytes = 0;
  while (std::fgets(line, sizeof line, file) != nullptr)
    if (std::strncmp(line, name, std::strlen(name)) == 0) std::sscanf(line + std::strlen(name), ": %llu", &kibibytes);
  std::fclose(file);
  return std::uint64_t{kibibytes} << 10;
}

}  // namespace

std::uint64_t held_bytes() {
  constexpr std::uint64_t unit_of_own = std::uint64_t{64} << 10, unit_of_files = std::uint64_t{1} << 20;
  const std::uint64_t own = status_bytes("RssAnon") + status_bytes("RssShmem");
  return round_up(own, unit_of_own) + round_up(status_bytes("RssFile"), unit_of_files);
}
std::uint64_t most_held_bytes() { return status_bytes("VmHWM"); }

}  // namespace scrimp
