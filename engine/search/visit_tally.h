// How many different states were visited, where some may be visited again: an estimate, or exactly under an audit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "observe/distinct.h"
#include "observe/observer.h"
#include "store/plain_set.h"

namespace scrimp {

/// `fixed_words` is the machine's number of words where the loop is compiled for it, else 0.
template <std::uint32_t fixed_words>
class VisitTally {
 public:
  VisitTally(const Machine& machine, bool audits, Observer& observer, Budget& budget) : observer_(observer) {
    if (audits) all_.emplace(machine, budget);
  }

  /// A state is visited; `again` says whether it may have been visited before.
  void add(const Word* state, Word hash, bool again) {
    distinct_.add(hash);
    if (all_) [[unlikely]]
      audit(all_->insert(state), again);
  }

  double states() const { return all_ ? static_cast<double>(all_->size()) : distinct_.estimate(); }
  /// What the audit found wrong; empty where that is nothing.
  const std::string& complaint() const { return complaint_; }

 private:
  void audit(Insertion insertion, bool again) {
    if (insertion == Insertion::no_room) return observer_.end(Reason::memory);
    if (insertion == Insertion::fresh || again) return;
    complaint_ = "a state was forgotten although something still led to it: more edges do than were counted";
    observer_.end(Reason::audit);
  }

  Observer& observer_;
  Distinct distinct_;
  std::optional<PlainSet<fixed_words>> all_;
  std::string complaint_;
};

}  // namespace scrimp
