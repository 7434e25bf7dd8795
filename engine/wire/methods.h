// Methods as records: {"order": {"name": "bfs"}, "store": {"name": "full", "compress": "tree"}, "reduction": []}.
#pragma once

#include "method.h"
#include "wire/value.h"

namespace scrimp {

/// An omitted option has its default. Throws std::invalid_argument if a strategy or an option does not exist, or its
/// value is none that it can have.
Method method_of(const Value& record);

}  // namespace scrimp
