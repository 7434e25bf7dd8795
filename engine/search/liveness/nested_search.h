// Searches the product for a cycle with an edge that has a mark, with two bits for each state.
//
// S. Schwoon, J. Esparza, A note on on-the-fly verification algorithms, TACAS 2005, LNCS 3440, after C. Courcoubetis,
// M. Vardi, P. Wolper, M. Yannakakis, Memory-efficient algorithms for the verification of temporal properties, Formal
// Methods in System Design 1 (1992); with marks on edges. States on the path are cyan; those that were left are blue,
// or red if a second search has visited them.
//
//   1. Search depth-first, through recurring states only (approach.h). For an edge with a mark that leads
//   2.   to a cyan state: a cycle is found;
//   3.   to a state that is blue when the search goes on or back to its source: search again from there, through blue
//        states only, which become red:
//   4.     if that meets a cyan state, a cycle is found.
//
// An automaton with no marks accepts all its infinite runs: then every edge counts as marked. Automata with several are
// made to have one before the search, and fairness needs a component search.
#pragma once

#include <cstdint>
#include <vector>

#include "core/machine.h"
#include "core/region_vector.h"
#include "observe/observer.h"
#include "search/depth_first/path.h"
#include "search/depth_first/path_expansion.h"
#include "search/expansion/expander.h"
#include "search/liveness/approach.h"
#include "search/liveness/product.h"
#include "store/state_set.h"

namespace scrimp {

template <StateSet Set, class Passing, std::uint32_t fixed_words>
class NestedSearch {
 public:
  NestedSearch(Expander& expander, const Product& product, bool has_mark, Set& set, Passing& passing,
               Path<fixed_words>& path, Observer& observer, Budget& budget)
      : product_(product),
        has_mark_(has_mark),
        set_(set),
        passing_(passing),
        observer_(observer),
        blue_(path, expander, observer, budget),
        red_path_(budget, expander),
        red_(red_path_, expander, observer, budget),
        marked_(budget) {}

  bool has_room() const { return blue_.expansion.blocks().has_room() && red_.expansion.blocks().has_room(); }

  /// If the search has ended with a finding, this is about the last state of the path.
  SearchEnd end() const { return end_; }

  /// From recurring states that were met at these depths.
  void search_from(const Word* roots, const std::uint32_t* depths, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count && goes_on(); ++i) {
      const std::uint32_t place =
          blue_.expansion.place_root(roots + std::size_t{i} * blue_.expansion.words(), depths[i]);
      prepare(blue_, place, 1);
      visit(place, false);
      while (goes_on() && !blue_.path.empty()) {  // L1
        if (!blue_.blocks().exhausted()) {
          take();
        } else {
          leave();
        }
      }
    }
  }

  /// After a run that found a cycle: the edge with a mark, by its source, which is the last state of the path, and its
  /// target. The target reaches the source.
  const std::vector<Word>& target() const { return target_; }

  std::uint64_t block_bytes() const { return blue_.expansion.bytes() + red_.expansion.bytes(); }
  std::uint64_t path_bytes() const { return red_path_.peak_bytes() + marked_.bytes(); }
  std::uint64_t red_transitions() const { return red_transitions_; }

 private:
  enum Colour : Word { cyan = 1, blue = 2, red = 3 };

  struct Side {
    Side(Path<fixed_words>& its_path, Expander& expander, Observer& observer, Budget& budget)
        : path(its_path), expansion(expander, its_path, observer, budget) {}

    BlockStack& blocks() { return expansion.blocks(); }

    Path<fixed_words>& path;
    PathExpansion<fixed_words> expansion;
  };

  bool goes_on() const { return observer_.running() && end_ == SearchEnd::nothing_found; }

  bool is_marked(const Word* source, const Word* target) const {
    return !has_mark_ || product_.marks(source, target) != 0;
  }

  void take() {
    const std::uint32_t place = blue_.blocks().take();
    const EventId event = blue_.blocks().events()[place];
    blue_.expansion.reach(place);
    if (event & fault_flag) [[unlikely]]
      return fault(event);
    blue_.expansion.fired(event);
    const Word* const target = blue_.expansion.successor(place);
    if (product_.is_passing(target)) return passing_.add(target, blue_.expansion.depth() + 1);
    visit(place, is_marked(blue_.path.top(), target));
  }

  /// A run ends in a fault: no infinite run begins with it.
  [[gnu::noinline]] void fault(EventId event) {
    if ((event & event_mask) == product_.stutter()) {
      end_ = SearchEnd::unknown;
    } else if (kind_of(event) == Finding::Kind::fault) {
      ++observer_.counts.faults;
    }
  }

