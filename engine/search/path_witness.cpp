#include "search/path_witness.h"

#include <utility>

namespace scrimp {

void PathWitness::record(Finding finding, const Word*) {
  std::vector<EventId> path = events();
  path.insert(path.end(), finding.events.begin(), finding.events.end());
  finding.events = std::move(path);
  findings.push_back(std::move(finding));
}

std::vector<EventId> PathWitness::events() const {
  const Machine& machine = expander_.machine();
  std::vector<Word> successors(std::size_t{machine.max_successors} * machine.words);
  std::vector<EventId> events(machine.max_successors);
  std::vector<EventId> path;
  path.reserve(path_.size());
  for (std::uint64_t depth = 0; depth + 1 < path_.size(); ++depth) {
    const Expansion expansion = expander_.expand(path_.state(depth), successors.data(), events.data());
    const Path::Ordinal taken = path_.ordinal(depth) == Path::all_taken ? expansion.count : path_.ordinal(depth);
    path.push_back(events[taken - 1]);
  }
  return path;
}

}  // namespace scrimp
