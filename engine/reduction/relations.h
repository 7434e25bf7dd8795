// What a reduction knows about a machine's events: their processes and places, and the dependence between them.
//
// Computed from the model before the search (src/scrimp/reduction/relations.py), never declared. An event here is what
// a search fires from an ordinary state: if it leads through transient states, everything that may happen on the way
// counts as part of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/machine.h"

namespace scrimp {

/// Lists of numbers, one after the other: list i is items[begins[i]] up to items[begins[i + 1]].
struct Lists {
  std::vector<std::uint32_t> begins;
  std::vector<std::uint32_t> items;

  struct List {
    const std::uint32_t* first;
    const std::uint32_t* last;
    const std::uint32_t* begin() const { return first; }
    const std::uint32_t* end() const { return last; }
  };
  List operator[](std::size_t i) const { return {items.data() + begins[i], items.data() + begins[i + 1]}; }
};

/// A *place* is a location of a process; places are numbered through all processes. A *cell* is a part of the state
/// that events of several processes access and some event writes: for example the location of a process, as far as
/// events that do not start with it read it or may move it on their way.
struct Relations {
  /// One entry per event.
  std::vector<std::uint32_t> process;           // the process that leads it
  std::vector<std::uint8_t> kind;               // 1 to 5: GHP92's types of transitions
  std::vector<std::uint8_t> safe;               // all events that may leave its leader's place are local; see local.h
  std::vector<std::uint8_t> visible;            // it may change what a property looks at, or fail
  std::vector<std::uint32_t> dependence_class;  // events of one class depend on the same events

  /// Bit b of row a: if an event of class a and one of class b are both enabled, firing one may disable the other, or
  /// they may not commute (HGP92, Table I). Symmetric; every row starts on a new word.
  std::uint32_t classes = 0;
  std::vector<Word> dependence;

  /// The location of every process: the bits of a state that hold it, and the place of each of their values.
  struct Location {
    std::uint32_t word;
    std::uint32_t shift;
    Word mask;                  // zero if the process never moves
    std::uint32_t first_place;  // index into `places` of the value 0
  };
  std::vector<Location> locations;    // one per process
  std::vector<std::uint32_t> places;  // the place that a value stands for
  std::uint32_t place_count = 0;

  Lists moved_places;  // of an event: the places of the processes that it moves, its leader's first
  Lists leaving;       // of a place: the events that may move its process from there, in order
  Lists entering;      // of a place: the events that may move its process there
  // Of an event that is disabled although all its processes are at their places: one of these must fire first.
  Lists enabling;

  /// A test of a guard: bits of a state must hold a number from `low` to `high`, or must not if it is `negated`. If it
  /// `relies` on the tests before it in a list, it means nothing unless they are true.
  struct Test {
    std::uint32_t word, shift;
    Word mask, low, high;
    bool negated, relies;

    bool is_true(const Word* state) const {
      const Word value = state[word] >> shift & mask;
      return (low <= value && value <= high) != negated;
    }
  };
  std::vector<Test> tests;
  Lists conditions;  // of an event: the tests that must be true before it can be enabled, in order
  Lists
      condition_enabling;  // of a test that is false, if all processes of its event are at their places: as `enabling`
  Lists place_cells;       // of a place: the cells that the events leaving it access
  Lists future_cells;      // of a place: the cells that its process, and those it may start, may access from there on
  Lists support;           // of a process: the cells that it, and those it may start, may ever access
  std::uint32_t cell_count = 0;
  // Of a place: whether its process may get from there to an event for which the system is too small. Empty if there is
  // none.
  std::vector<std::uint8_t> outgrowing;

  std::uint32_t events() const { return static_cast<std::uint32_t>(process.size()); }
  std::size_t row_words() const { return (std::size_t{classes} + 63) / 64; }

  bool may_be_outgrown() const { return !outgrowing.empty(); }

  bool dependent(EventId a, EventId b) const { return are_classes_dependent(dependence_class[a], dependence_class[b]); }
  bool are_classes_dependent(std::size_t a, std::size_t b) const {
    return dependence[a * row_words() + b / 64] >> b % 64 & 1;
  }

  std::uint32_t place(const Word* state, std::uint32_t of_process) const {
    const Location& at = locations[of_process];
    return places[at.first_place + (state[at.word] >> at.shift & at.mask)];
  }
};

}  // namespace scrimp
