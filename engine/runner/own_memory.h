// How much memory this process holds, as Linux counts it.
#pragma once

#include <cstdint>

namespace scrimp {

/// The pages that are resident now, rounded up: how many pages of its program file the system maps at once varies from
/// run to run by some hundred KiB, and equal searches should have equal budgets.
std::uint64_t held_bytes();

/// The most that ever were. Not `getrusage`: that counts the process that started this one as well.
std::uint64_t most_held_bytes();

}  // namespace scrimp
