// Files for what does not fit into memory, within a limit on the bytes that they take.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <utility>

namespace scrimp {

/// The disk takes no more, or does not give back what was written.
struct DiskFailure : std::exception {
  const char* what() const noexcept override { return "the disk has no room left, or cannot be read"; }
};

/// Counts the bytes of files against a limit. Any thread.
class DiskSpace {
 public:
  DiskSpace(std::string folder, std::uint64_t limit) : folder_(std::move(folder)), limit_(limit) {}
  DiskSpace(const DiskSpace&) = delete;
  DiskSpace& operator=(const DiskSpace&) = delete;

  const std::string& folder() const { return folder_; }
  std::uint64_t limit() const { return limit_; }
  std::uint64_t held() const { return held_.load(std::memory_order_relaxed); }
  std::uint64_t peak() const { return peak_.load(std::memory_order_relaxed); }
  std::uint64_t written() const { return written_.load(std::memory_order_relaxed); }
  std::uint64_t read() const { return read_.load(std::memory_order_relaxed); }
  /// Whether a search ended for want of it.
  bool has_failed() const { return has_failed_.load(std::memory_order_relaxed); }

 private:
  friend class SpillFile;

  void take(std::uint64_t bytes);
  void give_back(std::uint64_t bytes) { held_.fetch_sub(bytes, std::memory_order_relaxed); }
  [[noreturn]] void fail() {
    has_failed_.store(true, std::memory_order_relaxed);
    throw DiskFailure();
  }

  const std::string folder_;
  const std::uint64_t limit_;
  std::atomic<std::uint64_t> held_{0}, peak_{0}, written_{0}, read_{0};
  std::atomic<bool> has_failed_{false};
};

/// A file without a name: it disappears when it is closed, however the process ends. Places that were not written take
/// no room. Several threads may use different places.
class SpillFile {
 public:
  /// Throws DiskFailure if no file can be made.
  explicit SpillFile(DiskSpace& space);
  ~SpillFile();
  SpillFile(SpillFile&& other) noexcept;
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;

  /// Both throw DiskFailure. Nothing is written twice.
  void write(std::uint64_t place, const void* data, std::size_t bytes);
  void read(std::uint64_t place, void* data, std::size_t bytes) const;
  /// Frees so many bytes that were written from there on, which will not be read again.
  void release(std::uint64_t place, std::uint64_t bytes);

 private:
  DiskSpace* space_;
  int file_;
  std::atomic<std::uint64_t> held_{0};
};

/// $TMPDIR, or /tmp.
std::string temporary_folder();

}  // namespace scrimp
