// The two ends of the runner: messages come in on standard input, each with its length before it, and go out on
// standard output. All are values; see wire/value.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "wire/value.h"

namespace scrimp {

/// A message that was received, and the bytes that it is in.
class Message {
 public:
  explicit Message(std::vector<std::uint64_t> words);
  const Value& value() const { return value_; }

 private:
  std::vector<std::uint64_t> words_;  // moving a vector leaves its content where it is, so the value stays valid
  Value value_;
};

/// Waits for the next message. Nothing if the other side has closed the channel or ended.
std::optional<Message> receive(int descriptor);

/// Writes values to a descriptor through a small buffer, so that a message may be larger than the memory that is left.
/// If the other side no longer reads, everything else is discarded.
class ValueWriter {
 public:
  explicit ValueWriter(int descriptor) : descriptor_(descriptor) {}
  ~ValueWriter() { flush(); }
  ValueWriter(const ValueWriter&) = delete;
  ValueWriter& operator=(const ValueWriter&) = delete;

  void none() { head(WireKind::none); }
  void truth(bool value) { head(value ? WireKind::yes : WireKind::no); }
  void whole(std::uint64_t number);
  void negative(std::int64_t number);
  void real(double number);
  void text(std::string_view characters) { padded(WireKind::text, characters.data(), characters.size()); }
  void list(std::size_t items) { head(WireKind::list, items); }
  void record(std::size_t entries) { head(WireKind::record, entries); }
  /// An array as bytes.
  template <class Item>
  void items(const Item* first, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<Item>);
    padded(WireKind::bytes, first, count * sizeof(Item));
  }
  template <class Item>
  void items(const std::vector<Item>& all) {
    items(all.data(), all.size());
  }

  void flush();
  bool failed() const { return failed_; }

 private:
  static constexpr std::size_t buffer_bytes = std::size_t{16} << 10;

  void head(WireKind kind, std::uint64_t length = 0) { word(length << 8 | static_cast<std::uint8_t>(kind)); }
  void word(std::uint64_t word) { append(&word, sizeof word); }
  void padded(WireKind kind, const void* data, std::size_t bytes);
  void append(const void* data, std::size_t bytes);
  void write_all(const std::byte* data, std::size_t bytes);

  const int descriptor_;
  bool failed_ = false;
  std::size_t used_ = 0;
  std::byte buffer_[buffer_bytes];
};

/// Messages to the other side. Several threads may send; each message is whole.
class Outbox {
 public:
  explicit Outbox(int descriptor) : descriptor_(descriptor) {}

  /// `write` writes one value to a ValueWriter. Returns false if the other side no longer reads.
  template <class Write>
  bool send(Write write) {
    const std::lock_guard lock(mutex_);
    ValueWriter writer(descriptor_);
    write(writer);
    writer.flush();
    return !writer.failed();
  }

 private:
  const int descriptor_;
  std::mutex mutex_;
};

}  // namespace scrimp
