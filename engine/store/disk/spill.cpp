#include "store/disk/spill.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace scrimp {

std::string temporary_folder() {
  const char* folder = std::getenv("TMPDIR");
  return folder != nullptr && *folder != '\0' ? folder : "/tmp";
}

void DiskSpace::take(std::uint64_t bytes) {
  const std::uint64_t held = held_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  if (held > limit_) {
    give_back(bytes);
    fail();
  }
  std::uint64_t peak = peak_.load(std::memory_order_relaxed);
  while (held > peak && !peak_.compare_exchange_weak(peak, held, std::memory_order_relaxed)) {
  }
}

SpillFile::SpillFile(DiskSpace& space) : space_(&space) {
  std::string name = space.folder() + "/scrimp-states-XXXXXX";
  file_ = mkostemp(name.data(), O_CLOEXEC);
  if (file_ < 0) space.fail();
  unlink(name.c_str());
}

SpillFile::SpillFile(SpillFile&& other) noexcept
    : space_(other.space_), file_(std::exchange(other.file_, -1)), held_(other.held_.exchange(0)) {}

SpillFile::~SpillFile() {
  if (file_ >= 0) close(file_);
  space_->give_back(held_.load(std::memory_order_relaxed));
}

void SpillFile::write(std::uint64_t place, const void* data, std::size_t bytes) {
  space_->take(bytes);
  held_.fetch_add(bytes, std::memory_order_relaxed);
  const char* const from = static_cast<const char*>(data);
  for (std::size_t done = 0; done != bytes;) {
    const ssize_t written = pwrite(file_, from + done, bytes - done, static_cast<off_t>(place + done));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) space_->fail();
    done += static_cast<std::size_t>(written);
  }
  space_->written_.fetch_add(bytes, std::memory_order_relaxed);
}

void SpillFile::read(std::uint64_t place, void* data, std::size_t bytes) const {
  char* const to = static_cast<char*>(data);
  for (std::size_t done = 0; done != bytes;) {
    const ssize_t got = pread(file_, to + done, bytes - done, static_cast<off_t>(place + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) space_->fail();
    done += static_cast<std::size_t>(got);
  }
  space_->read_.fetch_add(bytes, std::memory_order_relaxed);
}

/// Some file systems cannot free parts of a file: then the room is free when the file is closed.
void SpillFile::release(std::uint64_t place, std::uint64_t bytes) {
#ifdef FALLOC_FL_PUNCH_HOLE
  if (bytes != 0)
    (void)!fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(place),
                     static_cast<off_t>(bytes));
#endif
  held_.fetch_sub(bytes, std::memory_order_relaxed);
  space_->give_back(bytes);
}

}  // namespace scrimp
