// The sizes of levels in a fixed amount of memory, for those who watch a search: there may be as many levels as states.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "observe/report.h"

namespace scrimp {

struct Level {
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;  // fired from its states
};

/// Each entry is the sum of `width` consecutive levels, the last one of those that there are. If there are too many
/// entries, the width doubles.
class LevelProfile {
 public:
  static constexpr std::size_t most = 256;

  void clear() { *this = {}; }

  void add(const Level& level) {
    if (in_last_ == 0) {
      if (count_ == most) halve();
      entries_[count_++] = {};
    }
    Level& last = entries_[count_ - 1];
    last.states += level.states;
    last.transitions += level.transitions;
    in_last_ = (in_last_ + 1) % width_;
  }

  void report_to(Report& report) const {
    Report::List states, transitions;
    for (std::size_t i = 0; i < count_; ++i) {
      states.push_back(entries_[i].states);
      transitions.push_back(entries_[i].transitions);
    }
    report.set("levels.states", std::move(states));
    report.set("levels.transitions", std::move(transitions));
    report.set("levels.width", width_);
  }

 private:
  void halve() {
    for (std::size_t i = 0; i < most / 2; ++i)
      entries_[i] = {entries_[2 * i].states + entries_[2 * i + 1].states,
                     entries_[2 * i].transitions + entries_[2 * i + 1].transitions};
    count_ = most / 2;
    width_ *= 2;
  }

  std::array<Level, most> entries_{};
  std::size_t count_ = 0;
  std::uint64_t width_ = 1;
  std::uint64_t in_last_ = 0;  // levels of the last entry; 0: as many as there can be
};

}  // namespace scrimp
