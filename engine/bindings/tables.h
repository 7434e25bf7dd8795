// Tables that Python computes of a model, as the engine's structs.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <vector>

namespace scrimp {

/// The bytes of an array of numbers, four each.
std::vector<std::uint32_t> numbers_of(const nanobind::bytes& bytes);

void bind_relations(nanobind::module_& module);
void bind_byte_fields(nanobind::module_& module);

}  // namespace scrimp
