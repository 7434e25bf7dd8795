// Tables that Python computes from a model, as structs of the engine.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <vector>

#include "store/byte_fields.h"

namespace scrimp {

/// The bytes of an array of numbers, four for each.
std::vector<std::uint32_t> numbers_of(const nanobind::bytes& bytes);

/// Word, shift, bits and bytes of every variable, four numbers.
ByteFields byte_fields_of(const nanobind::bytes& bytes);

void bind_relations(nanobind::module_& module);

}  // namespace scrimp
