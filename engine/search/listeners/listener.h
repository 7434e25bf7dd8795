// Work done with the edges of a search besides the algorithm: writing them out, counting them, auditing choices.
//
// A loop notifies its listener and knows nothing else about it. A listener is a type, so that one that does nothing
// costs nothing.
//
//   searches in blocks   expanded, met, settled      the states of a block are expanded, then its successors visited
//                        edge                        an edge between numbered states
//   path searches        met, entered, left          an edge leads to a state; a fresh state is put on the path
//                        rooted                      a path starts from a known state
//                        listed, chosen              a state's entries, and those chosen to be taken
#pragma once

#include <cstdint>

#include "core/machine.h"
#include "reduction/selection.h"

namespace scrimp {

/// Accepts every notification and does nothing. Listeners derive from it and hide the members they implement.
struct Silent {
  void expanded(std::uint32_t /*end*/) {}
  template <class Entry>
  void met(const Entry&) {}
  template <class Block>
  void settled(Block&) {}
  void edge(Word /*source*/, EventId /*label*/, Word /*target*/) {}

  template <class Expansion, class Entry>
  void met(Expansion&, std::uint32_t /*place*/, const Entry&) {}
  void entered(const Word* /*state*/, Word /*key*/) {}
  void left() {}
  void rooted(Word /*number*/) {}
  void listed(const Word* /*state*/, const Entries&) {}
  void chosen(const Word* /*state*/, const Entries&, const std::uint8_t* /*chosen*/, Surroundings&) {}
};

/// Forwards to two listeners.
template <class First, class Second>
struct Both {
  First first;
  Second second;

  void expanded(std::uint32_t end) { first.expanded(end), second.expanded(end); }
  template <class Entry>
  void met(const Entry& entry) {
    first.met(entry), second.met(entry);
  }
  template <class Block>
  void settled(Block& block) {
    first.settled(block), second.settled(block);
  }
  void edge(Word source, EventId label, Word target) {
    first.edge(source, label, target), second.edge(source, label, target);
  }

  template <class Expansion, class Entry>
  void met(Expansion& expansion, std::uint32_t place, const Entry& entry) {
    first.met(expansion, place, entry);
    second.met(expansion, place, entry);
  }
  void entered(const Word* state, Word key) { first.entered(state, key), second.entered(state, key); }
  void left() { first.left(), second.left(); }
  void rooted(Word number) { first.rooted(number), second.rooted(number); }
  void listed(const Word* state, const Entries& entries) {
    first.listed(state, entries), second.listed(state, entries);
  }
  void chosen(const Word* state, const Entries& entries, const std::uint8_t* chosen, Surroundings& around) {
    first.chosen(state, entries, chosen, around);
    second.chosen(state, entries, chosen, around);
  }
};

}  // namespace scrimp
