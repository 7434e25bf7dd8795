// Files that are complete or absent, whatever happens to the process or to the machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/memory.h"

namespace scrimp {

/// Makes the names in a folder permanent. Returns false if the system reports an error.
bool sync_folder(const std::string& folder);

/// Writes a file under a temporary name. `keep` makes it permanent: write, fsync, rename, fsync of the folder. A file
/// that is not kept is removed; one that a killed process leaves behind is overwritten by the next of that name.
class DurableFile {
 public:
  /// `buffer` may be used by others when this object is gone.
  DurableFile(const std::string& folder, const std::string& name, Region& buffer);
  ~DurableFile();
  DurableFile(const DurableFile&) = delete;
  DurableFile& operator=(const DurableFile&) = delete;

  void write(const void* bytes, std::size_t count);
  /// Whether the file has its name now, and all of its content. Otherwise `complaint` says why not.
  [[nodiscard]] bool keep();

  const std::string& complaint() const { return complaint_; }
  std::uint64_t size() const { return size_; }

 private:
  bool good() const { return complaint_.empty(); }
  void flush();
  void fail(const char* what);

  const std::string folder_;
  const std::string target_;
  const std::string temporary_;
  Region& buffer_;
  int file_;
  std::size_t buffered_ = 0;
  std::uint64_t size_ = 0;
  bool is_kept_ = false;
  std::string complaint_;
};

}  // namespace scrimp
