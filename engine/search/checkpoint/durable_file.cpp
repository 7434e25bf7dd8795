#include "search/checkpoint/durable_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace scrimp {

bool sync_folder(const std::string& folder) {
  const int handle = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (handle < 0) return false;
  const bool is_synced = fsync(handle) == 0;
  close(handle);
  return is_synced;
}

BufferedFile::BufferedFile(int file, std::string name, Region& buffer)
    : name_(std::move(name)), buffer_(buffer), file_(file) {
  if (file_ < 0) fail("create");
}

BufferedFile::~BufferedFile() {
  if (file_ >= 0) close(file_);
}

void BufferedFile::write(const void* bytes, std::size_t count) {
  const char* from = static_cast<const char*>(bytes);
  size_ += count;
  while (count != 0 && good()) {
    if (buffered_ == buffer_.bytes() && !flush()) return;
    const std::size_t piece = std::min(count, buffer_.bytes() - buffered_);
    std::memcpy(buffer_.data() + buffered_, from, piece);
    buffered_ += piece;
    from += piece;
    count -= piece;
  }
}

bool BufferedFile::flush() {
  std::size_t done = 0;
  while (done != buffered_ && good()) {
    const ssize_t written = ::write(file_, buffer_.data() + done, buffered_ - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail("write");
    done += static_cast<std::size_t>(std::max<ssize_t>(written, 0));
  }
  buffered_ = 0;
  return good();
}

void BufferedFile::fail(const char* what) {
  complaint_ = std::string("cannot ") + what + " " + name_ + ": " + std::strerror(errno);
}

DurableFile::DurableFile(const std::string& folder, const std::string& name, Region& buffer)
    : DurableFile(folder, folder + "/" + name, folder + "/" + name + ".new", buffer) {}

DurableFile::DurableFile(const std::string& folder, const std::string& target, const std::string& temporary,
                         Region& buffer)
    : BufferedFile(open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), temporary, buffer),
      folder_(folder),
      target_(target),
      temporary_(temporary) {}

DurableFile::~DurableFile() {
  if (!is_kept_) unlink(temporary_.c_str());
}

bool DurableFile::keep() {
  if (flush() && fsync(file()) != 0) fail("write");
  if (good() && rename(temporary_.c_str(), target_.c_str()) != 0) fail("rename");
  is_kept_ = good();
  if (good() && !sync_folder(folder_)) fail("write");
  return good();
}

}  // namespace scrimp
