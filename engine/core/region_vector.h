// An array that grows at its end, charged to a Budget.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

#include "core/memory.h"

namespace scrimp {

/// Throws std::bad_alloc, with nothing changed, if the budget is exhausted.
template <class Value>
class RegionVector {
  static_assert(std::is_trivially_copyable_v<Value>);

 public:
  explicit RegionVector(Budget& budget) : region_(budget) {}

  void push(const Value& value) {
    if ((size_ + 1) * sizeof(Value) > region_.bytes()) [[unlikely]]
      reserve(size_ + 1);
    data()[size_++] = value;
  }
  /// Changes the size. New values are unspecified.
  void resize(std::size_t size) {
    if (size * sizeof(Value) > region_.bytes()) [[unlikely]]
      reserve(size);
    size_ = size;
  }
  Value pop() { return data()[--size_]; }
  void clear() { size_ = 0; }
  /// Also frees the memory.
  void release() {
    region_.clear();
    size_ = 0;
  }

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  std::uint64_t bytes() const { return region_.bytes(); }
  Value* data() const { return region_.as<Value>(); }
  Value* begin() const { return data(); }
  Value* end() const { return data() + size_; }
  Value& operator[](std::size_t place) const { return data()[place]; }
  Value& back() const { return data()[size_ - 1]; }

 private:
  [[gnu::noinline]] void reserve(std::size_t size) {
    const std::size_t bytes = size * sizeof(Value);
    if (!region_.resize(bytes + bytes / 2) && !region_.resize(bytes)) throw std::bad_alloc();
  }

  Region region_;
  std::size_t size_ = 0;
};

}  // namespace scrimp
