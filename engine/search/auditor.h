// Who looks at what a depth-first search with a reduction does, where it is asked to be audited.
#pragma once

#include <cstdint>
#include <string>

#include "observe/observer.h"
#include "reduction/audit.h"
#include "reduction/relations.h"
#include "reduction/selection.h"
#include "store/plain_set.h"

namespace scrimp {

/// Ends the search where something is wrong. Every state that is entered is kept, to tell how many there are.
template <std::uint32_t fixed_words>
class Auditor {
 public:
  Auditor(const Machine& machine, const Relations& relations, bool has_proviso, Observer& observer, Budget& budget)
      : audit_(machine, relations, has_proviso, budget),
        has_proviso_(has_proviso),
        observer_(observer),
        all_states_(machine, budget) {}

  std::uint64_t states() const { return all_states_.size(); }
  /// What is wrong; empty where that is nothing.
  const std::string& complaint() const { return complaint_; }

  void entered(const Word* state) {
    if (all_states_.insert(state) == Insertion::no_room) observer_.end(Reason::memory);
  }

  void listed(const Word* state, const Entries& entries) {
    if (entries.count > 1) complain(audit_.of_independence(state, entries));
  }

  void chosen(const Word* state, const Entries& entries, const std::uint8_t* chosen, Surroundings& around) {
    complain(audit_.of_choice(state, entries, chosen));
    if (has_proviso_) complain(audit_.of_proviso(entries, chosen, around));
  }

 private:
  void complain(const Complaint& complaint) {
    if (!complaint) return;
    if (complaint_.empty()) complaint_ = *complaint;
    observer_.end(Reason::audit);
  }

  Audit audit_;
  const bool has_proviso_;
  Observer& observer_;
  PlainSet<fixed_words> all_states_;
  std::string complaint_;
};

}  // namespace scrimp
