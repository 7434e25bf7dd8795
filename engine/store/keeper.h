// Tracks which states of a cache are on the path, and chooses which of the others is evicted next.
//
// A cascade (MW09, section 4.2). A state that leaves the path enters the first part; states that a part has no room for
// move to the next, and the last part evicts. The path takes its room from the first part and, if it is longer, from
// the next. A state that is met again stays in its part, where that counts as a use: the paper moves states between
// parts only when one of them is full.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/budget.h"
#include "core/machine.h"
#include "store/column.h"
#include "store/policies/candidates.h"
#include "store/replacement.h"
#include "store/state_set.h"

namespace scrimp {

class Keeper {
 public:
  /// `kinds` are the types of events, if a policy needs them, else null.
  Keeper(const strategy::Cache& cache, const std::uint8_t* kinds, Budget& budget);

  /// A fresh state was put on the path; `event` led to it.
  void entered(Slot slot, EventId event) {
    on_path_[slot] = 1;
    ++path_;
    ++entered_;
    if (counts_visits_) traits_.visits[slot] = 1;
    if (tags_kinds_) traits_.kind[slot] = kind_of(event);
    if (measures_subtrees_) traits_.subtree[slot] = static_cast<std::uint32_t>(entered_);
    if (is_cascade()) settle(path_);
  }

  /// A stored state was met.
  void met(Slot slot, EventId event) {
    if (notices_) notice(slot, event);
  }

  void pin(Slot slot) {
    if (on_path_[slot] == forever) return;
    if (on_path_[slot]++ != 0) return;
    ++path_;
    part_of(slot).remove(slot);
    if (measures_subtrees_) traits_.subtree[slot] = static_cast<std::uint32_t>(entered_) - traits_.subtree[slot];
  }

  void unpin(Slot slot) {
    if (on_path_[slot] == forever) return;
    if (--on_path_[slot] != 0) return;
    --path_;
    if (measures_subtrees_) traits_.subtree[slot] = static_cast<std::uint32_t>(entered_) - traits_.subtree[slot];
    join(0, slot);
  }

  /// Chooses the state to evict for one that will be on the path, and removes it from this object. Returns `no_slot` if
  /// all states are on the path. The cache holds `states` and has no room for more.
  Slot give_up(std::uint64_t states);

  /// Sets the capacity that is divided among the parts, if it is known before the cache is full.
  void set_capacity(std::uint64_t states);

  std::uint64_t path() const { return path_; }
  [[nodiscard]] bool resize(std::uint64_t slots);
  std::size_t row_bytes() const;
  std::uint64_t bytes() const;

 private:
  using Times = std::uint16_t;
  /// A state that is on the path more often than can be counted stays pinned.
  static constexpr Times forever = ~Times{0};
  static constexpr std::uint8_t kind_of_nothing = 5;  // for the initial state, which no transition led to

  struct Part {
    std::uint32_t percent;
    std::unique_ptr<Candidates> candidates;
    std::uint64_t size = 0;
    std::uint64_t room = ~std::uint64_t{0};

    void remove(Slot slot) {
      candidates->remove(slot);
      --size;
    }
    Slot take() {
      const Slot slot = candidates->choose();
      remove(slot);
      return slot;
    }
  };

  bool is_cascade() const { return parts_.size() > 1; }
  Part& part_of(Slot slot) { return parts_[is_cascade() ? part_numbers_[slot] : 0]; }

  void join(std::size_t part, Slot slot) {
    if (is_cascade()) part_numbers_[slot] = static_cast<std::uint8_t>(part);
    parts_[part].candidates->add(slot);
    ++parts_[part].size;
  }

  std::uint8_t kind_of(EventId event) const {
    return event == no_event || kinds_ == nullptr ? kind_of_nothing : kinds_[event & event_mask];
  }

  void notice(Slot slot, EventId event) {
    if (tags_kinds_) traits_.kind[slot] = std::min(traits_.kind[slot], kind_of(event));
    if (!reorders_) return;
    const std::uint8_t visits_before = counts_visits_ ? traits_.visits[slot] : std::uint8_t{0};
    if (counts_visits_ && visits_before != Traits::most_visits) ++traits_.visits[slot];
    if (on_path_[slot] == 0) part_of(slot).candidates->met(slot, visits_before);
  }

  void settle(std::uint64_t path);
  bool resize_columns(std::uint64_t slots);

  const std::uint8_t* const kinds_;
  Traits traits_;
  Column<Times> on_path_;              // how often each state is on the path
  Column<std::uint8_t> part_numbers_;  // of a cascade
  std::vector<Part> parts_;
  bool counts_visits_ = false, tags_kinds_ = false, measures_subtrees_ = false;
  bool reorders_ = false;  // a visit changes the order of eviction
  bool notices_ = false;   // a visit changes anything
  std::uint64_t path_ = 0;
  std::uint64_t entered_ = 0;
  std::uint64_t slots_ = 0;
};

}  // namespace scrimp
