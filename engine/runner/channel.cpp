#include "runner/channel.h"

#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <utility>

namespace scrimp {

namespace {

bool read_all(int descriptor, void* data, std::size_t bytes) {
  auto* next = static_cast<std::byte*>(data);
  while (bytes != 0) {
    const ssize_t count = ::read(descriptor, next, bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    next += count;
    bytes -= static_cast<std::size_t>(count);
  }
  return true;
}

}  // namespace

Message::Message(std::vector<std::uint64_t> words)
    : words_(std::move(words)),
      value_(read_value({reinterpret_cast<const char*>(words_.data()), words_.size() * sizeof(std::uint64_t)})) {}

std::optional<Message> receive(int descriptor) {
  std::uint64_t bytes = 0;
  if (!read_all(descriptor, &bytes, sizeof bytes)) return std::nullopt;
  if (bytes % sizeof(std::uint64_t) != 0) throw std::invalid_argument("a message consists of words");
  std::vector<std::uint64_t> words(bytes / sizeof(std::uint64_t));
  if (!read_all(descriptor, words.data(), bytes)) return std::nullopt;
  return Message(std::move(words));
}

void ValueWriter::whole(std::uint64_t number) {
  head(WireKind::whole);
  word(number);
}

void ValueWriter::negative(std::int64_t number) {
  head(WireKind::negative);
  word(std::bit_cast<std::uint64_t>(number));
}

void ValueWriter::real(double number) {
  head(WireKind::real);
  word(std::bit_cast<std::uint64_t>(number));
}

void ValueWriter::padded(WireKind kind, const void* data, std::size_t bytes) {
  constexpr std::uint64_t zeros = 0;
  head(kind, bytes);
  append(data, bytes);
  append(&zeros, -bytes % sizeof zeros);
}

void ValueWriter::append(const void* data, std::size_t bytes) {
  if (bytes > buffer_bytes - used_) flush();
  if (bytes > buffer_bytes) return write_all(static_cast<const std::byte*>(data), bytes);
  if (bytes != 0) std::memcpy(buffer_ + used_, data, bytes);
  used_ += bytes;
}

void ValueWriter::flush() { write_all(buffer_, std::exchange(used_, 0)); }

void ValueWriter::write_all(const std::byte* data, std::size_t bytes) {
  while (bytes != 0 && !failed_) {
    const ssize_t count = ::write(descriptor_, data, bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      failed_ = true;
      return;
    }
    data += count;
    bytes -= static_cast<std::size_t>(count);
  }
}

}  // namespace scrimp
