#include "wire/methods.h"

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstdint>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "wire/kinds.h"

namespace scrimp {

namespace {

[[noreturn]] void refuse(const std::string& option, const std::string& problem) {
  throw std::invalid_argument(option + " " + problem);
}

template <class Names>
std::string list(const Names& names) {
  std::string text;
  for (const std::string_view name : names) text += " '" + std::string(name) + "'";
  return text;
}

// A function for each kind of option. It is given the option's name for its messages.

void read(const std::string& option, const Value& from, bool& value) {
  if (!from.is<bool>()) refuse(option, "must be True or False");
  value = from.truth();
}

template <Number Type>
Type number_of(const Value& from) {
  if constexpr (std::integral<Type>) {
    return from.whole<Type>();
  } else {
    return static_cast<Type>(from.real());
  }
}

template <Number Type>
void read(const std::string& option, const Value& from, Type& value, Between between = {}) {
  try {
    value = number_of<Type>(from);
  } catch (const std::invalid_argument&) {
    refuse(option, "must be a number");
  }
  if constexpr (std::integral<Type>)
    if (value < between.least || value > between.most)
      refuse(option, "must be from " + std::to_string(between.least) + " to " + std::to_string(between.most));
}

template <Enumeration Type>
void read(const std::string& option, const Value& from, Type& value) {
  const auto known = words(value);
  const auto* const found = from.is<Value::Text>() ? std::find(known.begin(), known.end(), from.text()) : known.end();
  if (found == known.end()) refuse(option, "must be one of" + list(known));
  value = static_cast<Type>(found - known.begin());
}

template <Structure Type>
void read(const std::string& option, const Value& from, Type& value);

template <class... Strategies>
void read(const std::string& role, const Value& from, std::variant<Strategies...>& value);

template <class Type>
void read(const std::string& option, const Value& from, std::vector<Type>& values) {
  if (!from.is<Value::List>()) refuse(option, "must be a list");
  values.clear();
  for (const Value& each : from.list()) read(option, each, values.emplace_back());
}

template <class Type, class... Limits>
void read(const std::string& option, const Value& from, std::optional<Type>& value, const Limits&... limits) {
  value.reset();
  if (!from.is_none()) read(option, from, value.emplace(), limits...);
}

/// A record; its `name`, if it has one, has been read.
template <Structure Type>
void read(const std::string& option, const Value& from, Type& value) {
  if (!from.is<Value::Record>()) refuse(option, "must be a record");
  std::set<std::string_view> known{"name"};
  Type::options(value, [&](const char* name, auto& member, const auto&... limits) {
    known.insert(name);
    if (const Value* const found = from.find(name)) read(name, *found, member, limits...);
  });
  for (const auto& [name, _] : from.record())
    if (!known.contains(name)) refuse(option, "has no '" + std::string(name) + "'");
}

template <class... Strategies>
void read(const std::string& role, const Value& from, std::variant<Strategies...>& value) {
  const std::string wanted(from["name"].text());
  const auto read_as = [&]<class Strategy>(std::type_identity<Strategy>) {
    if (Strategy::name != wanted) return false;
    read(wanted, from, value.template emplace<Strategy>());
    return true;
  };
  if (!(read_as(std::type_identity<Strategies>{}) || ...))
    refuse(role, "must be one of" + list(std::vector{Strategies::name...}));
}

}  // namespace

Method method_of(const Value& record) {
  Method method;
  read("method", record, method);
  if (const auto* const snapshots = std::get_if<strategy::Snapshots>(&method.store))
    if (snapshots->caches.caches.empty()) refuse("caches", "must be at least one");
  if (const auto* const pseudoroot = std::get_if<strategy::Pseudoroot>(&method.store))
    if (!std::has_single_bit(pseudoroot->bits)) refuse("bits", "must be 2, 4, 8 or 16");
  return method;
}

}  // namespace scrimp
