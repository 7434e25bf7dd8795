// Tables that Python computes from a model, as structs of the engine. Each function throws std::invalid_argument if the
// numbers contradict each other.
#pragma once

#include "reduction/relations.h"
#include "search/checkpoint/options.h"
#include "search/liveness/automaton.h"
#include "search/liveness/monitor.h"
#include "store/byte_fields.h"
#include "wire/value.h"

namespace scrimp {

/// Numbers have four bytes each, `kind`, `safe` and `visible` one, the words of `dependence` eight; lists are a pair:
/// where each begins, and all their items.
Relations relations_of(const Value& record);

/// Word, shift, bits and bytes of every variable, four numbers.
ByteFields byte_fields_of(const Value& bytes);

/// The runs to look for: those that an automaton accepts and that are fair to some processes.
///
/// An edge is a list of its source, its target, its cubes and its marks; a cube is the atoms that must be true and
/// those that must be false. Atoms are the bits of the machine's watches; `unknown_letter` is the watch that is hit if
/// an atom cannot be evaluated. A state without events is repeated forever, unless `repeats_ends` is false.
///
/// Runs are fair to `processes` processes: strongly to those whose bit is in `strong`, weakly to the others. `movers`
/// are the processes that each event of the machine moves, as the bits of eight bytes; `varies` has a byte for each:
/// whether other processes may move on the way through transient states that it begins.
LivenessQuestion liveness_of(const Value& record);

/// The finite runs to look for: those after which a deterministic automaton is in its state `bad`.
///
/// Each letter has exactly one edge from each state; edges and `unknown_letter` are those of `liveness_of`, and there
/// are no marks. In the state `satisfied`, no run to look for can follow. The search then has two watches: 0 is hit in
/// `bad`, 1 if an atom cannot be evaluated. `stops_when_decided` says whether states in which the automaton cannot
/// leave its state are not expanded; with reductions they must be. `repeats_ends` says whether a state without events
/// is read repeatedly.
MonitorQuestion monitor_of(const Value& record);

/// Words of a state before and after, and the moves, as the bytes of their words.
Reencoding reencoding_of(const Value& list);

/// Such as {"folder": "run", "every": 600.0, "setup": b"...", "resume": 3, "reencoding": None}.
CheckpointOptions checkpoint_options_of(const Value& record);
HandoverOptions handover_options_of(const Value& record);

}  // namespace scrimp
