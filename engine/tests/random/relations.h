// The relations of a small system's events, from the fields that its transitions name: a second implementation of the
// tables that src/scrimp/reduction/ computes, written for clarity.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "reduction/relations.h"
#include "tests/random/system.h"

namespace scrimp::testing {

using PlaceSet = std::uint64_t;
using ChannelSet = std::uint32_t;

/// The accesses of a transition or an event, which is a transition with everything that may happen in transient states
/// after it.
struct Access {
  FieldSet reads = 0;  // locations and variables
  FieldSet writes = 0;
  ChannelSet looks = 0;     // reads the number or the contents of messages
  ChannelSet sends = 0;     // waits for room and adds a message at the end
  ChannelSet receives = 0;  // waits for the oldest message and takes it
  ChannelSet changes = 0;   // modifies it in any other way
  ProcessSet movers = 0;
  PlaceSet left = 0;
  PlaceSet entered = 0;
  bool everything = false;  // whether it is enabled depends on everything else

  ChannelSet modifies() const { return sends | receives | changes; }
  ChannelSet touches() const { return looks | modifies(); }
};

/// HGP92, Table I: if both are enabled, sending to and receiving from a channel are independent.
inline bool conflict_on_channels(const Access& a, const Access& b) {
  return (a.changes & b.touches()) || (b.changes & a.touches()) || (a.looks & b.modifies()) ||
         (b.looks & a.modifies()) || (a.sends & b.sends) || (a.receives & b.receives);
}

inline bool conflict_on_fields(const Access& a, const Access& b) {
  return (a.writes & (b.reads | b.writes)) || (b.writes & a.reads);
}

inline bool are_dependent(const Access& a, const Access& b) {
  return a.everything || b.everything || (a.movers & b.movers) || conflict_on_fields(a, b) ||
         conflict_on_channels(a, b);
}

/// All data from which `Relations` is computed.
class SystemAccess {
 public:
  explicit SystemAccess(const System& system) : system_(system) {
    std::uint32_t places = 0;
    for (const std::uint8_t count : system.locations) {
      first_place_.push_back(places);
      places += count;
    }
    place_count = places;
    for (const Transition& each : system.transitions) of_transition.push_back(alone(each));
    for (EventId event = 0; event < system.events(); ++event) of_event.push_back(with_followers(event));
  }

  std::uint32_t place(std::uint32_t process, std::uint32_t location) const { return first_place_[process] + location; }
  PlaceSet place_bit(std::uint32_t process, std::uint32_t location) const {
    return PlaceSet{1} << place(process, location);
  }

  PlaceSet places_of(std::uint32_t process) const {
    return ((PlaceSet{1} << system_.locations[process]) - 1) << first_place_[process];
  }

  void add_looks(Access& access, const std::vector<Comparison>& comparisons) const {
    for (const Comparison& each : comparisons) add_read(access, each.field);
  }

  /// The accesses that may enable a transition whose processes are all at their places.
  Access needs(EventId event) const {
    const Transition& transition = system_.transitions[event];
    Access access;
    add_looks(access, transition.guard);
    add_operation(access, transition.operation);
    access.everything = transition.is_timeout;
    return access;
  }

  std::vector<Access> of_transition;
  std::vector<Access> of_event;
  std::uint32_t place_count = 0;

 private:
  void add_read(Access& access, FieldId id) const {
    const Field& field = system_.fields[id];
    if (field.kind == Field::Kind::length || field.kind == Field::Kind::message) {
      access.looks |= ChannelSet{1} << field.number;
    } else {
      access.reads |= FieldSet{1} << id;
    }
  }

  static void add_operation(Access& access, const Operation& operation) {
    const ChannelSet bit = operation.channel == no_channel ? 0 : ChannelSet{1} << operation.channel;
    switch (operation.kind) {
      case Operation::Kind::none: break;
      case Operation::Kind::send: access.sends |= bit; break;
      case Operation::Kind::receive: access.receives |= bit; break;
      case Operation::Kind::lossy_send:
      case Operation::Kind::sorted_send:
      case Operation::Kind::pick: access.changes |= bit; break;
    }
  }

