// Searches the product for an accepted run, and expands states in blocks as long as the automaton is in no component
// that has all marks.
//
// An accepted run stays in one component of the automaton from some point on, and takes edges of each mark there. A
// state of the product whose automaton is in no such component is *passing*: it lies on no accepted cycle, so it is
// enough to visit it. The other states are *recurring*. If an automaton waits before it accepts, as that of
// `[] (p -> <> q)` does, most states are passing.
//
//   1. Enter the initial state: see lines 3 and 4.
//   2. While there are passing states to be expanded, take some, from those that were met last, until their successors
//      fill a block. Of these
//   3.   add those that are passing to the set of states; the fresh ones are to be expanded;
//   4.   search depth-first from each of the others, through recurring states only (component_search.h,
//        nested_search.h). Passing states that this search meets are added as in line 3.
//
// Why. Every state is visited, and every cycle of recurring states is met by one of the searches of line 4, which
// together are one depth-first search of the recurring states from several roots.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/machine.h"
#include "core/region_vector.h"
#include "observe/observer.h"
#include "search/breadth_first/block_expansion.h"
#include "search/breadth_first/last_successors.h"
#include "search/breadth_first/successor_block.h"
#include "search/expansion/expander.h"
#include "search/liveness/passing_states.h"
#include "search/liveness/product.h"

namespace scrimp {

/// How a search for an accepted run has ended. If one was found, or an atom cannot be evaluated, the search knows the
/// state.
enum class SearchEnd : std::uint8_t { nothing_found, accepted, unknown };

template <class Passing, class DepthFirst, std::uint32_t fixed_words>
class Approach {
 public:
  Approach(Expander& expander, const Product& product, Passing& passing, DepthFirst& depth_first, Observer& observer,
           Budget& budget)
      : expander_(expander),
        product_(product),
        passing_(passing),
        depth_first_(depth_first),
        observer_(observer),
        budget_(budget),
        block_(budget, expander.machine(), SuccessorBlock::Contents::states),
        expansion_(expander, observer, block_),
        last_(budget, expander.machine().words),
        state_(words()),
        depths_(budget),
        roots_(budget),
        root_depths_(budget) {}

  SearchEnd run() {
    if (!block_.has_room() || !depth_first_.has_room()) {
      observer_.end(Reason::memory);
      return SearchEnd::nothing_found;
    }
    enter_initial();  // L1
    while (goes_on() && !passing_.empty()) {
      expand_some();                // L2
      if (goes_on()) sort_block();  // L3
      search_from_roots();          // L4
      observer_.pulse(observer_.counts.depth, passing_.left(), budget_.held());
    }
    if (end() == SearchEnd::nothing_found) observer_.exhausted();
    return end();
  }

  /// A state in which an atom cannot be evaluated, if that is what ended the search here and not on the path.
  const std::vector<Word>& unknown() const { return unknown_; }

  std::uint64_t bytes() const {
    return block_.bytes() + depths_.bytes() + roots_.bytes() + root_depths_.bytes() + passing_.bytes();
  }

 private:
  std::size_t words() const { return fixed_words != 0 ? fixed_words : expander_.machine().words; }
  SearchEnd end() const { return unknown_.empty() ? depth_first_.end() : SearchEnd::unknown; }
  bool goes_on() const { return observer_.running() && end() == SearchEnd::nothing_found; }

  void enter_initial() {
    expander_.machine().initial(block_.states());
    block_.count = 1;
    depths_.push(0);
    sort_block();
    search_from_roots();
  }

  void expand_some() {
    block_.count = 0;
    depths_.clear();
    passing_.settle();
    while (passing_.can_take() && !block_.has_enough() && observer_.running()) {
      const std::uint32_t depth = passing_.take(state_.data());
      observer_.deeper(depth);
      const std::uint64_t faults = observer_.counts.faults;
      expansion_.expand(state_.data(), false);
      if (observer_.counts.faults != faults && product_.is_unknown(state_.data())) [[unlikely]] {
        unknown_ = state_;
        return;
      }
      const std::size_t begin = depths_.size();
      depths_.resize(block_.count);
      std::fill(depths_.begin() + begin, depths_.end(), depth + 1);
    }
  }

  /// Adds the passing states of the block, and keeps the others as roots.
  void sort_block() {
    roots_.clear();
    root_depths_.clear();
    std::uint32_t kept = 0;
    std::uint64_t repeated = 0;
    const bool remembers = last_.has_room();
    for (std::uint32_t i = 0; i < block_.count; ++i) {  // branch-free as long as states are passing
      const Word* const state = expansion_.successor(i);
      const bool is_repeated = remembers && last_.is_repeated(state), is_passing = product_.is_passing(state);
      if (!is_passing && !is_repeated) {
        roots_.resize(roots_.size() + words());
        std::copy_n(state, words(), roots_.end() - words());
        root_depths_.push(depths_[i]);
      }
      expansion_.move(i, kept);
      depths_[kept] = depths_[i];
      kept += is_passing && !is_repeated;
      repeated += is_repeated;
    }
    observer_.counts.matched += repeated;
    passing_.insert(block_.states(), depths_.data(), kept);
  }

  void search_from_roots() {
    const auto count = static_cast<std::uint32_t>(root_depths_.size());
    if (count == 0 || !goes_on()) return;
    depth_first_.search_from(roots_.data(), root_depths_.data(), count);
  }

  Expander& expander_;
  const Product& product_;
  Passing& passing_;
  DepthFirst& depth_first_;
  Observer& observer_;
  Budget& budget_;
  SuccessorBlock block_;
  BlockExpansion<fixed_words> expansion_;
  LastSuccessors<fixed_words> last_;
  std::vector<Word> state_;
  RegionVector<std::uint32_t> depths_;  // of the block's states
  RegionVector<Word> roots_;
  RegionVector<std::uint32_t> root_depths_;
  std::vector<Word> unknown_;
};

}  // namespace scrimp
