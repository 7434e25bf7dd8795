// Stubborn sets: the events to fire, with all that could ever interfere with them.
//
// Antti Valmari, "Stubborn sets for reduced state space generation", Advances in Petri Nets 1990, LNCS 483, 1991:
// strong stubborn sets. Accordance instead of independence: Valmari, "The state explosion problem", LNCS 1491, 1998;
// Valmari, Hansen, "Can stubborn sets be optimal?", 2011. HGP92, section 5, compares them with Overman's method.
//
//   1. For each process that leads an enabled event, in listing order, begin with the first of these events.
//   2. For an enabled event in the set, add all events, enabled or not, that depend on it.
//   3. For a disabled event in the set, add events of which one must be fired before it can be:
//      a. if one of its processes is not at its place, the events by which that process can leave its current place
//         towards it; of several such processes, the one for which the fewest events are added;
//      b. else, the events that may make one false test of its guard true, for which the fewest events are added; or
//         those that may make its guard true, if it is not known which test is false.
//   4. If a visible event in the set is enabled, add all visible events.
//   5. Repeat lines 2 to 4 until no event is added.
//   6. Of the sets found that meet the proviso, choose the one with the fewest enabled events.
//
// A set is abandoned as soon as it can no longer have fewer enabled events than the best one before it: it has as many
// already, or an event was added with which another set began that was then the best one or no better. Line 2, applied
// to enabled events alone, says beforehand how many enabled events a set has at least: sets are tried in that order,
// and those that cannot be better are not begun. In most states in which nothing can be left out, that is all. And if a
// set is abandoned because of another seed, all members that have led there, one after the other, are remembered as
// hopeless: other sets are abandoned when they come to one of these. That another set may have other reasons to add
// less is not considered.
//
// What lines 2 to 4 add depends on the places of processes only, unless an event moves several: so it is computed once
// for each place (Source).
//
// An event that moves a process depends on all events that can move it, so that with an enabled event of the process
// all events that leave its place are members: the process *departs*. Every event that waits for it at another place is
// then provided for, by line 3a, and need not be looked at: it may be regarded as a member, and so may others that wait
// for it in turn. Most transitions of a net depend on an enabled one in this way.
//
//   Valmari                             here
//   stubborn set T(s)                   the members of a set, with the events that line 3 stands for
//   transitions that do not accord      Relations::dependent
//   necessary enabling set              first steps towards a place (ControlFlow), Relations::enabling and
//                                       condition_enabling
//   D1, D2                              below
//   V                                   L4; for properties other than deadlock
//
// Let T be such a set for the state s, and t1 ... tn events, none in T, that can be fired after s one after the other.
//
//   If t of T is disabled in s, it is disabled after t1 ... tn: otherwise one of the events that line 3 added would be
//   among them. For a process that gets from one place to another must first leave the one by an event that can lead to
//   the other; and `enabling` is such a set if all processes are at their places, and so is `condition_enabling` of a
//   test that is false: an event is not enabled before all its tests are true.
//   D2  If t of T is enabled in s, it is enabled after t1 ... tn. For t1 does not depend on t (L2), and both are
//       enabled in s, so t is enabled after t1; and so on. This needs nothing about events that are not enabled
//       together, so it suffices that `dependent` is about events that are: that two events accord.
//   D1  If t of T can be fired after t1 ... tn, then t t1 ... tn can be fired in s and leads to the same state: t is
//       enabled in s, by the first point, and after every ti, by D2; so it can be swapped with tn, ..., t1.
//
// So the enabled events of T are persistent (reduction/proviso.h). With line 4, if T has an enabled visible event, no
// visible event can be fired before one of T: V.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "reduction/control_flow.h"
#include "reduction/proviso.h"
#include "reduction/relations.h"
#include "reduction/selection.h"

namespace scrimp {

class Stubborn final : public Selection {
 public:
  Stubborn(bool proviso, const Relations& relations);
  bool choose(const Word* state, const Entries& entries, Surroundings& around, std::uint8_t* chosen) override;
  std::uint64_t looked_at() const override { return looked_at_; }

 private:
  /// Events that are added together: those that depend on a class, those that may make a test true, and so on. Each
  /// belongs to the share of one of the processes that it moves. That process is at one place only: events that leave
  /// others are represented by the steps towards these.
  struct Source {
    /// What the events of a share stand for if their process is at a place.
    struct Resolved {
      std::vector<EventId> events;  // first those that leave the place, then steps for those that wait for nothing else
      std::uint32_t leaving = 0;    // how many of the first kind
      bool is_known = false;        // computed when it is first asked for
      bool has_all_steps = false;   // whether the steps are all by which the process can get to another place
    };
    struct Share {
      std::uint32_t process;
      bool departs = false;           // all events that may move the process are in the source
      std::vector<EventId> alone;     // that move no other process
      std::vector<EventId> meetings;  // that move others as well: it may take fewer events to wait for one of these
      std::vector<Resolved> at;       // by the index of the place at which the process is
    };
    bool is_made = false;
    std::vector<Share> shares;
    std::vector<EventId> others;  // that move no process
    std::uint64_t added_to = 0;   // the last set that has them
  };

  /// What is known of an event, together because it is asked together: the state in which it is enabled, and its index
  /// among the events that are; the set that it is a member of, and the member for whose sake; the state in which no
  /// set with it is better than the best one.
  struct Mark {
    std::uint64_t enabled_in = 0;
    std::uint64_t member_of = 0;
    std::uint64_t hopeless_in = 0;
    std::uint32_t index = 0;
    EventId cause = 0;
  };

