// A listener that knows how many distinct states were visited if some may be visited again: by an estimate, or exactly
// under an audit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "observe/distinct.h"
#include "observe/observer.h"
#include "search/listeners/listener.h"
#include "store/plain_set.h"

namespace scrimp {

/// `fixed_words` is the machine's number of words if the loop is compiled for that number, else 0.
template <std::uint32_t fixed_words>
class VisitTally : public Silent {
 public:
  VisitTally(const Machine& machine, bool audits, bool may_revisit, Observer& observer, Budget& budget)
      : observer_(observer), may_revisit_(may_revisit) {
    if (audits) all_.emplace(machine, budget);
  }

  /// From now on states may be visited again.
  void allow_revisits() { may_revisit_ = true; }

  void entered(const Word* state, Word key) {
    distinct_.add(key);
    if (all_) [[unlikely]]
      audit(all_->insert(state));
  }

  double states() const { return all_ ? static_cast<double>(all_->size()) : distinct_.estimate(); }
  /// What the audit found wrong; empty if nothing.
  const std::string& complaint() const { return complaint_; }

 private:
  void audit(Insertion insertion) {
    if (insertion == Insertion::no_room) return observer_.end(Reason::memory);
    if (insertion == Insertion::fresh || may_revisit_) return;
    complaint_ =
        "a state was forgotten while it still had unexplored incoming edges: its in-degree was counted too low";
    observer_.end(Reason::audit);
  }

  Observer& observer_;
  bool may_revisit_;
  Distinct distinct_;
  std::optional<PlainSet<fixed_words>> all_;
  std::string complaint_;
};

/// The tally of a search that may visit states again once its table has discarded some.
template <class Table, std::uint32_t fixed_words>
struct DiscardTally : Silent {
  DiscardTally(VisitTally<fixed_words>& visits, const Table& its_table) : tally(visits), table(its_table) {}

  void entered(const Word* state, Word key) {
    if (table.discarded() != 0) tally.allow_revisits();
    tally.entered(state, key);
  }

  VisitTally<fixed_words>& tally;
  const Table& table;
};

}  // namespace scrimp
