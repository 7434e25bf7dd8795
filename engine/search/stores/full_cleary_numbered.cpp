// Writes an LTS from a quotiented table. Its entries move as long as states are inserted, and have no room for numbers.
//
//   1. Search. Go on only if all states are in the table, which does not change from now on.
//   2. A state's number is its rank in the table, except that the initial state and the state of rank 0 swap numbers.
//   3. Go through the table: expand each state, look up its successors, and write the transitions.
#include <algorithm>
#include <cstdint>
#include <new>
#include <vector>

#include "core/region_vector.h"
#include "search/breadth_first/block_expansion.h"
#include "search/stores/full.h"
#include "search/stores/loops.h"
#include "store/cleary_set.h"
#include "store/quotient_ranks.h"

namespace scrimp {

namespace {

using Set = ClearySet<0>;

/// Only the time that is left.
Limits limits_left(const SearchContext& search) {
  const double seconds = search.options.limits.seconds;
  return {0, seconds > 0 ? std::max(seconds - search.observer.seconds(), 0.001) : 0};
}

/// Lines 2 and 3. It has an observer of its own: everything was counted before.
class TableTranscription {
 public:
  TableTranscription(SearchContext& search, const Set& set)
      : search_(search),
        set_(set),
        observer_(machine(), unasked, limits_left(search), search.signals),
        block_(search.budget, machine()),
        expansion_(search.expander, observer_, block_, search.writer()),
        ends_(search.budget),
        reader_(set),
        ranks_(set.table(), search.budget) {}

  /// Returns the reason why it ended.
  Reason run() {
    if (!reader_.good() || !block_.has_room()) return Reason::memory;
    std::vector<Word> state(machine().words);
    machine().initial(state.data());
    initial_ = ranks_(set_.code_of(state.data()));
    for (std::uint64_t part = 0; part < set_.table().parts(); ++part) {
      set_.table().for_each_in(part, [&](Word code, Word) {
        reader_.read(code, state.data());
        expand(state.data());
      });
      if (!observer_.running()) break;
    }
    write_block();
    observer_.exhausted();
    return observer_.reason();
  }

 private:
  static constexpr Question unasked{
      .violation_watches = 0, .goal_watches = 0, .deadlock_is_violation = false, .stop_after = 0, .traces = 0};
  static constexpr std::uint32_t expansions_per_block = 4096;

  const Machine& machine() const { return search_.expander.machine(); }

  StateNumber number(std::uint64_t rank) const { return rank == initial_ ? 0 : rank == 0 ? initial_ : rank; }

  void expand(const Word* state) {
    if (!observer_.running()) return;
    expansion_.expand(state, false);
    if (search_.transcript->wants_states())
      search_.transcript->state(number(observer_.counts.states + ends_.size()), state);
    ends_.push(block_.count);
    if (block_.has_enough() || ends_.size() == expansions_per_block) write_block();
  }

  void write_block() {
    std::uint32_t place = 0;
    for (const std::uint32_t end : ends_) {
      const StateNumber source = number(observer_.counts.states++);
      for (; place < end; ++place) {
        const StateNumber target = number(ranks_(set_.code_of(expansion_.successor(place))));
        search_.transcript->add(source, block_.events()[place], target);
      }
    }
    ends_.clear();
    block_.count = 0;
    if (!search_.transcript->may_go_on()) observer_.end(Reason::disk);
    observer_.pulse(search_.observer.counts.depth, set_.size() - observer_.counts.states, search_.budget.held());
  }

  SearchContext& search_;
  const Set& set_;
  Observer observer_;
  SuccessorBlock block_;
  BlockExpansion<0> expansion_;
  RegionVector<std::uint32_t> ends_;  // of the successors of each state that is expanded, in the block
  const Set::Reader reader_;
  const QuotientRanks ranks_;
  std::uint64_t initial_ = 0;  // the rank of the initial state
};

void transcribe(SearchContext& search, const Set& set) {
  if (search.observer.reason() != Reason::closed) return;
  try {
    search.outcome.reason = TableTranscription(search, set).run();
  } catch (const std::bad_alloc&) {
    search.outcome.reason = Reason::memory;
  }
  search.outcome.seconds = search.observer.seconds();
}

}  // namespace

void number_cleary(SearchContext& search) {
  search.observer.note_states(nullptr);  // a state has no number before line 2
  in_order<Set, 0>(search, [&](const Set& set) { transcribe(search, set); });
}

}  // namespace scrimp
