// What the ComBack method may hold, in numbers of descriptors.
#pragma once

#include <cstdint>

#include "store/comback/options.h"

namespace scrimp {

/// The options with every capacity given, shares among them of the states seen so far. Where none is given, a quarter
/// of the budget is for full descriptors, split as EWK09 recommends in section 5.3: 60 % for the cache, 30 % for
/// candidates and 10 % for groups of the queue. Where only the cache has one, candidates and groups have 30/60 and
/// 10/60 of it.
strategy::Comback planned(strategy::Comback options, std::uint64_t budget);

/// A capacity in states, one at least, when so many states were seen and a descriptor takes so many bytes.
std::uint64_t in_states(const Capacity& capacity, std::uint64_t descriptor_bytes, std::uint64_t seen);

}  // namespace scrimp
