// Reads the events of a depth-first path off the path itself, by expanding its states once more.
#pragma once

#include <vector>

#include "observe/finding.h"
#include "search/expander.h"
#include "search/path.h"

namespace scrimp {

class PathWitness final : public Witness {
 public:
  PathWitness(const Expander& expander, const Path& path) : expander_(expander), path_(path) {}

  /// `state` is the last one of the path.
  void record(Finding finding, const Word* state) override;

  std::vector<Finding> findings;

 private:
  std::vector<EventId> events() const;

  const Expander& expander_;
  const Path& path_;
};

}  // namespace scrimp
