// Sets of events, each stored once and identified by a number.
//
//     members   | 3 8 | 3 8 21 | 8 | ...       in the order of event ids
//     begins    0     2        5   6           set i is members[begins[i]] up to members[begins[i + 1]]
//
// A search goes from one set to another along every transition, and few distinct sets occur: so each operation is
// looked up, by its operands, in a small table of recent ones, and computed if it is not there. Set 0 is the empty set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/memory.h"
#include "reduction/relations.h"

namespace scrimp {

using SleepSet = std::uint32_t;

/// Classes of events that depend on the same events, as bits; one bit may stand for several classes.
using EventClasses = std::uint32_t;

/// Whether there are independent events: otherwise no event is ever asleep.
bool are_any_independent(const Relations& relations);

class SleepSetTable {
 public:
  static constexpr SleepSet empty = 0;
  /// Returned instead of a set if the budget is exhausted.
  static constexpr SleepSet no_room = ~SleepSet{0};
  /// Numbers of sets are below this.
  static constexpr SleepSet most_sets = SleepSet{1} << 31;

  SleepSetTable(const Relations& relations, Budget& budget);

  bool contains(SleepSet set, EventId event) const;
  /// Whether `part` is a subset of `whole`.
  bool includes(SleepSet whole, SleepSet part) const;
  /// Whether `part` is a subset of the union of `a` and `b`.
  bool includes(SleepSet a, SleepSet b, SleepSet part) const;
  /// The set with an event added.
  SleepSet with(SleepSet set, EventId event) { return recalled(Operation::with, set, event); }
  /// The members of the set that are independent of an event.
  SleepSet after(SleepSet set, EventId event) {
    return set == empty || independence_[event].others == 0 ? empty : recalled(Operation::after, set, event);
  }
  EventClasses classes(std::span<const EventId> entries) const {
    EventClasses found = 0;
    for (const EventId each : entries) found |= independence_[each & event_mask].own;
    return found;
  }
  /// Whether an event may be asleep after one of these: it may be independent of it. Otherwise no set needs it.
  bool may_sleep_after(EventId event, EventClasses others) const { return (independence_[event].others & others) != 0; }
  SleepSet intersection(SleepSet a, SleepSet b);

  std::uint64_t bytes() const { return members_.bytes() + begins_.bytes() + table_.bytes() + recent_.bytes(); }

 private:
  enum class Operation : std::uint32_t { after, with };

  /// An operation with a known result. In an unused place everything is zero; that is right, too, because the empty set
  /// stays empty after an event.
  struct Recent {
    SleepSet set;
    std::uint32_t event_and_operation;
    SleepSet result;
  };
  struct Independence {
    EventClasses own;     // of the event itself
    EventClasses others;  // that it is independent of
  };

  static std::vector<Independence> find_independence(const Relations& relations);

  static constexpr std::size_t recent_places = std::size_t{1} << 13;

  const EventId* begin(SleepSet set) const { return members_.as<EventId>() + begins_.as<std::uint32_t>()[set]; }
  const EventId* end(SleepSet set) const { return begin(set + 1); }

  SleepSet recalled(Operation operation, SleepSet set, EventId event) {
    const std::uint32_t key = event << 1 | static_cast<std::uint32_t>(operation);
    Recent& place = recent_.as<Recent>()[(set * 0x9e3779b1u + key * 0x85ebca6bu) >> 8 & (recent_places - 1)];
    if (place.set == set && place.event_and_operation == key) return place.result;
    return computed(place, set, key);
  }

  SleepSet computed(Recent& place, SleepSet set, std::uint32_t key);
  /// The number of the set whose members are in `gathered_`.
  SleepSet numbered();
  bool add(std::uint64_t hash);
  bool grow_table();
  std::uint64_t hash(const EventId* first, const EventId* last) const;

  const Relations& relations_;
  std::vector<Independence> independence_;  // of every event
  Region members_;
  Region begins_;
  Region table_;  // numbers of sets by hash; open addressing, size a power of two; zero: free
  Region recent_;
  std::uint32_t count_ = 1;  // number of sets, including the empty one
  bool has_room_;
  std::vector<EventId> gathered_;
};

}  // namespace scrimp
