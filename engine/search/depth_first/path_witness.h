// Derives the events of a depth-first path from the path itself, by repeating its steps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "core/budget.h"
#include "observe/finding.h"
#include "search/depth_first/path.h"
#include "search/depth_first/taken.h"
#include "search/expansion/expander.h"

namespace scrimp {

/// The recorded findings are charged to the budget as long as this object lives. If the path does not start from the
/// initial state, `lead` appends the events that lead to its root, or returns false if the budget is exhausted.
template <std::uint32_t fixed_words>
class PathWitness final : public Witness {
 public:
  using Lead = std::function<bool(std::vector<EventId>& events)>;

  PathWitness(Budget& budget, Expander& expander, const Path<fixed_words>& path, Lead lead = {})
      : budget_(budget), expander_(expander), path_(path), lead_(std::move(lead)) {}
  ~PathWitness() override { budget_.give_back(taken_bytes_); }
  PathWitness(const PathWitness&) = delete;
  PathWitness& operator=(const PathWitness&) = delete;

  /// Findings refer to the last state of the path.
  bool record(Finding finding, const Word*) override {
    std::vector<EventId> events;
    if (!append_lead(events) || !make_room(events, events.size() + path_.size() + finding.events.size()) ||
        !append_path(events) || !append(events, finding.events))
      return false;
    finding.events = std::move(events);
    findings.push_back(std::move(finding));
    return true;
  }

  std::vector<Finding> findings;

 private:
  bool append_lead(std::vector<EventId>& events) {
    std::vector<EventId> lead;
    return !lead_ || (lead_(lead) && append(events, lead));
  }

  bool append_path(std::vector<EventId>& events) {
    const Machine& machine = expander_.machine();
    std::vector<Word> state(path_.root(), path_.root() + machine.words);
    Replay replay(expander_);
    std::vector<EventId> step;
    bool has_room = true;
    path_.for_each_taken([&](Taken taken) {
      if (!has_room) return;
      const Word* const next = replay.step(state.data(), taken);
      step.clear();
      replay.append_events(state.data(), step);
      state.assign(next, next + machine.words);
      has_room = append(events, step);
    });
    return has_room;
  }

  bool append(std::vector<EventId>& events, const std::vector<EventId>& more) {
    if (!make_room(events, events.size() + more.size())) return false;
    events.insert(events.end(), more.begin(), more.end());
    return true;
  }

  /// While the events are moved to a larger block, both blocks are held.
  bool make_room(std::vector<EventId>& events, std::size_t wanted) {
    if (wanted <= events.capacity()) return true;
    const std::size_t room = std::max(wanted, events.capacity() / 2 * 3);
    if (!budget_.take(room * sizeof(EventId))) return false;
    const std::size_t old_bytes = events.capacity() * sizeof(EventId);
    taken_bytes_ += room * sizeof(EventId) - old_bytes;
    events.reserve(room);
    budget_.give_back(old_bytes);
    return true;
  }

  Budget& budget_;
  Expander& expander_;
  const Path<fixed_words>& path_;
  const Lead lead_;
  std::uint64_t taken_bytes_ = 0;
};

}  // namespace scrimp
