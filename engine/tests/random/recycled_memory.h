// Recycles small mappings instead of giving them back to the system: setting up a search costs a hundred page faults,
// which is more than searching a small system does. To be included in one file of a program, where it replaces the C
// library's functions.
#pragma once

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#ifndef __SANITIZE_ADDRESS__

namespace scrimp::testing {

/// Blocks of a power of two of pages, cut from one arena; freed blocks are reused, zeroed up to the requested size.
class RecycledMemory {
 public:
  static RecycledMemory& instance() {
    static RecycledMemory memory;
    return memory;
  }

  static constexpr std::size_t largest_block = std::size_t{1} << 20;

  bool owns(const void* address) const { return offset(address) < arena_bytes; }

  /// Null if there is no room or the block is too large.
  void* take(std::size_t bytes) {
    if (bytes > largest_block) return nullptr;
    const std::size_t kind = kind_of(bytes);
    std::byte* block = nullptr;
    if (!free_[kind].empty()) {
      block = free_[kind].back();
      free_[kind].pop_back();
    } else if (used_ + (page << kind) <= arena_bytes) {
      block = arena_ + used_;
      kinds_[used_ / page] = static_cast<std::uint8_t>(kind);
      used_ += page << kind;
    }
    if (block != nullptr) std::memset(block, 0, bytes);
    return block;
  }

  void give_back(void* block) { free_[kinds_[offset(block) / page]].push_back(static_cast<std::byte*>(block)); }

  bool resize(void* block, std::size_t old_bytes, std::size_t new_bytes) {
    if (new_bytes > page << kinds_[offset(block) / page]) return false;
    if (new_bytes > old_bytes) std::memset(static_cast<std::byte*>(block) + old_bytes, 0, new_bytes - old_bytes);
    return true;
  }

 private:
  static constexpr std::size_t page = 4096;
  static constexpr std::size_t arena_bytes = std::size_t{64} << 20;

  RecycledMemory()
      : arena_(reinterpret_cast<std::byte*>(syscall(SYS_mmap, nullptr, arena_bytes, PROT_READ | PROT_WRITE,
                                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))),
        kinds_(arena_bytes / page) {}

  std::size_t offset(const void* address) const {
    return static_cast<std::size_t>(static_cast<const std::byte*>(address) - arena_);
  }
  static std::size_t kind_of(std::size_t bytes) {
    return static_cast<std::size_t>(std::bit_width((bytes + page - 1) / page - 1));
  }

  std::byte* const arena_;
  std::size_t used_ = 0;
  std::vector<std::uint8_t> kinds_;  // of the block that begins at a page
  std::array<std::vector<std::byte*>, 9> free_;
};

}  // namespace scrimp::testing

extern "C" {

void* mmap(void* address, std::size_t bytes, int protection, int flags, int file, off_t offset) noexcept {
  using scrimp::testing::RecycledMemory;
  if (address == nullptr && (flags & MAP_ANONYMOUS)) {
    void* const block = RecycledMemory::instance().take(bytes);
    if (block != nullptr) return block;
  }
  return reinterpret_cast<void*>(syscall(SYS_mmap, address, bytes, protection, flags, file, offset));
}

int munmap(void* address, std::size_t bytes) noexcept {
  using scrimp::testing::RecycledMemory;
  if (!RecycledMemory::instance().owns(address)) return static_cast<int>(syscall(SYS_munmap, address, bytes));
  RecycledMemory::instance().give_back(address);
  return 0;
}

void* mremap(void* address, std::size_t old_bytes, std::size_t new_bytes, int flags, ...) noexcept {
  using scrimp::testing::RecycledMemory;
  va_list rest;
  va_start(rest, flags);
  void* const target = flags & MREMAP_FIXED ? va_arg(rest, void*) : nullptr;
  va_end(rest);
  RecycledMemory& memory = RecycledMemory::instance();
  if (!memory.owns(address) && !(target != nullptr && memory.owns(target)))
    return reinterpret_cast<void*>(syscall(SYS_mremap, address, old_bytes, new_bytes, flags, target));
  if (target == nullptr)
    return memory.owns(address) && memory.resize(address, old_bytes, new_bytes) ? address : MAP_FAILED;
  mprotect(target, new_bytes, PROT_READ | PROT_WRITE);
  std::memcpy(target, address, old_bytes < new_bytes ? old_bytes : new_bytes);
  munmap(address, old_bytes);
  return target;
}
}

#endif
