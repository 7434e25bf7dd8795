#include "bindings/methods.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "method.h"
#include "wire/kinds.h"

namespace nb = nanobind;

namespace scrimp {

namespace {

// A case for each kind of option, for the list of strategies.

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

void bind_strategies(nb::module_& module) {
  module.def("strategies", strategies,
             "What there is: role -> name -> option -> its default, and its choices or limits where it has some.");
}

}  // namespace scrimp
