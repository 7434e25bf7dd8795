// The strategies that there are, for Python.
#pragma once

#include <nanobind/nanobind.h>

namespace scrimp {

void bind_strategies(nanobind::module_& module);

}  // namespace scrimp
