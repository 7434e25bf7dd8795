// Large arrays mapped directly from the operating system, charged to a Budget.
//
//     data()                                                   data() + bytes()
//       |<------------------------ bytes() ----------------------->|
//       | 2 MiB page | 2 MiB page |  ...  | 2 MiB page | 4 KiB pages |
//
// A region starts on a 2 MiB boundary once it is that large, so that the system can back it with huge pages (random
// accesses then cause far fewer TLB misses); its tail consists of small pages, so that the resident size never exceeds
// bytes(). All bytes read as zero until written.
#pragma once

#include <cstddef>

#include "core/budget.h"

namespace scrimp {

inline constexpr std::size_t small_page = std::size_t{4} << 10;
inline constexpr std::size_t huge_page = std::size_t{2} << 20;

constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

/// A zeroed, page-aligned array that takes every page from its Budget. An empty region holds nothing.
class Region {
 public:
  explicit Region(Budget& budget) : budget_(&budget) {}
  Region(Region&& other) noexcept;
  Region& operator=(Region&& other) noexcept;
  ~Region() { clear(); }

  /// Changes the size, rounded up to whole pages, keeping the contents that still fit; new bytes are zero. The data may
  /// move, without being copied. Returns false, with nothing changed, if the budget or the system refuses.
  [[nodiscard]] bool resize(std::size_t bytes);

  /// Unmaps everything and gives it back to the budget.
  void clear();

  std::byte* data() const { return data_; }
  template <class T>
  T* as() const {
    return reinterpret_cast<T*>(data_);
  }
  std::size_t bytes() const { return bytes_; }
  Budget& budget() const { return *budget_; }

 private:
  Budget* budget_;
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace scrimp
