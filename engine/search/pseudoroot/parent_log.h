// For each state, the state from which it was first reached, in an unnamed file: used to find traces when states are
// met in any order and forgotten again.
//
// States are numbered in the order in which they are met, from the initial state, 0. The file has one word per state:
// the number of the state from which it was reached, and its place among that state's successors, faults not counted.
#pragma once

#include <cstdint>
#include <vector>

#include "core/budget.h"
#include "core/machine.h"
#include "core/region_vector.h"
#include "observe/finding.h"
#include "search/breadth_first/level_log.h"
#include "search/expansion/expander.h"

namespace scrimp {

class ParentLog {
 public:
  explicit ParentLog(Budget& budget) : log_(budget, 1) {}

  /// False once writing or reading has failed.
  bool good() const { return log_.good() && is_readable_; }

  /// Adds the next state.
  void add(std::uint64_t parent, std::uint32_t place);

  /// The places that lead from the initial state to this one, in reverse order. Throws std::bad_alloc if there is no
  /// room for them.
  void read(std::uint64_t number, RegionVector<std::uint32_t>& places);

  std::uint64_t bytes() const { return log_.bytes(); }

 private:
  static constexpr unsigned place_bits = 24;

  LevelLog log_;
  bool is_readable_ = true;
};

/// Finds the events that lead to a state, given its number. Recorded findings are charged to the budget.
class ParentWitness final : public Witness {
 public:
  ParentWitness(Budget& budget, Expander& expander, ParentLog& log) : budget_(budget), expander_(expander), log_(log) {}
  ~ParentWitness() override { budget_.give_back(taken_bytes_); }
  ParentWitness(const ParentWitness&) = delete;
  ParentWitness& operator=(const ParentWitness&) = delete;

  /// Sets the number of the state that the observer is shown from now on.
  void at(std::uint64_t number) { number_ = number; }

  /// Appends the events that lead to that state. Returns false if the file could not be written or read.
  bool lead(std::vector<EventId>& events);

  bool record(Finding finding, const Word* state) override;

  /// Whether a path was wanted that cannot be found.
  bool has_lost_paths() const { return has_lost_paths_; }

  std::vector<Finding> findings;

 private:
  Budget& budget_;
  Expander& expander_;
  ParentLog& log_;
  std::uint64_t number_ = 0;
  bool has_lost_paths_ = false;
  std::uint64_t taken_bytes_ = 0;
};

}  // namespace scrimp
