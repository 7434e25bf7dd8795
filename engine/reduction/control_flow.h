// The control-flow graph of each process: how it gets from place to place, whatever the values of variables.
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

  /// An event that may move a process from one place to another.
  struct Exit {
    EventId event;
    std::uint32_t target;
  };

  std::uint32_t process_of(std::uint32_t place) const { return process_of_[place]; }
  /// Of a place, among the places of its process.
  std::uint32_t index_of(std::uint32_t place) const { return rank_[place]; }
  std::span<const std::uint32_t> places_of(std::uint32_t process) const { return places_of_[process]; }
  std::span<const Exit> exits(std::uint32_t place) const { return exits_[place]; }
  /// Whether a process may be moved by events that do not start at its place, while they pass through transient states.
  bool is_intruded(std::uint32_t process) const { return is_intruded_[process]; }

  /// Whether a process can get from one of its places to another, or the two are the same.
  bool leads(std::uint32_t from, std::uint32_t to) {
    if (reachable_[from].empty()) find_reachable(from);
    return reachable_[from][rank_[to] / 64] >> rank_[to] % 64 & 1;
  }

 private:
  void find_processes(const Relations& relations);
  void find_exits(const Relations& relations);
  void find_reachable(std::uint32_t place);

  std::vector<std::uint32_t> process_of_;              // by place
  std::vector<std::uint32_t> rank_;                    // by place: its index among the places of its process
  std::vector<std::vector<std::uint32_t>> places_of_;  // by process
  std::vector<std::vector<Exit>> exits_;               // by place
  std::vector<std::uint8_t> is_intruded_;              // by process
  std::vector<std::vector<Word>> reachable_;           // by place: bits by rank; empty until needed
};

}  // namespace scrimp
