#include "search/pseudoroot/parent_log.h"

#include <new>
#include <utility>

namespace scrimp {

namespace {

/// Walks from state to state; a step is given as the successor's place, counting only successors that are states.
class Walk {
 public:
  explicit Walk(Expander& expander)
      : expander_(expander),
        words_(expander.machine().words),
        state_(words_),
        successors_(std::size_t{expander.machine().max_successors} * words_),
        events_(expander.machine().max_successors) {
    expander.machine().initial(state_.data());
  }

  void step(std::uint32_t place, std::vector<EventId>& way) {
    const Expansion expansion = expander_.expand(state_.data(), successors_.data(), events_.data());
    if (!leads_on(expansion)) return go(successors_.data(), events_.data(), place, way);
    if (!expander_.pass(state_.data(), expansion, successors_.data(), events_.data(), {})) throw std::bad_alloc();
    go(expander_.passage().states(), expander_.passage().events(), place, way);
  }

 private:
  void go(const Word* states, const EventId* events, std::uint32_t place, std::vector<EventId>& way) {
    std::uint32_t ordinal = 0;
    for (;; ++ordinal)
      if (!(events[ordinal] & fault_flag) && place-- == 0) break;
    if (!expander_.list(state_.data(), ordinal, way)) throw std::bad_alloc();
    const Word* const next = states + std::size_t{ordinal} * words_;
    state_.assign(next, next + words_);
  }

  Expander& expander_;
  const std::uint32_t words_;
  std::vector<Word> state_;
  std::vector<Word> successors_;
  std::vector<EventId> events_;
};

}  // namespace

void ParentLog::add(std::uint64_t parent, std::uint32_t place) {
  if (place >> place_bits != 0) is_readable_ = false;
  const Word entry = parent << place_bits | place;
  log_.append(&entry, 1);
}

void ParentLog::read(std::uint64_t number, RegionVector<std::uint32_t>& places) {
  log_.flush();
  while (number != 0 && is_readable_) {
    Word entry;
    is_readable_ = log_.read(number, 1, &entry) == 1;
    if (!is_readable_) return;
    places.push(static_cast<std::uint32_t>(entry & ((Word{1} << place_bits) - 1)));
    number = entry >> place_bits;
  }
}

bool ParentWitness::lead(std::vector<EventId>& events) {
  RegionVector<std::uint32_t> places(budget_);
  log_.read(number_, places);
  if (!log_.good()) return false;
  Walk walk(expander_);
  while (!places.empty()) walk.step(places.pop(), events);
  return true;
}

bool ParentWitness::record(Finding finding, const Word*) {
  std::vector<EventId> events;
  if (!lead(events)) {
    has_lost_paths_ = true;
    return true;
  }
  events.insert(events.end(), finding.events.begin(), finding.events.end());
  const std::size_t bytes = events.capacity() * sizeof(EventId);
  if (!budget_.take(bytes)) return false;
  taken_bytes_ += bytes;
  finding.events = std::move(events);
  findings.push_back(std::move(finding));
  return true;
}

}  // namespace scrimp
