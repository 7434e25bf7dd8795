// A listener of depth-first searches that choose events or forget states: it counts distinct states and, if asked to,
// audits every choice.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "observe/distinct.h"
#include "observe/observer.h"
#include "reduction/audit.h"
#include "reduction/relations.h"
#include "reduction/selection.h"
#include "search/listeners/listener.h"
#include "store/plain_set.h"

namespace scrimp {

/// Ends the search if an audit fails. Keeps every state that is entered, to count distinct states.
template <std::uint32_t fixed_words>
class Auditor {
 public:
  Auditor(const Machine& machine, const Relations& relations, bool has_proviso, Observer& observer, Budget& budget)
      : audit_(machine, relations, has_proviso, budget), observer_(observer), all_states_(machine, budget) {}

  std::uint64_t states() const { return all_states_.size(); }
  /// The first violation found; empty if there is none.
  const std::string& complaint() const { return complaint_; }

  void entered(const Word* state) {
    if (all_states_.insert(state) == Insertion::no_room) observer_.end(Reason::memory);
  }
  void listed(const Word* state, const Entries& entries) {
    if (entries.count > 1) complain(audit_.of_independence(state, entries));
  }
  void chosen(const Word* state, const Entries& entries, const std::uint8_t* chosen, Surroundings& around) {
    complain(audit_.of_choice(state, entries, chosen));
    complain(audit_.of_proviso(state, entries, chosen, around));
  }

 private:
  void complain(const Complaint& complaint) {
    if (!complaint) return;
    if (complaint_.empty()) complaint_ = *complaint;
    observer_.end(Reason::audit);
  }

  Audit audit_;
  Observer& observer_;
  PlainSet<fixed_words> all_states_;
  std::string complaint_;
};

/// Estimates how many distinct states were entered, or counts them if the search is audited.
template <std::uint32_t fixed_words>
class SearchTally : public Silent {
 public:
  /// States are entered again only by a search that `forgets`.
  explicit SearchTally(bool forgets) : forgets_(forgets) {}

  std::optional<Auditor<fixed_words>> auditor;

  void entered(const Word* state, Word key) {
    if (forgets_) distinct_.add(key);
    if (auditor) [[unlikely]]
      auditor->entered(state);
  }
  void listed(const Word* state, const Entries& entries) {
    if (auditor) [[unlikely]]
      auditor->listed(state, entries);
  }
  void chosen(const Word* state, const Entries& entries, const std::uint8_t* chosen, Surroundings& around) {
    if (auditor) [[unlikely]]
      auditor->chosen(state, entries, chosen, around);
  }

  /// `stored` is the number of stored states.
  double states(std::uint64_t stored) const {
    if (auditor) return static_cast<double>(auditor->states());
    return forgets_ ? distinct_.estimate() : static_cast<double>(stored);
  }
  std::string complaint() const { return auditor ? auditor->complaint() : std::string(); }

 private:
  const bool forgets_;
  Distinct distinct_;
};

}  // namespace scrimp
