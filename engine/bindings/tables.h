// The relations between a machine's events, for Python.
#pragma once

#include <nanobind/nanobind.h>

namespace scrimp {

void bind_relations(nanobind::module_& module);

}  // namespace scrimp
