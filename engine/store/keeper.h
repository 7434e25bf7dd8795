// Which states of a cache are on the path, and which of the others is forgotten next.
//
// A cascade (MW09, section 4.2). A state that leaves the path goes to the first part; what a part has no room for moves
// to the next, and the last forgets. The path has its room in the first part and, where it is longer than that, in the
// next. A state that is met again stays in its part, where that counts as a use: the paper moves states between parts
// only where one of them is full.
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
  /// `kinds` are the types of events, for a policy that asks for them; null: none does.
  Keeper(const strategy::Cache& cache, const std::uint8_t* kinds, Budget& budget);

  /// A fresh state, which is on the path; `event` led to it.
  void entered(Slot slot, EventId event) {
    on_path_[slot] = 1;
    ++path_;
    ++entered_;
    if (counts_visits_) traits_.visits[slot] = 1;
    if (tags_kinds_) traits_.kind[slot] = kind_of(event);
    if (measures_subtrees_) traits_.subtree[slot] = static_cast<std::uint32_t>(entered_);
    if (is_cascade()) settle(path_);
  }

  /// A state that was there.
  void met(Slot slot, EventId event) {
    if (notices_) notice(slot, event);
  }

  void pin(Slot slot) {
    if (on_path_[slot] == for_ever) return;
    if (on_path_[slot]++ != 0) return;
    ++path_;
    part_of(slot).remove(slot);
    if (measures_subtrees_) traits_.subtree[slot] = static_cast<std::uint32_t>(entered_) - traits_.subtree[slot];
  }

  void unpin(Slot slot) {
    if (on_path_[slot] == for_ever) return;
    if (--on_path_[slot] != 0) return;
    --path_;
    if (measures_subtrees_) traits_.subtree[slot] = static_cast<std::uint32_t>(entered_) - traits_.subtree[slot];
    join(0, slot);
  }

  /// Which state makes room for one that will be on the path: it is no longer known here. `no_slot` where all are on
  /// the path. The cache holds `states` and has no room for more.
  Slot give_up(std::uint64_t states);

  /// What the shares of the parts are shares of, where that is known before the cache is full.
  void set_capacity(std::uint64_t states);

  std::uint64_t path() const { return path_; }
  [[nodiscard]] bool resize(std::uint64_t slots);
  std::size_t row_bytes() const;
  std::uint64_t bytes() const;

 private:
  using Times = std::uint16_t;
  /// A state that is on the path too often to be counted stays there.
  static constexpr Times for_ever = ~Times{0};
  static constexpr std::uint8_t kind_of_nothing = 5;  // the initial state is no transition's

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
  Column<Times> on_path_;              // how often each state is there
  Column<std::uint8_t> part_numbers_;  // of a cascade
  std::vector<Part> parts_;
  bool counts_visits_ = false, tags_kinds_ = false, measures_subtrees_ = false;
  bool reorders_ = false;  // being met changes which state is forgotten first
  bool notices_ = false;   // being met changes anything
  std::uint64_t path_ = 0;
  std::uint64_t entered_ = 0;
  std::uint64_t slots_ = 0;
};

}  // namespace scrimp
