#include "wire/value.h"

#include <bit>
#include <cstring>

namespace scrimp {

namespace {

constexpr std::size_t word_bytes = sizeof(std::uint64_t);
// Deeper values would only come from damaged bytes.
constexpr int most_nesting = 32;

class ValueReader {
 public:
  explicit ValueReader(std::string_view bytes) : rest_(bytes) {}

  Value value(int nesting = 0) {
    if (nesting > most_nesting) fail();
    const std::uint64_t head = word();
    const std::uint64_t length = head >> 8;
    switch (static_cast<WireKind>(head & 0xff)) {
      case WireKind::none: return {};
      case WireKind::yes: return Value::Content(true);
      case WireKind::no: return Value::Content(false);
      case WireKind::whole: return Value::Content(word());
      case WireKind::negative: return Value::Content(std::bit_cast<std::int64_t>(word()));
      case WireKind::real: return Value::Content(std::bit_cast<double>(word()));
      case WireKind::text: return Value::Content(Value::Text{piece(length)});
      case WireKind::bytes: return Value::Content(Value::Bytes{piece(length)});
      case WireKind::list: return list(length, nesting);
      case WireKind::record: return record(length, nesting);
    }
    fail();
  }

  void require_end() const {
    if (!rest_.empty()) fail();
  }

 private:
  [[noreturn]] static void fail() { throw std::invalid_argument("these bytes are no value"); }

  std::uint64_t word() {
    std::uint64_t word;
    std::memcpy(&word, piece(word_bytes).data(), word_bytes);
    return word;
  }

  std::string_view piece(std::uint64_t length) {
    if (length > rest_.size()) fail();
    const std::string_view piece = rest_.substr(0, length);
    const std::uint64_t padded = (length + word_bytes - 1) / word_bytes * word_bytes;
    if (padded > rest_.size()) fail();
    rest_.remove_prefix(padded);
    return piece;
  }

  Value list(std::uint64_t length, int nesting) {
    Value::List items;
    for (std::uint64_t i = 0; i < length; ++i) items.push_back(value(nesting + 1));
    return Value::Content(std::move(items));
  }

  Value record(std::uint64_t length, int nesting) {
    Value::Record entries;
    for (std::uint64_t i = 0; i < length; ++i) {
      const std::string_view name = value(nesting + 1).text();
      entries.emplace_back(name, value(nesting + 1));
    }
    return Value::Content(std::move(entries));
  }

  std::string_view rest_;
};

}  // namespace

double Value::real() const {
  if (const auto* const natural = std::get_if<std::uint64_t>(&content_)) return static_cast<double>(*natural);
  if (const auto* const negative = std::get_if<std::int64_t>(&content_)) return static_cast<double>(*negative);
  return as<double>("a number");
}

const Value* Value::find(std::string_view name) const {
  for (const auto& [key, value] : record())
    if (key == name) return &value;
  return nullptr;
}

const Value& Value::operator[](std::string_view name) const {
  if (const Value* const value = find(name)) return *value;
  throw std::invalid_argument("there is no '" + std::string(name) + "'");
}

Value read_value(std::string_view bytes) {
  ValueReader reader(bytes);
  Value value = reader.value();
  reader.require_end();
  return value;
}

}  // namespace scrimp
