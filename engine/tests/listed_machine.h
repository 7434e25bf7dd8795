// A machine whose transitions are listed by hand: state i has an event to each state of its list.
//
//     const ListedMachine ring({{1}, {2}, {0}});
//     explore(ring.machine(), options);
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/machine.h"

namespace scrimp::testing {

class ListedMachine {
 public:
  using Lists = std::vector<std::vector<std::uint32_t>>;

  explicit ListedMachine(Lists lists) : lists_(std::move(lists)) {
    std::size_t most = 1;
    for (const auto& list : lists_) most = std::max(most, list.size());
    most_ = static_cast<std::uint32_t>(most);
  }
  ListedMachine(const ListedMachine&) = delete;
  ListedMachine& operator=(const ListedMachine&) = delete;

  Machine machine() const {
    Machine listed{};
    listed.words = 1;
    listed.max_successors = listed.transitions = most_;
    listed.word_bits = &word_bits;
    listed.context = this;
    listed.functions = {.initial = initial, .successors = successors, .in_degree = in_degree};
    return listed;
  }

 private:
  static constexpr std::uint8_t word_bits = 33;

  static const Lists& lists(const void* context) { return static_cast<const ListedMachine*>(context)->lists_; }
  static Word word(std::uint32_t number) { return Word{number} << 1 | 1; }

  static void initial(const void*, Word* state) { *state = word(0); }

  static std::uint64_t successors(const void* context, const Word* state, Word* successors, EventId* events) {
    const std::vector<std::uint32_t>& list = lists(context)[*state >> 1];
    for (std::uint32_t i = 0; i < list.size(); ++i) {
      successors[i] = word(list[i]);
      events[i] = i;
    }
    return list.size();
  }

  static std::uint32_t in_degree(const void* context, const Word* state) {
    std::uint32_t edges = 0;
    for (const std::vector<std::uint32_t>& list : lists(context))
      for (const std::uint32_t target : list) edges += word(target) == *state;
    return edges;
  }

  const Lists lists_;
  std::uint32_t most_;
};

/// 0 → 1 → ... → 0.
inline ListedMachine::Lists ring(std::uint32_t length) {
  ListedMachine::Lists lists(length);
  for (std::uint32_t i = 0; i < length; ++i) lists[i] = {(i + 1) % length};
  return lists;
}

}  // namespace scrimp::testing
