// The request of a search, as Python hands it over: what is searched, and how. Functions throw std::invalid_argument if
// something is missing, unknown or contradictory.
#pragma once

#include <memory>
#include <optional>

#include "reduction/relations.h"
#include "run.h"
#include "search/liveness/automaton.h"
#include "search/liveness/monitor.h"
#include "store/byte_fields.h"
#include "wire/compiled_machine.h"
#include "wire/value.h"

namespace scrimp {

/// What is searched. Options refer to it, so it stays where it is.
struct Subject {
  const Machine* machine = nullptr;
  std::unique_ptr<const CompiledMachine> owned;  // the machine's owner, unless that is somebody else
  Relations relations;                           // if there are none, all events are of one type
  bool has_relations = false;                    // between the machine's events
  std::optional<ByteFields> fields;
  std::optional<LivenessQuestion> liveness;
  std::optional<MonitorQuestion> monitor;
};

/// Everything is copied but the tables of a context, which stay in the bytes that the record was read from.
Subject subject_of(const Value& record);

/// The same for a machine that exists, with these tables; null and none if there are none.
Subject subject_with(const Machine& machine, const Relations* relations, const Value& fields, const Value& liveness,
                     const Value& monitor);

/// How it is searched; see `_engine.pyi` for the entries. What the subject has is set by `searching`.
Options options_of(const Value& record);

/// The options of a search of this subject; refuses a search that needs something that the subject does not have.
Options searching(const Subject& subject, Options options);

}  // namespace scrimp
