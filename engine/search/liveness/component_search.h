// Searches the product for a strongly connected component with an accepted run, fair if that is asked.
//
// J.-M. Couvreur, On-the-fly verification of linear temporal logic, FM 1999, LNCS 1708; iterative, with generalised
// acceptance on edges. The components of the explored graph that contain states of the path form a stack:
//
//     path     s0 → s1 → s2 → s3 → s4            top
//     stack    [ s0 ][ s1   s2   ...][ s3   s4 ]  each with the marks of its edges, and of the edge that leads to it
//
//   1. Enter the roots, one after the other, unless they are known.
//   2. While the path is not empty, look at its last state:
//   3.   if it has an event that was not taken, take the first such event;
//   4.     if that leads to a fresh state, enter it: number it, put it on the path as a component of its own;
//   5.     if it leads to a live state, that of an incomplete component, merge all components from that one on, with
//          the marks of the edges between them and of this one; if the result accepts, an accepted run is found;
//   6.     if it leads to a dead state, nothing is to be done;
//   7.   else leave the state; if it is the root of its component, that is complete: its states are dead.
//   8.     With strong fairness, or if not all processes fit into a word, first look at the component again
//          (accepting_parts.h).
//
// Deviations: only recurring states are searched (approach.h), which has the roots and takes the others; dead states
// are recognised by their numbers (dead_numbers.h); fairness adds marks to edges, see acceptance.h, and no state is
// copied. A number is the annotation of a state.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "core/machine.h"
#include "core/region_vector.h"
#include "observe/observer.h"
#include "search/depth_first/path.h"
#include "search/depth_first/path_expansion.h"
#include "search/expansion/expander.h"
#include "search/liveness/acceptance.h"
#include "search/liveness/approach.h"
#include "search/liveness/dead_numbers.h"
#include "search/liveness/product.h"
#include "store/state_set.h"

namespace scrimp {

/// `fixed_words` is the product's number of words if the loop is compiled for that number, else 0.
template <StateSet Set, class Passing, std::uint32_t fixed_words>
class ComponentSearch {
 public:
  /// Called with the last state of the path if its component is complete and may accept, or a part of it: whether it
  /// does.
  using Refine = std::function<bool(const Word* state)>;

  ComponentSearch(Expander& expander, const Product& product, Acceptance& acceptance, Set& set, Passing& passing,
                  Path<fixed_words>& path, Observer& observer, Budget& budget, std::uint64_t near_bytes, Refine refine)
      : product_(product),
        acceptance_(acceptance),
        set_(set),
        passing_(passing),
        path_(path),
        observer_(observer),
        near_bytes_(near_bytes),
        keys_(budget),
        expansion_(expander, path, observer, budget),
        refine_(std::move(refine)),
        components_(budget),
        able_(budget),
        dead_(budget) {}

  bool has_room() const { return expansion_.blocks().has_room(); }

  /// If the search has ended with a finding, this is about the last state of the path.
  SearchEnd end() const { return end_; }

  /// From recurring states that were met at these depths.
  void search_from(const Word* roots, const std::uint32_t* depths, std::uint32_t count) {
    keys_.resize(count);
    set_.prepare(roots, count, keys_.data());
    for (std::uint32_t i = 0; i < count && goes_on(); ++i) {
      enter_root(roots + std::size_t{i} * expansion_.words(), depths[i], keys_[i]);  // L1
      while (goes_on() && !path_.empty()) {                                          // L2
        if (!blocks().exhausted()) {
          take();  // L3
        } else {
          leave();  // L7
        }
      }
    }
  }

  /// Whether a state with this annotation belongs to the last component: the one that accepts, or that is refined.
  bool is_accepted(std::uint64_t number) const { return number >= components_.back().root && !dead_.contains(number); }

  std::uint64_t component_bytes() const { return components_.bytes() + able_.bytes() + dead_.bytes(); }
  std::uint64_t block_bytes() const { return expansion_.bytes(); }

 private:
  struct Component {
    std::uint64_t root;   // the number of its first state
    std::uint64_t place;  // of that state on the path, counted from 1
    Word incoming;        // marks of the edge that led to it
    Gathered gathered;
  };

  BlockStack& blocks() { return expansion_.blocks(); }
  std::uint64_t depth() const { return expansion_.depth(); }

  /// Whether a lookup takes longer than it takes to expand a state, often for nothing.
  bool is_far() const { return set_.bytes() > near_bytes_; }

  bool goes_on() const { return observer_.running() && end_ == SearchEnd::nothing_found; }

  void enter_root(const Word* root, std::uint32_t depth, Word key) {
    const std::uint32_t place = expansion_.place_root(root, depth);
    blocks().keys()[place] = key;
    insert(place, 0, false);
  }

  [[gnu::always_inline]] void take() {
    const std::uint32_t place = blocks().take();
    const EventId event = blocks().events()[place];
    expansion_.reach(place);
    if (event & fault_flag) [[unlikely]]
      return fault(event);
    expansion_.fired(event);
    if (product_.is_passing(expansion_.successor(place))) return passing_.add(expansion_.successor(place), depth() + 1);
    if (is_far() && blocks().taken() == 1) expansion_.foresee(place);  // the set was asked for it just now
    insert(place, event, true);
  }

