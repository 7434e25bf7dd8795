// A small system in readable form.
#pragma once

#include <sstream>
#include <string>

#include "tests/random/system.h"

namespace scrimp::testing {

inline std::string name(const System& system, FieldId id) {
  const Field& field = system.fields[id];
  std::ostringstream out;
  switch (field.kind) {
    case Field::Kind::location: out << "p" << int{field.number} << ".location"; break;
    case Field::Kind::variable:
      if (field.owner != no_process) out << "p" << int{field.owner} << ".";
      out << "v" << int{field.number};
      break;
    case Field::Kind::length: out << "len(c" << int{field.number} << ")"; break;
    case Field::Kind::message:
      out << "c" << int{field.number} << "[" << id - system.channels[field.number].messages[0] << "]";
      break;
  }
  return out.str();
}

inline std::string text(const System& system, const Comparison& comparison) {
  constexpr const char* operators[] = {" = ", " != ", " < "};
  return name(system, comparison.field) + operators[static_cast<int>(comparison.compare)] +
         std::to_string(comparison.value);
}

inline std::string text(const System& system, const std::vector<Comparison>& comparisons) {
  std::string all;
  for (const Comparison& each : comparisons) all += (all.empty() ? "" : " & ") + text(system, each);
  return all;
}

inline std::string text(const System& system, const Operation& operation) {
  constexpr const char* operators[] = {"", "!", "!(lossy) ", "!!", "?", "??"};
  std::ostringstream out;
  out << "c" << int{operation.channel} << operators[static_cast<int>(operation.kind)];
  if (operation.any && operation.kind == Operation::Kind::receive) {
    out << "any";
  } else {
    out << int{operation.value};
  }
  if (operation.into != no_field) out << " into " << name(system, operation.into);
  return out.str();
}

inline std::string text(const System& system, const Assignment& assignment) {
  std::string all = name(system, assignment.target) + " := ";
  if (assignment.source == no_field) return all + std::to_string(assignment.value);
  all += name(system, assignment.source);
  return assignment.value == 0 ? all : all + " + " + std::to_string(assignment.value);
}

inline std::string text(const System& system, const Transition& transition) {
  std::ostringstream out;
  for (const Move& move : transition.moves)
    out << "p" << int{move.process} << ": " << int{move.source} << " -> " << int{move.target} << "  ";
  if (transition.is_timeout) out << "timeout ";
  if (!transition.guard.empty()) out << "[" << text(system, transition.guard) << "] ";
  if (transition.operation.kind != Operation::Kind::none) out << text(system, transition.operation) << "; ";
  for (const Assignment& each : transition.assignments) out << text(system, each) << "; ";
  if (!transition.assertion.empty())
    out << (transition.is_fatal ? "assert fatally " : "assert ") << text(system, transition.assertion) << "; ";
  if (transition.holder != no_process) out << "then p" << int{transition.holder} << " alone";
  return out.str();
}

inline std::string text(const System& system) {
  std::ostringstream out;
  out << system.words << (system.words == 1 ? " word; bits:" : " words; bits:");
  for (FieldId i = 0; i < system.fields.size(); ++i) out << " " << name(system, i) << " " << int{system.fields[i].bits};
  out << "\n";
  for (EventId i = 0; i < system.events(); ++i)
    out << "  t" << i << "  " << text(system, system.transitions[i]) << "\n";
  for (const auto& watch : system.watches) out << "  watch " << text(system, watch) << "\n";
  return out.str();
}

}  // namespace scrimp::testing
