// How processes get from place to place, whatever the values of variables.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/machine.h"
#include "reduction/relations.h"

namespace scrimp {

class ControlFlow {
 public:
  explicit ControlFlow(const Relations& relations);

  /// An event that may take a process from a place to another.
  struct Exit {
    EventId event;
    std::uint32_t target;
  };

  std::uint32_t process_of(std::uint32_t place) const { return process_of_[place]; }
  std::span<const std::uint32_t> places_of(std::uint32_t process) const { return places_of_[process]; }
  std::span<const Exit> exits(std::uint32_t place) const { return exits_[place]; }
  /// The events that do not begin where the process is, and may move it on their way through transient states.
  std::span<const EventId> intrusions(std::uint32_t process) const { return intrusions_[process]; }

  /// Whether a process can get from a place of its own to another, or is there.
  bool leads(std::uint32_t from, std::uint32_t to) {
    if (reachable_[from].empty()) find_reachable(from);
    return reachable_[from][rank_[to] / 64] >> rank_[to] % 64 & 1;
  }

 private:
  void find_processes(const Relations& relations);
  void find_exits(const Relations& relations);
  void find_reachable(std::uint32_t place);

  std::vector<std::uint32_t> process_of_;                    // by place
  std::vector<std::uint32_t> rank_;                          // by place: which one of its process it is
  std::vector<std::vector<std::uint32_t>> places_of_;        // by process
  std::vector<std::vector<Exit>> exits_;                     // by place
  std::vector<std::vector<EventId>> intrusions_;             // by process
  std::vector<std::vector<std::uint32_t>> intruded_places_;  // by process: where they may bring it
  std::vector<std::vector<Word>> reachable_;                 // by place: bits by rank; empty until it is asked for
};

}  // namespace scrimp
