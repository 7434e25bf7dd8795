// The kinds of options that strategies declare; see core/options.h.
#pragma once

#include <concepts>
#include <type_traits>

namespace scrimp {

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

}  // namespace scrimp
