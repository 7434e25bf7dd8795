// Values that travel between Python and the engine as bytes: requests one way, outcomes the other.
//
// Everything is made of words of eight bytes, least significant byte first, so that the arrays inside are aligned. The
// first word of a value has its kind in the lowest byte and its length in the others; then follows its content:
//
//   none, yes, no          nothing
//   whole, negative, real  one word
//   text, bytes            as many bytes as the length says, and zeros up to the next word
//   list                   as many values
//   record                 as many pairs of a text and a value
//
// src/scrimp/wire.py is the other side.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace scrimp {

enum class WireKind : std::uint8_t { none, yes, no, whole, negative, real, text, bytes, list, record };

/// A value that was read. Texts and bytes stay where they were read from and are not copied.
class Value {
 public:
  struct Text {
    std::string_view characters;
  };
  struct Bytes {
    std::string_view content;
  };
  using List = std::vector<Value>;
  using Record = std::vector<std::pair<std::string_view, Value>>;
  using Content = std::variant<std::monostate, bool, std::uint64_t, std::int64_t, double, Text, Bytes, List, Record>;

  Value() = default;
  Value(Content content) : content_(std::move(content)) {}

  bool is_none() const { return std::holds_alternative<std::monostate>(content_); }
  template <class Kind>
  bool is() const {
    return std::holds_alternative<Kind>(content_);
  }

  // Each throws std::invalid_argument if the value is of another kind.
  bool truth() const { return as<bool>("True or False"); }
  std::string_view text() const { return as<Text>("a text").characters; }
  std::string_view bytes() const { return as<Bytes>("bytes").content; }
  const List& list() const { return as<List>("a list"); }
  const Record& record() const { return as<Record>("a record"); }
  double real() const;

  /// A whole number that is one of `Number`'s.
  template <std::integral Number>
  Number whole() const {
    if (const auto* const natural = std::get_if<std::uint64_t>(&content_); natural && std::in_range<Number>(*natural))
      return static_cast<Number>(*natural);
    if (const auto* const negative = std::get_if<std::int64_t>(&content_); negative && std::in_range<Number>(*negative))
      return static_cast<Number>(*negative);
    throw std::invalid_argument("expected a whole number up to " + std::to_string(std::numeric_limits<Number>::max()));
  }

  /// Null if a record has no such entry.
  const Value* find(std::string_view name) const;
  /// Throws std::invalid_argument if a record has no such entry.
  const Value& operator[](std::string_view name) const;

 private:
  template <class Kind>
  const Kind& as(const char* expected) const {
    if (const Kind* const content = std::get_if<Kind>(&content_)) return *content;
    throw std::invalid_argument(std::string("expected ") + expected);
  }

  Content content_;
};

/// The value that these bytes, aligned to words, are. Throws std::invalid_argument if they are none.
Value read_value(std::string_view bytes);

/// An array of `Item`s, from its bytes.
template <class Item>
std::vector<Item> items_of(const Value& value) {
  const std::string_view bytes = value.bytes();
  if (bytes.size() % sizeof(Item) != 0)
    throw std::invalid_argument("each number has " + std::to_string(sizeof(Item)) + " bytes");
  std::vector<Item> items(bytes.size() / sizeof(Item));
  if (!items.empty()) std::memcpy(items.data(), bytes.data(), bytes.size());
  return items;
}

}  // namespace scrimp
