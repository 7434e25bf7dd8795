#include "core/memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

namespace scrimp {
namespace {

std::byte* map(std::size_t bytes, int protection) {
  void* address = mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return address == MAP_FAILED ? nullptr : static_cast<std::byte*>(address);
}

/// Reserves address space that starts on a huge page if it is large enough: maps more and trims both ends.
std::byte* map_aligned(std::size_t bytes, int protection) {
  if (bytes < huge_page) return map(bytes, protection);
  std::byte* whole = map(bytes + huge_page, protection);
  if (whole == nullptr) return nullptr;
  const std::size_t before = -reinterpret_cast<std::uintptr_t>(whole) % huge_page;
  if (before != 0) munmap(whole, before);
  munmap(whole + before + bytes, huge_page - before);
  return whole + before;
}

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25  // since Linux 6.1; older kernels refuse it, which does no harm
#endif

/// Regions of this size and more that grow are worth copying their last small pages.
constexpr std::size_t collapsed_bytes = 16 * huge_page;

/// Requests huge pages, also in place of small ones that were there before the region grew over them. That interrupts
/// all processors, so that it is done only if there are such pages.
void advise_huge(std::byte* data, std::size_t old_bytes, std::size_t bytes) {
  if (bytes < huge_page) return;
  madvise(data, bytes, MADV_HUGEPAGE);
  if (bytes < collapsed_bytes || bytes < old_bytes) return;
  const std::size_t first = old_bytes < collapsed_bytes ? 0 : old_bytes / huge_page * huge_page;
  const std::size_t end = std::min(round_up(old_bytes, huge_page), bytes / huge_page * huge_page);
  if (first < end) madvise(data + first, end - first, MADV_COLLAPSE);
}

#ifdef SCRIMP_WITHOUT_MREMAP

/// A sanitizer that does not see `mremap` takes two threads that hold the same addresses, one after the other, for
/// competitors.
std::byte* remap(std::byte* data, std::size_t old_bytes, std::size_t new_bytes) {
  std::byte* target = map_aligned(new_bytes, PROT_READ | PROT_WRITE);
  if (target == nullptr) return nullptr;
  std::memcpy(target, data, std::min(old_bytes, new_bytes));
  munmap(data, old_bytes);
  return target;
}

#else

std::byte* move_to_aligned(std::byte* data, std::size_t old_bytes, std::size_t new_bytes) {
  std::byte* target = map_aligned(new_bytes, PROT_NONE);
  if (target == nullptr) return nullptr;
  void* moved = mremap(data, old_bytes, new_bytes, MREMAP_MAYMOVE | MREMAP_FIXED, target);
  if (moved == MAP_FAILED) {
    munmap(target, new_bytes);
    return nullptr;
  }
  return target;
}

bool is_well_aligned(const std::byte* data, std::size_t bytes) {
  return bytes < huge_page || reinterpret_cast<std::uintptr_t>(data) % huge_page == 0;
}

std::byte* remap(std::byte* data, std::size_t old_bytes, std::size_t new_bytes) {
  if (is_well_aligned(data, new_bytes) && mremap(data, old_bytes, new_bytes, 0) != MAP_FAILED) return data;
  return move_to_aligned(data, old_bytes, new_bytes);
}

#endif

}  // namespace

Region::Region(Region&& other) noexcept
    : budget_(other.budget_), data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

Region& Region::operator=(Region&& other) noexcept {
  if (this == &other) return *this;
  clear();
  budget_ = other.budget_;
  data_ = std::exchange(other.data_, nullptr);
  bytes_ = std::exchange(other.bytes_, 0);
  return *this;
}

bool Region::resize(std::size_t bytes) {
  bytes = round_up(bytes, small_page);
  if (bytes == bytes_) return true;
  if (bytes == 0) return clear(), true;
  if (bytes > bytes_ && !budget_->take(bytes - bytes_)) return false;
  std::byte* data = data_ == nullptr ? map_aligned(bytes, PROT_READ | PROT_WRITE) : remap(data_, bytes_, bytes);
  if (data == nullptr) {
    if (bytes > bytes_) budget_->give_back(bytes - bytes_);
    return false;
  }
  if (bytes < bytes_) budget_->give_back(bytes_ - bytes);
  advise_huge(data, bytes_, bytes);
  data_ = data;
  bytes_ = bytes;
  return true;
}

void Region::clear() {
  if (data_ == nullptr) return;
  munmap(data_, bytes_);
  budget_->give_back(bytes_);
  data_ = nullptr;
  bytes_ = 0;
}

}  // namespace scrimp
