// Python's values as those of engine/wire/value.h.
#pragma once

#include <nanobind/nanobind.h>

#include "wire/value.h"

namespace scrimp {

/// Texts and bytes stay in Python's objects, which must outlive the value. Throws std::invalid_argument for an object
/// of another kind.
Value value_of(nanobind::handle object);

}  // namespace scrimp
