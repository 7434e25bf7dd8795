// How much memory this process holds, as Linux counts it.
#pragma once

#include <cstdint>

namespace scrimp {

/// The pages that are resident now, rounded up: how many pages of its program file the system maps at once varies from
/// run to run by some hundred KiB, and equal searches should have equal budgets.
std::uint64_t held_bytes();

/// Gives back the pages of code that have been used. Those that are needed again are read from the file, which the
/// system has in memory: the others, of what has come to its end, do not count any more.
void forget_code();

/// The most that ever were. Not `getrusage`: that counts the process that started this one as well.
std::uint64_t most_held_bytes();

}  // namespace scrimp
