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
  std::span<const Exit> exits(std::uint32_t place) const { return exits_[place]; }
  /// The events that may move a process on their way through transient states, wherever it is.
  std::span<const EventId> intrusions(std::uint32_t process) const { return intrusions_[process]; }
  /// Whether a process can get from a place of its own to another, or is there.
  bool leads(std::uint32_t from, std::uint32_t to) const {
    const std::uint32_t first = first_place_[process_of_[from]];
    return reachable_[from][(to - first) / 64] >> (to - first) % 64 & 1;
  }

 private:
  void find_ranges();
  void find_exits(const Relations& relations);
  void find_reachable(std::uint32_t place);

  std::vector<std::uint32_t> process_of_;                    // by place
  std::vector<std::uint32_t> first_place_;                   // by process
  std::vector<std::uint32_t> place_count_;                   // by process
  std::vector<std::vector<Exit>> exits_;                     // by place
  std::vector<std::vector<EventId>> intrusions_;             // by process
  std::vector<std::vector<std::uint32_t>> intruded_places_;  // by process: where they may bring it
  std::vector<std::vector<Word>> reachable_;                 // by place: bits of its process's places
};

}  // namespace scrimp
