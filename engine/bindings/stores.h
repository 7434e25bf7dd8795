// What Python says of a store, as dictionaries with the fields of the engine's structs.
#pragma once

#include <nanobind/nanobind.h>

#include "store/comback/options.h"
#include "store/inexact.h"
#include "store/pseudoroot/options.h"
#include "store/replacement.h"
#include "store/snapshots/options.h"

namespace scrimp {

/// The parts are pairs of a policy and a percentage.
Replacement replacement_of(const nanobind::dict& cache);

/// The parts are pairs of what is kept and a percentage.
ComBack comback_of(const nanobind::dict& comback);

/// The caches are tuples of period, growth, what leaves them and how many snapshots they have room for.
Snapshots snapshots_of(const nanobind::dict& snapshots);

PseudoRoot pseudoroot_of(const nanobind::dict& pseudoroot);
Compaction compaction_of(const nanobind::dict& compaction);
Bitstate bitstate_of(const nanobind::dict& bitstate);

}  // namespace scrimp
