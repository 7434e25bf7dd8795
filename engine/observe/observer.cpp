#include "observe/observer.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "observe/transcript.h"

namespace scrimp {

Observer::Observer(const Machine& machine, const Question& question, const Limits& limits, Signals& signals)
    : machine_(machine),
      question_(question),
      limits_(limits),
      signals_(signals),
      start_(Clock::now()),
      missing_goals_(question.goal_watches),
      fired_(machine.transitions) {}

namespace {

Question without_end(Question question) {
  question.stop_after = 0;
  question.stop_at_goals = false;
  return question;
}

}  // namespace

Observer::Observer(PartOf part)
    : machine_(part.whole.machine_),
      question_(without_end(part.whole.question_)),
      limits_(part.whole.limits_),
      signals_(part.whole.signals_),
      transcript_(part.whole.transcript_),
      start_(part.whole.start_),
      missing_goals_(part.whole.missing_goals_),
      fired_(machine_.transitions) {}

void Observer::note(const Word* state) { transcript_->state(state); }

void Observer::dead_end(const Word* state) {
  if (machine_.valid_end(state)) return;
  ++counts.deadlocks;
  if (question_.deadlock_is_violation) violation({Finding::Kind::deadlock, -1, {}}, state);
}

void Observer::fault(const Word* state, EventId event, const List& list) {
  const Finding::Kind kind = kind_of(event);
  if (kind == Finding::Kind::fault) ++counts.faults;
  if (question_.fault_is_violation) violation({kind, -1, {}}, state, &list);
}

void Observer::misfit(const Word* state, EventId event) {
  if (!running()) return;
  misfit_ = Misfit{{state, state + machine_.words}, event & event_mask};
  end(Reason::misfit);
}

void Observer::watches_hit(const Word* state, std::uint64_t hits) {
  for (std::uint64_t left = hits; left != 0; left &= left - 1) {
    const int watch = std::countr_zero(left);
    const std::uint64_t bit = std::uint64_t{1} << watch;
    ++counts.watch_hits[static_cast<std::size_t>(watch)];
    if (missing_goals_ & bit) goal_reached(state, watch);
    if (question_.violation_watches & bit) violation({Finding::Kind::watch, watch, {}}, state);
  }
}

void Observer::goal_reached(const Word* state, int watch) {
  missing_goals_ &= ~(std::uint64_t{1} << watch);
  record({Finding::Kind::watch, watch, {}}, state);
  if (question_.stop_at_goals && missing_goals_ == 0) end(Reason::goals);
}

void Observer::violation(Finding finding, const Word* state, const List* list) {
  if (!running()) return;
  ++counts.violations;
  if (traced_ < question_.traces) {
    ++traced_;
    if (list != nullptr && !(*list)(finding.events)) return end(Reason::memory);
    record(std::move(finding), state);
  }
  if (counts.violations == question_.stop_after) end(Reason::violations);
}

void Observer::absorb(Observer& part) {
  counts.states += part.counts.states;
  counts.transitions += part.counts.transitions;
  counts.inner_events += part.counts.inner_events;
  counts.matched += part.counts.matched;
  counts.left_out += part.counts.left_out;
  counts.deadlocks += part.counts.deadlocks;
  counts.faults += part.counts.faults;
  counts.violations += part.counts.violations;
  for (std::size_t i = 0; i < counts.watch_hits.size(); ++i) counts.watch_hits[i] += part.counts.watch_hits[i];
  was_cut_ = was_cut_ || part.was_cut_;
  if (!part.running() && running()) {
    misfit_ = std::move(part.misfit_);
    reason_ = part.reason_;
  }
  part.counts = {};
  part.misfit_.reset();
  part.reason_ = Reason::none;
  part.traced_ = 0;
  part.missing_goals_ = missing_goals_;
}

void Observer::take(Finding finding, const Word* state) {
  if (finding.kind == Finding::Kind::watch && (question_.goal_watches >> finding.watch & 1) != 0) {
    if (missing_goals_ >> finding.watch & 1) goal_reached(state, finding.watch);
  } else if (traced_ < question_.traces && (question_.stop_after == 0 || traced_ < question_.stop_after)) {
    ++traced_;
    record(std::move(finding), state);
  }
}

void Observer::complete_round() {
  if (question_.stop_after == 0 || counts.violations < question_.stop_after) return;
  counts.violations = question_.stop_after;
  end(Reason::violations);
}

void Observer::absorb_fired(const Observer& part) {
  for (std::size_t i = 0; i < fired_.size(); ++i) fired_[i] |= part.fired_[i];
}

void Observer::restore(const Numbers& numbers, const std::vector<std::uint8_t>& fired) {
  counts = numbers.counts;
  was_cut_ = numbers.was_cut != 0;
  missing_goals_ = numbers.missing_goals;
  traced_ = numbers.traced;
  for (std::size_t i = 0; i < std::min(fired.size(), fired_.size()); ++i) fired_[i] |= fired[i];
}

void Observer::record(Finding finding, const Word* state) {
  if (!witness_->record(std::move(finding), state)) end(Reason::memory);
}

void Observer::pulse(std::uint64_t depth, std::uint64_t frontier, std::uint64_t bytes) {
  signals_.publish({counts.states, counts.transitions, counts.matched, depth, frontier, bytes});
  if (describe_ != nullptr && signals_.is_description_wanted()) [[unlikely]] {
    Report description;
    description.set("states", counts.states);
    description.set("depth", depth);
    description.set("frontier", frontier);
    (*describe_)(description);
    signals_.describe(std::move(description));
  }
  if (limits_.states != 0 && counts.states >= limits_.states) end(Reason::states);
  may_go_on();
}

bool Observer::may_go_on() {
  if (signals_.stopped()) end(Reason::interrupt);
  if (is_late()) end(Reason::time);
  return running();
}

}  // namespace scrimp