  void visit(std::uint32_t place, bool marked) {
    auto entry = set_.visit(blue_.expansion.successor(place), blue_.blocks().keys()[place]);
    switch (entry.insertion) {
      case Insertion::known:
        ++observer_.counts.matched;
        if (marked) close(blue_.expansion.successor(place), entry.annotation());
        break;
      case Insertion::fresh:
        entry.annotation() = Word{cyan};
        enter(place, marked);
        break;
      case Insertion::no_room: observer_.end(Reason::memory); break;
    }
  }

  void enter(std::uint32_t place, bool marked) {
    ++observer_.counts.states;
    const Taken taken = blue_.blocks().exhausted() ? all_taken : blue_.blocks().taken();
    if (!blue_.path.push(blue_.expansion.successor(place), taken)) return observer_.end(Reason::memory);
    marked_.push(marked);
    blue_.expansion.advance(blue_.expansion.steps_to(place));
    observer_.deeper(blue_.expansion.depth());
    list_successors(blue_, 0, true);
  }

  void leave() {
    const bool marked = marked_.pop() != 0;
    const std::vector<Word> left(blue_.path.top(), blue_.path.top() + blue_.expansion.words());
    colour(left.data()) = Word{blue};
    const Taken taken = blue_.path.pop();
    blue_.expansion.retreat();
    if (blue_.path.empty()) return;
    if (marked) close(left.data(), Word{blue});
    if (!goes_on() || taken == all_taken) return;
    if (blue_.blocks().live()) {
      blue_.blocks().resume(taken);
    } else {
      list_successors(blue_, taken, false);
    }
  }

  /// An edge with a mark leads from the last state of the path to a known one.
  void close(const Word* state, Word its_colour) {
    if (its_colour == red) return;
    if (its_colour == cyan) {  // L2
      end_ = SearchEnd::accepted;
    } else {
      search_again(state);  // L3
    }
    if (end_ == SearchEnd::accepted) target_.assign(state, state + blue_.expansion.words());
  }

  void search_again(const Word* root) {
    colour(root) = Word{red};
    if (!red_.path.push(root, 0)) return observer_.end(Reason::memory);
    red_.expansion.advance(1);
    list_successors(red_, 0, false);
    while (goes_on() && !red_.path.empty()) {
      if (!red_.blocks().exhausted()) {
        take_again();
      } else {
        leave_again();
      }
    }
  }

  void take_again() {
    const std::uint32_t place = red_.blocks().take();
    if (red_.blocks().events()[place] & fault_flag) return;
    if (product_.is_passing(red_.expansion.successor(place))) return;
    if (++red_transitions_ % transitions_per_check == 0) observer_.may_go_on();
    auto entry = set_.visit(red_.expansion.successor(place), red_.blocks().keys()[place]);
    if (entry.insertion == Insertion::no_room) return observer_.end(Reason::memory);
    if (entry.annotation() == Word{cyan}) {  // L4
      end_ = SearchEnd::accepted;
      return;
    }
    if (entry.insertion == Insertion::fresh) {  // beyond the depth limit
      entry.annotation() = Word{red};
      return;
    }
    if (entry.annotation() == Word{red}) return;
    entry.annotation() = Word{red};
    const Taken taken = red_.blocks().exhausted() ? all_taken : red_.blocks().taken();
    if (!red_.path.push(red_.expansion.successor(place), taken)) return observer_.end(Reason::memory);
    red_.expansion.advance(red_.expansion.steps_to(place));
    list_successors(red_, 0, false);
  }

  void leave_again() {
    const Taken taken = red_.path.pop();
    red_.expansion.retreat();
    if (red_.path.empty() || taken == all_taken) return;
    if (red_.blocks().live()) {
      red_.blocks().resume(taken);
    } else {
      list_successors(red_, taken, false);
    }
  }

  decltype(auto) colour(const Word* state) { return scrimp::visit(set_, state).annotation(); }

  void list_successors(Side& side, Taken taken, bool fresh) {
    const Listing listed = side.expansion.list(taken, fresh);
    if (!listed.has_flags) return prepare(side, listed.place, listed.count);
    for (std::uint32_t place = listed.place; place < listed.place + listed.count; ++place)
      if (!(side.blocks().events()[place] & fault_flag)) prepare(side, place, 1);
  }

  void prepare(Side& side, std::uint32_t place, std::uint32_t count) {
    set_.prepare(side.expansion.successor(place), count, side.blocks().keys() + place);
  }

  static constexpr std::uint64_t transitions_per_check = 4096;

  const Product& product_;
  const bool has_mark_;
  Set& set_;
  Passing& passing_;
  Observer& observer_;
  Side blue_;
  Path<fixed_words> red_path_;
  Side red_;
  RegionVector<std::uint8_t> marked_;  // whether the edge to each state of the path has a mark
  std::vector<Word> target_;
  std::uint64_t red_transitions_ = 0;
  SearchEnd end_ = SearchEnd::nothing_found;
};

}  // namespace scrimp
