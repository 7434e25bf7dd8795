// Methods as Python hands them over: records such as {"order": {"name": "bfs"}, "store": {"name": "cache", "states":
// 9}, "reduction": [{"name": "sleep", "mode": "exact"}]}. An option that is missing has its default.
#pragma once

#include <nanobind/nanobind.h>

#include "method.h"

namespace scrimp {

/// Throws std::invalid_argument if there is no such strategy, option or value.
Method method_of(const nanobind::dict& record);

void bind_strategies(nanobind::module_& module);

}  // namespace scrimp
