// Checkpoints as Python sees them.
#pragma once

#include <nanobind/nanobind.h>

namespace scrimp {

void bind_checkpoints(nanobind::module_& module);

}  // namespace scrimp
