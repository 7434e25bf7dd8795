// What a policy is: the states of a cache, or of one part of it, that may be forgotten, and which of them is next.
#pragma once

#include <cstdint>
#include <memory>

#include "core/budget.h"
#include "store/column.h"
#include "store/replacement.h"

namespace scrimp {

/// What policies know of each state. Columns that none of them needs stay empty.
struct Traits {
  explicit Traits(Budget& budget) : visits(budget), kind(budget), subtree(budget) {}

  static constexpr std::uint8_t most_visits = 255;  // no more are counted

  Column<std::uint8_t> visits;    // how often the state was entered or met since it is stored
  Column<std::uint8_t> kind;      // the smallest type of event that led to it
  Column<std::uint32_t> subtree;  // states entered while it was on the path
};

/// States on the path are never among the candidates. Traits are up to date when they are added.
class Candidates {
 public:
  virtual ~Candidates() = default;

  virtual void add(Slot slot) = 0;
  virtual void remove(Slot slot) = 0;
  /// One of them was met again; its traits have changed, from so many visits where they are counted.
  virtual void met(Slot, std::uint8_t /*visits_before*/) {}
  /// Which is to be forgotten first; there is one.
  virtual Slot choose() = 0;

  /// Slots up to this number may be added. Returns false, with nothing changed, where the budget refuses.
  [[nodiscard]] virtual bool resize(std::uint64_t slots) = 0;
  virtual std::size_t row_bytes() const = 0;
  virtual std::uint64_t bytes() const = 0;
};

std::unique_ptr<Candidates> make_candidates(Policy policy, const strategy::Cache& cache, const Traits& traits,
                                            Budget& budget);

}  // namespace scrimp
