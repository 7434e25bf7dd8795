#include "search/path_witness.h"

#include <algorithm>
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
  path_.retrace([&](const Word* state, Path::Taken taken) {
    const Expansion expansion = expander_.expand(state, successors.data(), events.data());
    path.push_back(events[(taken == Path::all_taken ? expansion.count : taken) - 1]);
  });
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace scrimp
