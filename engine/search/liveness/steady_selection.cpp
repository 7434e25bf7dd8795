#include "search/liveness/steady_selection.h"

#include <algorithm>
#include <new>

namespace scrimp {

namespace {

/// A search without a path and without sleep sets.
class Nowhere final : public Surroundings {
 public:
  bool leads_back(std::uint32_t) override { return false; }
  bool is_asleep(std::uint32_t) override { return false; }
};

}  // namespace

SteadySelection::SteadySelection(const Machine& system, const Reduction& reduction, const Relations& relations,
                                 Budget& budget, bool audits)
    : selection_(make_selection(reduction, relations)), expander_(system, std::nullopt, budget) {
  if (audits) audit_.emplace(system, relations, true, budget);
}

std::uint64_t SteadySelection::successors(const Word* state, Word* successors, EventId* events) {
  const Expansion expansion = expander_.expand(state, successors, events);  // L1
  const std::uint64_t all = std::uint64_t{expansion.flags} << 32 | expansion.count;
  if (expansion.count < 2 || expansion.flags & misfit_flag) return all;
  Entries entries{successors, events, expansion.count};
  if (leads_on(expansion)) {
    if (!expander_.pass(state, expansion, successors, events, {})) throw std::bad_alloc();
    const Passage& passage = expander_.passage();
    entries = {passage.states(), passage.events(), passage.count()};
  }
  return choose(state, entries) ? keep_chosen(entries, successors, events, expansion.count) : all;
}

bool SteadySelection::choose(const Word* state, const Entries& entries) {
  Nowhere nowhere;
  chosen_.resize(entries.count);
  if (entries.count == 0 || !selection_->choose(state, entries, nowhere, chosen_.data())) return false;  // L2
  for (std::uint32_t i = 0; i < entries.count; ++i)
    if (chosen_[i] != 0 && entries.events[i] & (fault_flag | misfit_flag)) return false;  // L3
  if (audit_ && complaint_.empty()) complaint_ = audit_->of_choice(state, entries, chosen_.data()).value_or("");
  return true;
}

/// Of `count` listed events, keeps those of the chosen entries, which are in the same order. Returns what the function
/// of a machine does.
std::uint64_t SteadySelection::keep_chosen(const Entries& entries, Word* successors, EventId* events,
                                           std::uint32_t count) const {
  const std::size_t words = expander_.machine().words;
  std::uint32_t kept = 0;
  EventId flags = 0;
  std::vector<bool> is_kept(count);
  for (std::uint32_t i = 0, entry = 0; i < count; ++i) {
    const EventId event = events[i] & event_mask;
    while (entry < entries.count && (entries.events[entry] & event_mask) != event) ++entry;
    is_kept[i] = entry < entries.count && chosen_[entry] != 0;
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!is_kept[i]) continue;
    std::copy_n(successors + i * words, words, successors + kept * words);
    flags |= (events[kept] = events[i]) & ~event_mask;
    ++kept;
  }
  return std::uint64_t{flags} << 32 | kept;
}

}  // namespace scrimp
