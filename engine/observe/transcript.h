// Records every transition of a search by the numbers of its states, and on request the states themselves, for
// exporting an LTS.
//
// States are numbered in the order in which they are entered, from 0. A state that was forgotten and is entered again
// gets another number: it is redundant, and bisimilar to its earlier copy.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "core/budget.h"
#include "core/machine.h"
#include "core/region_vector.h"

namespace scrimp {

using StateNumber = std::uint64_t;

/// Some transitions, column by column. A label is an event or, from the machine's number of events on, a sequence of
/// several through transient states: `ways` are those that are new since the last call, in the order of their labels.
/// If the search restarted after `voided` states, all transitions of theirs that were handed over are void; otherwise
/// that is 0. If states are wanted, those entered since the last call come too: their numbers, and the words of one
/// after the other.
struct Transcribed {
  const StateNumber* sources;
  const EventId* labels;
  const StateNumber* targets;
  std::size_t count;
  const std::vector<std::vector<EventId>>& ways;
  std::uint64_t voided;
  const StateNumber* numbers;
  const Word* states;
  std::size_t state_count;
  std::size_t words;  // of all these states
};

/// Called from time to time. Returns false if the search is to end.
using Scribe = std::function<bool(const Transcribed&)>;

class Transcript {
 public:
  Transcript(const Scribe& scribe, bool wants_states, const Machine& machine, Budget& budget)
      : scribe_(scribe),
        next_label_(machine.transitions),
        follows_ways_(machine.holders != nullptr),
        wants_states_(wants_states),
        words_(machine.words),
        sources_(budget),
        labels_(budget),
        targets_(budget),
        numbers_(budget),
        states_(budget) {
    make_room();
  }

  /// The number of the state that is entered after `entered` others.
  StateNumber number(std::uint64_t entered) const { return entered - first_; }

  /// The search restarts after `entered` states, and so does the numbering.
  void begin_anew(std::uint64_t entered) {
    clear();
    first_ = voided_ = entered;
    next_state_ = 0;
  }

  bool wants_states() const { return wants_states_; }

  /// Writes down a state that was entered; it has the next number.
  void state(const Word* words) { state(next_state_++, words); }

  void state(StateNumber number, const Word* words) {
    numbers_.push(number);
    states_.resize(states_.size() + words_);
    std::copy_n(words, words_, states_.end() - words_);
  }

  /// Whether some events lead through transient states.
  bool follows_ways() const { return follows_ways_; }

  /// The label of a sequence; that of a single event is the event.
  EventId label(const std::vector<EventId>& way) {
    if (way.size() == 1) return way[0] & event_mask;
    const auto [place, is_new] = ways_.try_emplace(way, next_label_);
    if (is_new) {
      ++next_label_;
      new_ways_.push_back(way);
    }
    return place->second;
  }

  void add(StateNumber source, EventId label, StateNumber target) {
    sources_.push(source);
    labels_.push(label);
    targets_.push(target);
  }

  /// Hands over the recorded transitions, if there are enough. Returns false if the search is to end.
  [[nodiscard]] bool may_go_on() { return sources_.size() < enough || hand_over(); }

  /// Hands over the rest.
  bool hand_over() {
    const bool goes_on = scribe_({sources_.data(), labels_.data(), targets_.data(), sources_.size(), new_ways_, voided_,
                                  numbers_.data(), states_.data(), numbers_.size(), states_.size()});
    clear();
    new_ways_.clear();
    voided_ = 0;
    return goes_on;
  }

  std::uint64_t bytes() const {
    return sources_.bytes() + labels_.bytes() + targets_.bytes() + numbers_.bytes() + states_.bytes();
  }

 private:
  static constexpr std::size_t enough = std::size_t{1} << 15;

  /// Reserves memory at the start, before others take it from the budget.
  void make_room() {
    sources_.resize(enough);
    labels_.resize(enough);
    targets_.resize(enough);
    if (wants_states_) {
      numbers_.resize(enough);
      states_.resize(enough * words_);
    }
    clear();
  }

  void clear() {
    sources_.clear();
    labels_.clear();
    targets_.clear();
    numbers_.clear();
    states_.clear();
  }

  const Scribe& scribe_;
  EventId next_label_;
  const bool follows_ways_;
  const bool wants_states_;
  const std::size_t words_;  // of a state
  RegionVector<StateNumber> sources_;
  RegionVector<EventId> labels_;
  RegionVector<StateNumber> targets_;
  RegionVector<StateNumber> numbers_;  // of `states_`
  RegionVector<Word> states_;
  StateNumber next_state_ = 0;
  std::uint64_t first_ = 0;   // number of states entered before the search restarted
  std::uint64_t voided_ = 0;  // the same, if it was not reported yet
  std::map<std::vector<EventId>, EventId> ways_;
  std::vector<std::vector<EventId>> new_ways_;
};

}  // namespace scrimp