  /// A run ends in a fault: no infinite run begins with it.
  [[gnu::noinline]] void fault(EventId event) {
    if ((event & event_mask) == product_.stutter()) {
      end_ = SearchEnd::unknown;
    } else if (kind_of(event) == Finding::Kind::fault) {
      ++observer_.counts.faults;
    }
  }

  [[gnu::always_inline]] void insert(std::uint32_t place, EventId event, bool has_source) {
    auto entry = set_.visit(expansion_.successor(place), blocks().keys()[place]);
    switch (entry.insertion) {
      case Insertion::known:
        ++observer_.counts.matched;
        expansion_.discard();
        meet(place, event, entry.annotation());
        break;
      case Insertion::fresh:
        entry.annotation() = ++last_number_;
        enter(place, event, has_source);  // L4
        break;
      case Insertion::no_room: observer_.end(Reason::memory); break;
    }
  }

  [[gnu::always_inline]] Word marks(std::uint32_t place, EventId event) {
    if (!acceptance_.is_fair()) return product_.marks(path_.top(), expansion_.successor(place));
    const Word moved = blocks().keeps_bits() ? blocks().bits()[place] : acceptance_.moved_by(event);
    return acceptance_.marks(path_.top(), expansion_.successor(place), moved, able_.back());
  }

  [[gnu::always_inline]] void enter(std::uint32_t place, EventId event, bool has_source) {
    ++observer_.counts.states;
    const Word incoming = has_source ? marks(place, event) : 0;
    if (!path_.push(expansion_.successor(place), blocks().exhausted() ? all_taken : blocks().taken()))
      return observer_.end(Reason::memory);
    components_.push({last_number_, path_.size(), incoming, {}});
    expansion_.advance(expansion_.steps_to(place));
    observer_.deeper(depth());
    list_successors(0);
    if (acceptance_.is_fair() && observer_.running()) {
      able_.push(acceptance_.able(blocks().events() + blocks().begin(), blocks().count()));
      components_.back().gathered.enabled = acceptance_.enabled(able_.back());
    }
  }

  /// A known state is reached from the last state of the path.
  [[gnu::always_inline]] void meet(std::uint32_t place, EventId event, std::uint64_t number) {
    if (dead_.contains(number)) return;  // L6
    Gathered gathered{marks(place, event), 0};
    while (components_.back().root > number) {  // L5
      const Component merged = components_.pop();
      gathered |= merged.gathered;
      gathered.marks |= merged.incoming;
    }
    gathered |= components_.back().gathered;
    components_.back().gathered = gathered;
    if (acceptance_.accepts(gathered)) end_ = SearchEnd::accepted;
  }

  void list_successors(Taken taken) {
    const Listing listed = expansion_.list(taken, taken == 0);
    if (listed.has_flags) [[unlikely]]
      return prepare_faultless(listed);
    prepare(listed.place, listed.count);
  }

  void prepare(std::uint32_t place, std::uint32_t count) {
    set_.prepare(expansion_.successor(place), count, blocks().keys() + place);
  }

  /// Faults have no successor state, so their words are not passed to the set.
  [[gnu::noinline]] void prepare_faultless(const Listing& listed) {
    for (std::uint32_t place = listed.place; place < listed.place + listed.count; ++place)
      if (!(blocks().events()[place] & fault_flag)) prepare(place, 1);
  }

  void leave() {
    if (components_.back().place == path_.size()) {
      complete();
      if (end_ != SearchEnd::nothing_found) return;
    }
    const Taken taken = path_.pop();
    if (acceptance_.is_fair()) able_.pop();
    expansion_.retreat();
    if (path_.empty() || taken == all_taken) return;
    if (blocks().live()) {
      blocks().resume(taken);
    } else {
      list_successors(taken);
    }
  }

  /// The last component is complete.
  void complete() {
    const Component& component = components_.back();
    if (acceptance_.is_refined() && acceptance_.accepts_without_some(component.gathered) &&
        refine_(path_.top())) {  // L8
      end_ = SearchEnd::accepted;
      return;
    }
    dead_.add(component.root, last_number_);
    components_.pop();
  }

  const Product& product_;
  Acceptance& acceptance_;
  Set& set_;
  Passing& passing_;
  Path<fixed_words>& path_;
  Observer& observer_;
  const std::uint64_t near_bytes_;  // of a set that is in a cache
  RegionVector<Word> keys_;         // of roots
  PathExpansion<fixed_words> expansion_;
  const Refine refine_;
  RegionVector<Component> components_;
  RegionVector<Word> able_;  // the processes that can move in each state of the path; only with fairness
  DeadNumbers dead_;
  std::uint64_t last_number_ = 0;
  SearchEnd end_ = SearchEnd::nothing_found;
};

}  // namespace scrimp