  Access alone(const Transition& transition) const {
    Access access;
    add_looks(access, transition.guard);
    add_looks(access, transition.assertion);
    add_operation(access, transition.operation);
    if (transition.operation.into != no_field) access.writes |= FieldSet{1} << transition.operation.into;
    for (const Assignment& each : transition.assignments) {
      access.writes |= FieldSet{1} << each.target;
      if (each.source != no_field) add_read(access, each.source);
    }
    for (const Move& move : transition.moves) {
      access.movers |= ProcessSet{1} << move.process;
      access.reads |= FieldSet{1} << move.process;
      if (move.source != move.target) access.writes |= FieldSet{1} << move.process;
      access.left |= place_bit(move.process, move.source);
      access.entered |= place_bit(move.process, move.target);
    }
    access.everything = transition.is_timeout;
    return access;
  }

  /// An event that passes through transient states includes everything that its holders may do there.
  Access with_followers(EventId event) const {
    Access access = of_transition[event];
    PlaceSet todo = places_after(system_.transitions[event]);
    for (PlaceSet done = 0; todo != 0;) {
      const PlaceSet bit = todo & -todo;
      done |= bit;
      for (EventId next = 0; next < system_.events(); ++next) {
        const Move& lead = system_.transitions[next].moves[0];
        if (place_bit(lead.process, lead.source) != bit) continue;
        add_follower(access, of_transition[next]);
        todo |= places_after(system_.transitions[next]);
      }
      todo &= ~done;
    }
    return access;
  }

  /// Where the holder may be after a transition: it need not be one of the processes that moved.
  PlaceSet places_after(const Transition& transition) const {
    if (transition.holder == no_process) return 0;
    PlaceSet places = 0;
    for (const Move& move : transition.moves)
      if (move.process == transition.holder) places |= place_bit(move.process, move.target);
    if (places != 0) return places;
    for (std::uint8_t i = 0; i < system_.locations[transition.holder]; ++i) places |= place_bit(transition.holder, i);
    return places;
  }

  /// A channel operation after the first transition may stop half way, and so is not plain sending or receiving.
  static void add_follower(Access& access, const Access& follower) {
    access.reads |= follower.reads;
    access.writes |= follower.writes;
    access.looks |= follower.looks;
    access.changes |= follower.modifies();
    access.movers |= follower.movers;
    access.left |= follower.left;
    access.entered |= follower.entered;
    access.everything = access.everything || follower.everything;
  }

  const System& system_;
  std::vector<std::uint32_t> first_place_;
};

class RelationsOf {
 public:
  explicit RelationsOf(const System& system) : system_(system), access_(system) {
    find_cells();
    find_watched();
    find_meeting_places();
    describe_events();
    relate();
    describe_places();
    list_events();
    list_cells();
  }

  Relations take() { return std::move(relations_); }

 private:
  static void begin(Lists& lists) { lists.begins.assign(1, 0); }
  static void end_list(Lists& lists) { lists.begins.push_back(static_cast<std::uint32_t>(lists.items.size())); }
  static void add_bits(Lists& lists, std::uint64_t set) {
    for (; set != 0; set &= set - 1) lists.items.push_back(static_cast<std::uint32_t>(std::countr_zero(set)));
    end_list(lists);
  }

  const Access& event(EventId id) const { return access_.of_event[id]; }
  EventId events() const { return system_.events(); }
  /// The processes that must be at their places for an event to begin; on its way it may move others.
  ProcessSet first_movers(EventId id) const { return access_.of_transition[id].movers; }

