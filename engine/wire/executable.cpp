#include "wire/executable.h"

#include <sys/mman.h>

#include <cstring>
#include <new>
#include <stdexcept>

namespace scrimp {

Executable::Executable(const void* code, std::size_t bytes) : bytes_(bytes) {
  if (bytes == 0) throw std::out_of_range("the code is empty");
  void* const data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) throw std::bad_alloc();
  data_ = static_cast<std::byte*>(data);
  std::memcpy(data_, code, bytes);
  if (mprotect(data_, bytes, PROT_READ | PROT_EXEC) != 0) {
    munmap(data_, bytes);
    throw std::bad_alloc();
  }
  __builtin___clear_cache(reinterpret_cast<char*>(data_), reinterpret_cast<char*>(data_ + bytes));
}

Executable::~Executable() { munmap(data_, bytes_); }

void* Executable::address(std::uint64_t offset) const {
  if (offset >= bytes_) throw std::out_of_range("an entry lies outside the code");
  return data_ + offset;
}

}  // namespace scrimp
