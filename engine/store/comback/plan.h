// The capacities of the ComBack method, in numbers of descriptors.
#pragma once

#include <cstdint>

#include "store/comback/options.h"

namespace scrimp {

/// The options with every capacity filled in, a share being one of the states seen so far. If no capacity is given, a
/// quarter of the budget is for full descriptors, split as EWK09 recommends in section 5.3: 60 % for the cache, 30 %
/// for candidates and 10 % for groups of the queue. If only the cache has one, candidates and groups get 30/60 and
/// 10/60 of it.
strategy::Comback planned(strategy::Comback options, std::uint64_t budget);

/// A capacity in states, at least one, if `seen` states were seen and a descriptor takes `descriptor_bytes`.
std::uint64_t in_states(const Capacity& capacity, std::uint64_t descriptor_bytes, std::uint64_t seen);

}  // namespace scrimp
