#include "bindings/values.h"

#include <cstdint>
#include <stdexcept>
#include <utility>

namespace nb = nanobind;

namespace scrimp {

namespace {

Value number_of(nb::handle object) {
  if (std::uint64_t whole; nb::try_cast(object, whole, false)) return Value::Content(whole);
  if (std::int64_t negative; nb::try_cast(object, negative, false)) return Value::Content(negative);
  if (double real; nb::try_cast(object, real, false)) return Value::Content(real);
  throw std::invalid_argument("expected a number, a text, bytes, a list or a record");
}

Value record_of(const nb::dict& dict) {
  Value::Record record;
  for (const auto& [key, value] : dict) record.emplace_back(nb::borrow<nb::str>(key).c_str(), value_of(value));
  return Value::Content(std::move(record));
}

Value list_of(nb::handle sequence) {
  Value::List list;
  for (const nb::handle each : sequence) list.push_back(value_of(each));
  return Value::Content(std::move(list));
}

}  // namespace

Value value_of(nb::handle object) {
  if (object.is_none()) return {};
  if (nb::isinstance<nb::bool_>(object)) return Value::Content(nb::cast<bool>(object));
  if (nb::isinstance<nb::str>(object)) return Value::Content(Value::Text{nb::borrow<nb::str>(object).c_str()});
  if (nb::isinstance<nb::bytes>(object)) {
    const auto bytes = nb::borrow<nb::bytes>(object);
    return Value::Content(Value::Bytes{{bytes.c_str(), bytes.size()}});
  }
  if (nb::isinstance<nb::dict>(object)) return record_of(nb::borrow<nb::dict>(object));
  if (nb::isinstance<nb::list>(object) || nb::isinstance<nb::tuple>(object)) return list_of(object);
  return number_of(object);
}

}  // namespace scrimp
