#include "runner/own_memory.h"

#include <link.h>
#include <sys/mman.h>

#include <cstddef>
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

/// Code is never written, so that the system can read its pages again from the file.
int forget_code_of(dl_phdr_info* object, std::size_t, void*) {
  for (std::size_t i = 0; i < object->dlpi_phnum; ++i) {
    const auto& segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0 || (segment.p_flags & PF_W) != 0) continue;
    const std::uintptr_t address = object->dlpi_addr + segment.p_vaddr, before = address % small_page;
    madvise(reinterpret_cast<void*>(address - before), round_up(before + segment.p_memsz, small_page), MADV_DONTNEED);
  }
  return 0;
}

}  // namespace

void forget_code() { dl_iterate_phdr(forget_code_of, nullptr); }

std::uint64_t held_bytes() {
  constexpr std::uint64_t unit_of_own = std::uint64_t{64} << 10, unit_of_files = std::uint64_t{3} << 20;
  const std::uint64_t own = status_bytes("RssAnon") + status_bytes("RssShmem");
  return round_up(own, unit_of_own) + round_up(status_bytes("RssFile"), unit_of_files);
}
std::uint64_t most_held_bytes() { return status_bytes("VmHWM"); }

}  // namespace scrimp