  /// Fields and channels that events of several processes access and one writes. That a transition moves a process is
  /// known anyway; a location is a cell if other processes look at it.
  void find_cells() {
    const std::size_t fields = system_.fields.size();
    std::vector<ProcessSet> accessing(fields + system_.channels.size());
    std::vector<bool> written(accessing.size());
    for (std::size_t item = 0; item < accessing.size(); ++item) {
      for (EventId id = 0; id < events(); ++id) {
        if (!accesses(event(id), item)) continue;
        const ProcessSet movers = first_movers(id);
        const bool is_own_location = item < system_.processes && (movers >> item & 1);
        accessing[item] |= is_own_location ? ProcessSet{1} << item : movers;
        written[item] = written[item] || writes(event(id), item);
      }
    }
    cell_of_.assign(accessing.size(), no_cell);
    for (std::size_t item = 0; item < accessing.size(); ++item)
      if (written[item] && std::popcount(accessing[item]) > 1) cell_of_[item] = relations_.cell_count++;
  }

  bool accesses(const Access& access, std::size_t item) const {
    const std::size_t fields = system_.fields.size();
    return item < fields ? (access.reads | access.writes) >> item & 1 : access.touches() >> (item - fields) & 1;
  }
  bool writes(const Access& access, std::size_t item) const {
    const std::size_t fields = system_.fields.size();
    return item < fields ? access.writes >> item & 1 : access.modifies() >> (item - fields) & 1;
  }

  void find_watched() {
    for (const auto& watch : system_.watches) access_.add_looks(watched_, watch);
  }

  /// The places where a process may be met in a transient state, by events that do not begin with it.
  void find_meeting_places() {
    for (EventId id = 0; id < events(); ++id)
      for (std::uint32_t process = 0; process < system_.processes; ++process)
        if (!(first_movers(id) >> process & 1)) met_ |= event(id).left & access_.places_of(process);
  }

  void describe_events() {
    const std::vector<bool> safe = safe_places();
    for (EventId id = 0; id < events(); ++id) {
      const Move& lead = system_.transitions[id].moves[0];
      relations_.process.push_back(lead.process);
      relations_.kind.push_back(kind(system_.transitions[id]));
      relations_.safe.push_back(safe[access_.place(lead.process, lead.source)]);
      relations_.visible.push_back(is_visible(id));
    }
  }

  static std::uint8_t kind(const Transition& transition) {
    using enum Operation::Kind;
    switch (transition.operation.kind) {
      case receive:
      case pick: return 2;
      case send:
      case lossy_send:
      case sorted_send: return 3;
      case none: break;
    }
    if (!transition.assignments.empty()) return 4;
    return transition.guard.empty() ? 5 : 1;
  }

  /// Local: moves one process; no transition of other processes writes what it accesses, nor reads what it writes. It
  /// does not move the process to a place where it may be met in a transient state, which would let others continue.
  bool is_local(EventId id) const {
    const Access& access = event(id);
    if (access.everything || std::popcount(access.movers) != 1) return false;
    if (access.entered & met_) return false;
    for (const Access& other : access_.of_transition) {
      if (other.movers & access.movers) continue;
      if (conflict_on_fields(access, other) || (access.modifies() & other.touches()) ||
          (access.looks & other.modifies()))
        return false;
    }
    return true;
  }

  std::vector<bool> safe_places() const {
    std::vector<bool> safe(access_.place_count, true);
    for (EventId id = 0; id < events(); ++id) {
      if (is_local(id)) continue;
      for (PlaceSet left = event(id).left; left != 0; left &= left - 1)
        safe[static_cast<std::size_t>(std::countr_zero(left))] = false;
    }
    return safe;
  }

  /// Changes something that a watch looks at, or asserts something about what others change.
  bool is_visible(EventId id) const {
    const Access& access = event(id);
    if ((access.writes & watched_.reads) || (access.modifies() & watched_.looks)) return true;
    if (system_.transitions[id].assertion.empty()) return false;
    Access asserted;
    access_.add_looks(asserted, system_.transitions[id].assertion);
    for (const Access& other : access_.of_transition) {
      if (other.movers & access.movers) continue;
      if ((asserted.reads & other.writes) || (asserted.looks & other.modifies())) return true;
    }
    return false;
  }

