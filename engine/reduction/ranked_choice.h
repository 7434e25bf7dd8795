// Chooses the events to fire in a state, in a search of any order: by a selection whose proviso is about ranks.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/budget.h"
#include "core/machine.h"
#include "method.h"
#include "reduction/audit.h"
#include "reduction/ranks.h"
#include "reduction/relations.h"
#include "reduction/selection.h"

namespace scrimp {

/// Replaces the event of an entry that is not to be fired.
inline constexpr EventId left_out = ~EventId{0};

/// A reduction that several threads may use, each by a choice of its own.
struct Reducing {
  Reducing(const Reduction& parts, const Relations& its_relations, const Machine& machine, bool is_audited,
           Budget& budget);

  const Reduction& reduction;
  const Relations& relations;
  Ranks ranks;
  const bool audits;                                 // every choice; only by one thread
  mutable Complaint flaw;                            // what the audit found first
  mutable std::atomic<std::uint64_t> looked_at = 0;  // events, by all choices that have ended; see Selection
};

class RankedChoice final : private Surroundings {
 public:
  RankedChoice(const Reducing& reducing, const Machine& machine, Budget& budget)
      : reducing_(reducing), words_(machine.words), selection_(make_selection(reducing.reduction, reducing.relations)) {
    if (reducing.audits) audit_.emplace(machine, reducing.relations, has_proviso(reducing.reduction), budget);
  }

  ~RankedChoice() override { reducing_.looked_at += selection_->looked_at(); }
  RankedChoice(const RankedChoice&) = delete;
  RankedChoice& operator=(const RankedChoice&) = delete;

  /// Marks the events of entries that are not to be fired as `left_out`. Returns the number of these entries.
  std::uint32_t leave_out(const Word* state, const Word* states, EventId* events, std::uint32_t count) {
    if (count < 2) return 0;
    if (chosen_.size() < count) chosen_.resize(count);
    state_ = state;
    states_ = states;
    const Entries entries{states, events, count};
    if (!selection_->choose(state, entries, *this, chosen_.data())) return 0;
    if (audit_) [[unlikely]]
      check(entries);
    std::uint32_t omitted = 0;
    for (std::uint32_t entry = 0; entry < count; ++entry)
      if (chosen_[entry] == 0) events[entry] = left_out, ++omitted;
    return omitted;
  }

  /// Whether an audited choice was wrong.
  bool is_wrong() const { return reducing_.flaw.has_value(); }

 private:
  bool leads_back(std::uint32_t entry) override {
    return !reducing_.ranks.increase(state_, states_ + std::size_t{entry} * words_);
  }
  bool is_asleep(std::uint32_t) override { return false; }

  void check(const Entries& entries) {
    Complaint complaint = audit_->of_choice(state_, entries, chosen_.data());
    if (!complaint) complaint = audit_->of_proviso(state_, entries, chosen_.data(), *this);
    if (complaint && !is_wrong()) reducing_.flaw = complaint;
  }

  const Reducing& reducing_;
  const std::uint32_t words_;
  const std::unique_ptr<Selection> selection_;
  std::optional<Audit> audit_;
  std::vector<std::uint8_t> chosen_;
  const Word* state_ = nullptr;   // the one whose entries are being chosen
  const Word* states_ = nullptr;  // that they lead to
};

}  // namespace scrimp
