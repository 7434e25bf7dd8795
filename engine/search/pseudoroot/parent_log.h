// From which state each state was met, in a file without a name: what traces are found in where states are met in any
// order and forgotten again.
//
// States are numbered in the order in which they are met, the initial one 0. For each the file has a word: the number
// of the state it was met from, and its place among the successors of that state, those left out that are no states.
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

  /// False once something cannot be written or read.
  bool good() const { return log_.good() && is_readable_; }

  /// The next state was met.
  void add(std::uint64_t parent, std::uint32_t place);

  /// The places by which a state is reached from the initial one, the last first. Throws std::bad_alloc where there is
  /// no room for them.
  void read(std::uint64_t number, RegionVector<std::uint32_t>& places);

  std::uint64_t bytes() const { return log_.bytes(); }

 private:
  static constexpr unsigned place_bits = 24;

  LevelLog log_;
  bool is_readable_ = true;
};

/// Finds the events that lead to a state by its number; what it records is counted by the budget.
class ParentWitness final : public Witness {
 public:
  ParentWitness(Budget& budget, Expander& expander, ParentLog& log) : budget_(budget), expander_(expander), log_(log) {}
  ~ParentWitness() override { budget_.give_back(taken_bytes_); }
  ParentWitness(const ParentWitness&) = delete;
  ParentWitness& operator=(const ParentWitness&) = delete;

  /// The number of the state that the observer is shown from now on.
  void at(std::uint64_t number) { number_ = number; }

  /// Appends the events that lead there. Returns false where the file is damaged.
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
