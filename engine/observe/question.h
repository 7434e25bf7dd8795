// The question that a search answers, and its limits.
#pragma once

#include <cstdint>

namespace scrimp {

struct Question {
  std::uint64_t violation_watches = 0;  // bit i: a state in which watch i is hit violates the property
  std::uint64_t goal_watches = 0;       // bit i: a state in which watch i is hit is to be reached
  bool deadlock_is_violation = true;
  bool fault_is_violation = true;  // and so is a failed assertion
  std::uint64_t stop_after = 1;    // end after this many violations; 0: never
  bool stop_at_goals = false;      // end as soon as every goal is reached
  std::uint64_t traces = 1;        // this many violations get a path; the first hit of a goal always does

  bool wants_paths() const { return traces != 0 || goal_watches != 0; }
};

struct Limits {
  std::uint64_t depth = 0;   // states at this distance (bfs) or path length (dfs) are not expanded; 0: no limit
  double seconds = 0;        // 0: no limit
  std::uint64_t states = 0;  // the search ends soon after it has so many; 0: no limit
};

}  // namespace scrimp
