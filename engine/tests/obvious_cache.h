// The slow reference cache: what CacheSet with a capacity in states must do, policy by policy.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "store/column.h"
#include "store/replacement.h"
#include "tests/store_keys.h"

namespace scrimp::testing {

class ObviousCache {
 public:
  struct Stored {
    Slot slot = no_slot;
    std::uint32_t on_path = 0;
    std::size_t part = 0;
    std::uint32_t visits = 0;
    std::uint8_t kind = 0;
    std::uint64_t entered_before = 0;  // when it was put on the path
    std::uint64_t subtree = 0;
    std::uint64_t joined = 0;  // its part
    std::uint64_t used = 0;
  };

  explicit ObviousCache(const strategy::Cache& replacement)
      : replacement_(replacement), turns_(replacement.policy.size()) {}

  bool contains(const State& state) const { return states_.contains(state); }
  const std::map<State, Stored>& states() const { return states_; }

  std::set<State> off_path() const {
    std::set<State> found;
    for (const auto& [state, stored] : states_)
      if (stored.on_path == 0) found.insert(state);
    return found;
  }

  bool is_full() const { return states_.size() == replacement_.states.value(); }

  void meet(const State& state, std::uint8_t kind) {
    Stored& stored = states_.at(state);
    stored.visits = std::min(stored.visits + 1, 255u);
    stored.kind = std::min(stored.kind, kind);
    stored.used = ++clock_;
  }

  void add(const State& state, Slot slot, std::uint8_t kind) {
    Stored& stored = states_[state];
    stored.slot = slot;
    stored.on_path = 1;
    stored.visits = 1;
    stored.kind = kind;
    stored.entered_before = ++entered_;
    settle(on_path());
  }

  void put_on_path(const State& state) {
    Stored& stored = states_.at(state);
    if (stored.on_path++ == 0) stored.entered_before = entered_;
  }

  void leave_path(const State& state) {
    Stored& stored = states_.at(state);
    if (--stored.on_path != 0) return;
    stored.subtree += entered_ - stored.entered_before;
    join(stored, 0);
  }

  /// The state that is evicted for a fresh one. There must be one off the path.
  State next_forgotten() {
    settle(on_path() + 1);
    std::size_t part = replacement_.policy.size() - 1;
    while (members(part).empty()) --part;
    return choose(part);
  }

  void forget(const State& state) { states_.erase(state); }

 private:
  using Member = const std::pair<const State, Stored>*;

  std::uint64_t on_path() const { return states_.size() - off_path().size(); }

  std::vector<Member> members(std::size_t part) const {
    std::vector<Member> found;
    for (const auto& entry : states_)
      if (entry.second.on_path == 0 && entry.second.part == part) found.push_back(&entry);
    return found;
  }

  void join(Stored& stored, std::size_t part) {
    stored.part = part;
    stored.joined = stored.used = ++clock_;
  }

  std::uint64_t room(std::size_t part) const {
    return replacement_.states.value() * replacement_.policy[part].percent / 100;
  }

  void settle(std::uint64_t path) {
    for (std::size_t part = 0; part + 1 < replacement_.policy.size(); ++part) {
      while (!members(part).empty() && members(part).size() + path > room(part))
        join(states_.at(choose(part)), part + 1);
      path = path > room(part) ? path - room(part) : 0;
    }
  }

  State choose(std::size_t part) {
    const std::vector<Member> all = members(part);
    const auto least = [&](auto rank) {
      const auto before = [&](Member left, Member right) { return rank(left->second) < rank(right->second); };
      return (*std::min_element(all.begin(), all.end(), before))->first;
    };
    switch (replacement_.policy[part].policy) {
      case Policy::random: break;
      case Policy::fifo: return look(part, all)->first;
      case Policy::lru: return least([](const Stored& stored) { return stored.used; });
      case Policy::mru: return least([](const Stored& stored) { return ~stored.used; });
      case Policy::lfu: return least([](const Stored& stored) { return std::tuple(stored.visits, stored.used); });
      case Policy::mfu: return least([](const Stored& stored) { return std::tuple(~stored.visits, stored.used); });
      case Policy::largest_class:
        return least([&](const Stored& stored) {
          const auto size = std::count_if(all.begin(), all.end(),
                                          [&](Member other) { return other->second.visits == stored.visits; });
          return std::tuple(-size, stored.visits, stored.used);
        });
      case Policy::smallest_subtree:
        return least([](const Stored& stored) { return std::tuple(stored.subtree, stored.joined); });
      case Policy::type: return look_for_type(part, all)->first;
    }
    return {};
  }

  Member look(std::size_t part, const std::vector<Member>& all) {
    Member found = nullptr, first = all.front();
    for (const Member member : all) {
      const Slot slot = member->second.slot;
      if (slot >= turns_[part] && (found == nullptr || slot < found->second.slot)) found = member;
      if (slot < first->second.slot) first = member;
    }
    if (found == nullptr) found = first;
    turns_[part] = found->second.slot + 1;
    return found;
  }

  Member look_for_type(std::size_t part, const std::vector<Member>& all) {
    Member highest = look(part, all);
    for (std::uint32_t i = 1; i < replacement_.scan && highest->second.kind < 5; ++i) {
      const Member member = look(part, all);
      if (member->second.kind > highest->second.kind) highest = member;
    }
    return highest;
  }

  const strategy::Cache& replacement_;
  std::map<State, Stored> states_;
  std::vector<Slot> turns_;
  std::uint64_t clock_ = 0, entered_ = 0;
};

}  // namespace scrimp::testing
