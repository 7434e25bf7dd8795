#include "bindings/methods.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

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
#include <utility>
#include <variant>
#include <vector>

namespace nb = nanobind;

namespace scrimp {

namespace {

struct Ignore {
  template <class... Arguments>
  void operator()(const Arguments&...) const {}
};

template <class Value>
concept Enumeration = std::is_enum_v<Value>;
template <class Value>
concept Number = std::is_arithmetic_v<Value> && !std::same_as<Value, bool>;
template <class Value>
concept Structure = requires(Value& value) { Value::options(value, Ignore{}); };

[[noreturn]] void refuse(const std::string& option, const std::string& problem) {
  throw std::invalid_argument(option + " " + problem);
}

template <class Names>
std::string list(const Names& names) {
  std::string text;
  for (const std::string_view name : names) text += " '" + std::string(name) + "'";
  return text;
}

// Reading: a function for each kind of option. It is given the option's name for its messages.

void read(const std::string& option, nb::handle from, bool& value) {
  if (!nb::isinstance<nb::bool_>(from)) refuse(option, "must be True or False");
  value = nb::cast<bool>(from);
}

template <Number Value>
void read(const std::string& option, nb::handle from, Value& value, Between between = {}) {
  if (!nb::try_cast<Value>(from, value)) refuse(option, "must be a number");
  if (std::integral<Value> && (static_cast<std::uint64_t>(value) < between.least || value > between.most))
    refuse(option, "must be from " + std::to_string(between.least) + " to " + std::to_string(between.most));
}

template <Enumeration Value>
void read(const std::string& option, nb::handle from, Value& value) {
  const auto known = words(value);
  std::string word;
  const auto* const found = nb::try_cast(from, word) ? std::find(known.begin(), known.end(), word) : known.end();
  if (found == known.end()) refuse(option, "must be one of" + list(known));
  value = static_cast<Value>(found - known.begin());
}

template <Structure Value>
void read(const std::string& option, nb::handle from, Value& value);

template <class... Strategies>
void read(const std::string& role, nb::handle from, std::variant<Strategies...>& value);

template <class Value>
void read(const std::string& option, nb::handle from, std::vector<Value>& values) {
  if (!nb::isinstance<nb::sequence>(from)) refuse(option, "must be a list");
  values.clear();
  for (const nb::handle each : from) read(option, each, values.emplace_back());
}

template <class Value, class... Limits>
void read(const std::string& option, nb::handle from, std::optional<Value>& value, const Limits&... limits) {
  value.reset();
  if (!from.is_none()) read(option, from, value.emplace(), limits...);
}

/// A record; its `name`, if it has one, has been read.
template <Structure Value>
void read(const std::string& option, nb::handle from, Value& value) {
  if (!nb::isinstance<nb::dict>(from)) refuse(option, "must be a record");
  const auto record = nb::cast<nb::dict>(from);
  std::set<std::string> known{"name"};
  Value::options(value, [&](const char* name, auto& member, const auto&... limits) {
    known.insert(name);
    if (record.contains(name)) read(name, record[name], member, limits...);
  });
  for (const auto& [key, _] : record)
    if (const auto name = nb::cast<std::string>(key); !known.contains(name)) refuse(option, "has no '" + name + "'");
}

template <class... Strategies>
void read(const std::string& role, nb::handle from, std::variant<Strategies...>& value) {
  const auto record = nb::cast<nb::dict>(from);
  const auto wanted = nb::cast<std::string>(record["name"]);
  const auto read_as = [&]<class Strategy>(std::type_identity<Strategy>) {
    if (Strategy::name != wanted) return false;
    read(wanted, from, value.template emplace<Strategy>());
    return true;
  };
  if (!(read_as(std::type_identity<Strategies>{}) || ...))
    refuse(role, "must be one of" + list(std::vector{Strategies::name...}));
}

// Printing: the same kinds of options the other way round, for the list of strategies.

template <class Value>
inline constexpr bool is_optional = false;
template <class Value>
inline constexpr bool is_optional<std::optional<Value>> = true;

template <class Value>
nb::object printed(const Value& value) {
  if constexpr (std::is_arithmetic_v<Value>) {
    return nb::cast(value);
  } else if constexpr (Enumeration<Value>) {
    return nb::cast(std::string(words(value)[static_cast<std::size_t>(value)]));
  } else if constexpr (is_optional<Value>) {
    return value ? printed(*value) : nb::none();
  } else if constexpr (Structure<const Value>) {
    nb::dict record;
    Value::options(value,
                   [&](const char* name, const auto& member, const auto&...) { record[name] = printed(member); });
    return record;
  } else {
    nb::list all;
    for (const auto& each : value) all.append(printed(each));
    return all;
  }
}

template <class Value>
void describe(nb::dict& option, const Value& value, const Between& between = {}) {
  if constexpr (is_optional<Value>) {
    describe(option, typename Value::value_type{}, between);
  } else if constexpr (Enumeration<Value>) {
    nb::list choices;
    for (const std::string_view word : words(value)) choices.append(std::string(word));
    option["choices"] = choices;
  } else if constexpr (Number<Value>) {
    option["least"] = between.least;
    option["most"] = between.most;
  }
}

template <class Strategy>
nb::dict options_of(std::type_identity<Strategy>) {
  nb::dict options;
  const Strategy usual;
  Strategy::options(usual, [&](const char* name, const auto& member, const auto&... limits) {
    nb::dict option;
    option["default"] = printed(member);
    describe(option, member, limits...);
    options[name] = option;
  });
  return options;
}

template <class... Strategies>
nb::dict strategies_of(std::type_identity<std::variant<Strategies...>>) {
  nb::dict strategies;
  ((strategies[nb::str(Strategies::name.data())] = options_of(std::type_identity<Strategies>{})), ...);
  return strategies;
}

nb::dict strategies() {
  nb::dict roles;
  roles["order"] = strategies_of(std::type_identity<Order>{});
  roles["store"] = strategies_of(std::type_identity<Store>{});
  roles["reduction"] = strategies_of(std::type_identity<ReductionPart>{});
  return roles;
}

}  // namespace

Method method_of(const nb::dict& record) {
  Method method;
  read("method", record, method);
  if (const auto* const snapshots = std::get_if<strategy::Snapshots>(&method.store))
    if (snapshots->caches.caches.empty()) refuse("caches", "must be at least one");
  if (const auto* const pseudoroot = std::get_if<strategy::Pseudoroot>(&method.store))
    if (!std::has_single_bit(pseudoroot->bits)) refuse("bits", "must be 2, 4, 8 or 16");
  return method;
}

void bind_strategies(nb::module_& module) {
  module.def("strategies", strategies,
             "What there is: role -> name -> option -> its default, and its choices or limits where it has some.");
}

}  // namespace scrimp