  /// Which of some events are enabled in a state, by index.
  struct Among {
    std::uint64_t state = 0;
    Word enabled = 0;
  };

  /// Numbers that are still to be processed; none is pushed twice.
  class Stack {
   public:
    explicit Stack(std::size_t most) : items_(most) {}
    bool empty() const { return count_ == 0; }
    void clear() { count_ = 0; }
    void push(std::uint32_t item) { items_[count_++] = item; }
    std::uint32_t pop() { return items_[--count_]; }

   private:
    std::vector<std::uint32_t> items_;
    std::size_t count_ = 0;
  };

  /// An event with which a set begins: its index among the enabled ones, and how many of them the set has at least.
  struct Seed {
    std::uint32_t index;
    std::uint32_t at_least;
  };

  void look_at(const Word* state, const Entries& entries);
  void relate_enabled();
  bool close_over(std::uint32_t seed, std::uint32_t fewer_than);
  void bring_in(EventId event) {
    Mark& mark = marks_[event];
    if (mark.member_of == set_) return;
    if (mark.enabled_in == state_) return bring_in_enabled(mark.index);
    mark.member_of = set_;
    mark.cause = cause_;
    left_disabled_.push(event);
  }
  void bring_in_enabled(std::uint32_t index);
  void add_enabled(std::uint32_t index);
  void bring_in(Source& source);
  void abandon();
  std::uint32_t place_left_by(EventId event, std::uint32_t process) const;
  void resolve(Source::Share& share, std::uint32_t place);
  bool departs_with(std::uint32_t its_class, std::uint32_t process) const;
  Source& dependents_of(std::uint32_t its_class);
  Source& source_of(Source& source, Lists::List events) const;
  Source::Share& add_share(Source& source, std::uint32_t process) const;
  void add_to(Source& source, EventId event) const;
  void bring_in_what_enables(EventId event);
  void bring_in_steps_towards(std::uint32_t place);
  std::uint64_t cost_of_steps_towards(std::uint32_t place, std::uint64_t limit);
  std::uint64_t cost_of_making_true(std::uint32_t test, std::uint64_t limit);
  void relate_tests();
  std::uint64_t rough_cost_of(Word enabled, std::size_t count) const;
  Source& what_makes_true(EventId event);
  template <class Events>
  std::uint64_t cost_of(const Events& events, std::uint64_t limit) const;

  /// The events by which a process can leave a place towards another one.
  struct Steps {
    std::vector<EventId> events;
    bool is_known = false;  // computed when they are first asked for
    bool are_all = false;   // by which it can leave the place at all
  };
  const Steps& steps(std::uint32_t from, std::uint32_t towards);

  bool is_taken(std::uint32_t place) const { return place_of_[flow_.process_of(place)] == place; }
  /// Whether all steps towards a place that is not taken are members, because all of its process are.
  bool has_all_steps_towards(std::uint32_t place) const {
    return !is_taken(place) && departed_in_[flow_.process_of(place)] == set_;
  }
  bool is_enabled(EventId event) const { return marks_[event].enabled_in == state_; }
  bool is_member(EventId event) const { return marks_[event].member_of == set_; }
  bool is_too_large(std::uint32_t fewer_than) const { return has_settled_seed_ || enabled_members_ >= fewer_than; }

  const Relations& relations_;
  const Proviso proviso_;
  ControlFlow flow_;
  std::vector<std::vector<EventId>> classes_;                // by dependence class
  std::vector<Source> dependents_;                           // by dependence class
  std::vector<Source> making_true_;                          // by test
  std::vector<std::vector<std::uint32_t>> tests_made_true_;  // by event: the tests that it may make true
  std::vector<Source> enabling_;                             // by event
  std::vector<std::vector<Steps>> steps_;  // by place, and by the index of another place of its process
  Source visible_;                         // empty if visibility does not matter

  // For the current state. Entries that belong to it, and below to the current set, have its number: nothing is
  // cleared.
  std::uint64_t state_ = 0;
  const Word* words_ = nullptr;
  std::vector<Mark> marks_;              // by event
  std::vector<std::uint32_t> place_of_;  // by process
  std::vector<Word> moving_;             // by process: the enabled events that move it, by index, if they are related
  std::vector<std::uint64_t> led_in_;    // by process: it leads an enabled event
  std::uint64_t tests_related_in_ = 0;   // the last state for which the next is known
  std::vector<Among> enabled_making_true_;  // by test: the enabled events that may make it true
  std::vector<Seed> seeds_;
  std::vector<EventId> enabled_;          // each once
  bool are_related_ = false;              // whether the next two are known: there are not too many enabled events
  std::array<Word, 64> needed_;           // by index: the enabled events that every set with this one has
  std::vector<std::uint8_t> is_settled_;  // by index: no set with it has fewer enabled events than the best one

  // For the current set.
  std::uint64_t set_ = 0;
  std::vector<std::uint64_t> sought_in_;    // by place: the steps towards it are members
  std::vector<std::uint64_t> departed_in_;  // by process: all events by which it can leave its place are members
  Stack left_enabled_;                      // members that were not processed yet
  Stack left_disabled_;
  std::uint32_t enabled_members_ = 0;
  Word members_ = 0;   // those that are enabled, by index, if they are related
  EventId cause_ = 0;  // the member that is being processed
  bool has_settled_seed_ = false;

  std::uint64_t looked_at_ = 0;
};

}  // namespace scrimp
