// Generated code in memory that may be executed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace scrimp {

/// A copy of position-independent code; it is unmapped with the object. It is writable first, executable afterwards,
/// and never both.
class Executable {
 public:
  /// Throws std::bad_alloc if the system refuses.
  Executable(const void* code, std::size_t bytes);
  ~Executable();
  Executable(const Executable&) = delete;
  Executable& operator=(const Executable&) = delete;

  /// The function that starts `offset` bytes into the code. Throws std::out_of_range if that lies outside.
  template <class Function>
  Function* entry(std::uint64_t offset) const {
    return reinterpret_cast<Function*>(address(offset));
  }

 private:
  void* address(std::uint64_t offset) const;

  const std::size_t bytes_;
  std::byte* data_;
};

}  // namespace scrimp