  void relate() {
    std::vector<EventSet> rows(events(), 0);
    for (EventId a = 0; a < events(); ++a)
      for (EventId b = 0; b < events(); ++b) rows[a] |= EventSet{a == b || are_dependent(event(a), event(b))} << b;
    std::vector<EventId> representatives;
    for (EventId a = 0; a < events(); ++a) {
      std::uint32_t found = 0;
      while (found < representatives.size() && rows[representatives[found]] != rows[a]) ++found;
      if (found == representatives.size()) representatives.push_back(a);
      relations_.dependence_class.push_back(found);
    }
    relations_.classes = static_cast<std::uint32_t>(representatives.size());
    relations_.dependence.assign(relations_.classes * relations_.row_words(), 0);
    for (std::uint32_t a = 0; a < relations_.classes; ++a)
      for (std::uint32_t b = 0; b < relations_.classes; ++b)
        if (rows[representatives[a]] >> representatives[b] & 1)
          relations_.dependence[a * relations_.row_words() + b / 64] |= Word{1} << b % 64;
  }

  /// Places are numbered from the last location to the first, so that a place is not mistaken for a value.
  void describe_places() {
    relations_.place_count = access_.place_count;
    for (std::uint32_t process = 0; process < system_.processes; ++process) {
      const Field& field = system_.fields[process];
      relations_.locations.push_back(
          {field.word, field.shift, field.mask(), static_cast<std::uint32_t>(relations_.places.size())});
      for (Word value = 0; value <= field.mask(); ++value)
        relations_.places.push_back(
            number(access_.place(process, value < system_.locations[process] ? static_cast<std::uint32_t>(value) : 0)));
    }
  }
  std::uint32_t number(std::uint32_t place) const { return access_.place_count - 1 - place; }
  PlaceSet bit_of(std::uint32_t numbered) const { return PlaceSet{1} << number(numbered); }

  void list_events() {
    begin(relations_.moved_places);
    begin(relations_.enabling);
    begin(relations_.conditions);
    begin(relations_.condition_enabling);
    for (EventId id = 0; id < events(); ++id) {
      for (const Move& move : system_.transitions[id].moves)
        relations_.moved_places.items.push_back(number(access_.place(move.process, move.source)));
      end_list(relations_.moved_places);
      add_bits(relations_.enabling, enabling(id));
      list_conditions(id);
    }
    begin(relations_.leaving);
    begin(relations_.entering);
    for (std::uint32_t place = 0; place < access_.place_count; ++place) {
      EventSet leaving = 0, entering = 0;
      for (EventId id = 0; id < events(); ++id) {
        leaving |= EventSet{(event(id).left & bit_of(place)) != 0} << id;
        entering |= EventSet{(event(id).entered & bit_of(place)) != 0} << id;
      }
      add_bits(relations_.leaving, leaving);
      add_bits(relations_.entering, entering);
    }
  }

  /// The comparisons of a guard with variables, and what a receive needs: a message, and the right one.
  void list_conditions(EventId id) {
    const Transition& transition = system_.transitions[id];
    for (const Comparison& each : transition.guard)
      if (system_.fields[each.field].kind == Field::Kind::variable)
        add_condition(test(each), [&](const Access& by) { return (by.writes >> each.field & 1) != 0; });
    const Operation& operation = transition.operation;
    if (operation.kind == Operation::Kind::receive) {
      const Channel& channel = system_.channels[operation.channel];
      const ChannelSet bit = ChannelSet{1} << operation.channel;
      add_condition(test({channel.length, Comparison::Operator::unequal, 0}),
                    [&](const Access& by) { return ((by.sends | by.changes) & bit) != 0; });
      if (!operation.any) {
        Relations::Test oldest = test({channel.messages[0], Comparison::Operator::equal, operation.value});
        oldest.relies = true;
        add_condition(oldest, [&](const Access& by) { return ((by.receives | by.changes) & bit) != 0; });
      }
    }
    end_list(relations_.conditions);
  }

