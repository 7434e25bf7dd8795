// Files that are complete or absent, whatever happens to the process or to the machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/memory.h"

namespace scrimp {

/// Makes the names in a folder permanent. Returns false if the system reports an error.
bool sync_folder(const std::string& folder);

/// Writes bytes to a file, one after the other.
class BufferedFile {
 public:
  /// Takes over an open file, or -1 if it could not be opened. `buffer` may be used by others when this object is gone.
  BufferedFile(int file, std::string name, Region& buffer);
  ~BufferedFile();
  BufferedFile(const BufferedFile&) = delete;
  BufferedFile& operator=(const BufferedFile&) = delete;

  void write(const void* bytes, std::size_t count);
  /// Hands everything to the system. Returns false if that failed, now or before; then `complaint` says why.
  [[nodiscard]] bool flush();

  const std::string& complaint() const { return complaint_; }
  std::uint64_t size() const { return size_; }

 protected:
  bool good() const { return complaint_.empty(); }
  int file() const { return file_; }
  void fail(const char* what);

 private:
  const std::string name_;
  Region& buffer_;
  int file_;
  std::size_t buffered_ = 0;
  std::uint64_t size_ = 0;
  std::string complaint_;
};

/// Writes a file under a temporary name. `keep` makes it permanent: write, fsync, rename, fsync of the folder. A file
/// that is not kept is removed; one that a killed process leaves behind is overwritten by the next of that name.
class DurableFile : public BufferedFile {
 public:
  DurableFile(const std::string& folder, const std::string& name, Region& buffer);
  ~DurableFile();

  /// Whether the file has its name now, and all of its content. Otherwise `complaint` says why not.
  [[nodiscard]] bool keep();

 private:
  DurableFile(const std::string& folder, const std::string& target, const std::string& temporary, Region& buffer);

  const std::string folder_;
  const std::string target_;
  const std::string temporary_;
  bool is_kept_ = false;
};

}  // namespace scrimp
