// The interface of a replacement policy: the states of a cache, or of one part of it, that may be evicted, and the
// choice among them.
#pragma once

#include <cstdint>
#include <memory>

#include "core/budget.h"
#include "store/column.h"
#include "store/replacement.h"

namespace scrimp {

/// Data that policies use about each state. Columns that no policy needs stay empty.
struct Traits {
  explicit Traits(Budget& budget) : visits(budget), kind(budget), subtree(budget) {}

  static constexpr std::uint8_t most_visits = 255;  // the count stops here

  Column<std::uint8_t> visits;    // number of visits since the state was stored
  Column<std::uint8_t> kind;      // the smallest type of an event that led to it
  Column<std::uint32_t> subtree;  // number of states entered while it was on the path
};

/// States on the path are never candidates. Traits are up to date when a state is added.
class Candidates {
 public:
  virtual ~Candidates() = default;

  virtual void add(Slot slot) = 0;
  virtual void remove(Slot slot) = 0;
  /// A candidate was met again; its traits have changed, from `visits_before` if visits are counted.
  virtual void met(Slot, std::uint8_t /*visits_before*/) {}
  /// The candidate to evict first; there must be one.
  virtual Slot choose() = 0;

  /// Allows slots below this number to be added. Returns false, with nothing changed, if the budget refuses.
  [[nodiscard]] virtual bool resize(std::uint64_t slots) = 0;
  virtual std::size_t row_bytes() const = 0;
  virtual std::uint64_t bytes() const = 0;
};

std::unique_ptr<Candidates> make_candidates(Policy policy, const strategy::Cache& cache, const Traits& traits,
                                            Budget& budget);

}  // namespace scrimp