  Relations::Test test(const Comparison& comparison) const {
    const Field& field = system_.fields[comparison.field];
    Relations::Test made{field.word, field.shift, field.mask(), comparison.value, comparison.value, false, false};
    if (comparison.compare == Comparison::Operator::unequal) made.negated = true;
    if (comparison.compare == Comparison::Operator::less) made.negated = true, made.high = field.mask();
    return made;
  }

  template <class MayMakeTrue>
  void add_condition(const Relations::Test& test, MayMakeTrue may_make_true) {
    relations_.conditions.items.push_back(static_cast<std::uint32_t>(relations_.tests.size()));
    relations_.tests.push_back(test);
    EventSet set = 0;
    for (EventId other = 0; other < events(); ++other) set |= EventSet{may_make_true(event(other))} << other;
    add_bits(relations_.condition_enabling, set);
  }

  EventSet enabling(EventId id) const {
    const Access needs = access_.needs(id);
    const Operation& operation = system_.transitions[id].operation;
    const ChannelSet by_content =
        operation.kind == Operation::Kind::receive && operation.any ? ChannelSet{0} : needs.receives;
    EventSet set = 0;
    for (EventId other = 0; other < events(); ++other) {
      const Access& by = event(other);
      const bool may = needs.everything || (needs.reads & by.writes) ||
                       ((needs.looks | needs.changes) & by.modifies()) || (needs.sends & (by.receives | by.changes)) ||
                       (needs.receives & (by.sends | by.changes)) || (by_content & by.receives);
      set |= EventSet{may} << other;
    }
    return set;
  }

  using CellSet = std::uint64_t;

  void list_cells() {
    std::vector<CellSet> of_place(access_.place_count, 0);
    for (std::uint32_t place = 0; place < access_.place_count; ++place)
      for (EventId id = 0; id < events(); ++id)
        if (event(id).left & bit_of(place)) of_place[place] |= cells(event(id));
    begin(relations_.place_cells);
    begin(relations_.future_cells);
    begin(relations_.support);
    for (std::uint32_t place = 0; place < access_.place_count; ++place) {
      add_bits(relations_.place_cells, of_place[place]);
      CellSet future = 0;
      const PlaceSet reached = reachable(bit_of(place));
      for (std::uint32_t later = 0; later < access_.place_count; ++later)
        if (reached & bit_of(later)) future |= of_place[later];
      add_bits(relations_.future_cells, future);
    }
    for (std::uint32_t process = 0; process < system_.processes; ++process) {
      CellSet all = 0;
      for (std::uint8_t i = 0; i < system_.locations[process]; ++i) all |= of_place[number(access_.place(process, i))];
      add_bits(relations_.support, all);
    }
  }

  CellSet cells(const Access& access) const {
    CellSet set = 0;
    for (std::size_t item = 0; item < cell_of_.size(); ++item)
      if (cell_of_[item] != no_cell && (access.everything || accesses(access, item)))
        set |= CellSet{1} << cell_of_[item];
    return set;
  }

  /// The places that a process at one of these places may reach.
  PlaceSet reachable(PlaceSet places) const {
    for (PlaceSet before = 0; before != places;) {
      before = places;
      for (const Transition& each : system_.transitions)
        for (const Move& move : each.moves)
          if (places & access_.place_bit(move.process, move.source))
            places |= access_.place_bit(move.process, move.target);
    }
    return places;
  }

  static constexpr std::uint32_t no_cell = ~std::uint32_t{0};

  const System& system_;
  const SystemAccess access_;
  Access watched_;
  PlaceSet met_ = 0;
  std::vector<std::uint32_t> cell_of_;  // of fields, then of channels
  Relations relations_;
};

inline Relations relations_of(const System& system) { return RelationsOf(system).take(); }

}  // namespace scrimp::testing
