// Reachability with reference counts (PY97, Algorithm 2): a state with no unexplored incoming edge is forgotten.
//
//   1. The initial state is pending; its count is its in-degree.
//   2. While a state is pending:
//   3.   take one and list its successors; it is explored: forget it if its count is 0.
//   4.   For each edge to a stored state, decrement that state's count; if it is explored and the count is 0, forget
//        it.
//   5.   A state that is not stored was never met: it is pending; its count is its in-degree minus one.
//
//   paper                     here
//   checked, pending          Standing::explored, Standing::pending
//   counter                   ReferenceTable's edges
//   #pred(s, L)               InDegrees::of: edges, parallel ones included, as line 4 counts them
//   select s in pending       PendingStates::take
//
// Deviations. The paper counts predecessors and decrements per predecessor; here edges are counted, as the search sees
// them. Edges from unreachable states, and edges that a hashed counter attributes to the wrong state, are never
// explored: the state they lead to is never forgotten. If there is no room, section 3.3 drops pending states as
// "certain to be reached again"; they are not (the counter of section 2.4 ends after one state). Here explored states
// are discarded first and the loop ends; its caller continues from the pending states (search/pseudoroot/search.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/machine.h"
#include "core/region_vector.h"
#include "observe/observer.h"
#include "search/breadth_first/block_expansion.h"
#include "search/breadth_first/levels.h"
#include "search/breadth_first/successor_block.h"
#include "search/expansion/expander.h"
#include "search/listeners/listener.h"
#include "search/pseudoroot/parent_log.h"
#include "search/pseudoroot/reference_path_set.h"
#include "store/pseudoroot/in_degrees.h"
#include "store/pseudoroot/reference_table.h"

namespace scrimp {

/// Sources of traces; both are set, or neither.
struct Parents {
  ParentLog* log = nullptr;
  ParentWitness* witness = nullptr;
};

/// `fixed_words` is the machine's number of words if the loop is compiled for that number, else 0.
template <std::uint32_t fixed_words, class Listener>
class PseudoRootExploration {
 public:
  using Table = ReferenceTable<fixed_words>;

  /// A pending state that was taken.
  struct Taken {
    Slot slot;
    std::uint64_t number;  // if states are explored in the order of discovery, its place in that order
    std::uint64_t depth;
  };

  PseudoRootExploration(Expander& expander, Table& table, const InDegrees& degrees, Levels& levels, Parents parents,
                        Observer& observer, Budget& budget, bool arranges, Listener& listener,
                        Transcript* labels = nullptr)
      : expander_(expander),
        table_(table),
        degrees_(degrees),
        levels_(levels),
        parents_(parents),
        observer_(observer),
        budget_(budget),
        arranges_(arranges),
        listener_(listener),
        labels_(labels) {}

  /// Ends when no state is pending, or when there was no room: then explored states were discarded, or a state was
  /// lost.
  void run() {
    Workspace workspace(*this);
    if (!workspace.block.has_room()) return observer_.end(Reason::memory);
    work_ = &workspace;
    enter_initial();                                                                          // L1
    while (observer_.running() && !table_.pending().empty() && !has_discarded() && !lost_) {  // L2
      if (level_left_ == 0 && !begin_level()) break;
      expand_some();
      settle();
      observer_.pulse(levels_.current(), table_.pending().size(), budget_.held());
    }
    block_bytes_ = workspace.bytes() + expander_.passage().bytes();
    work_ = nullptr;
  }

  /// Whether a state was met for which there was no room at all.
  bool has_lost() const { return lost_; }

  Taken take() {
    const Slot slot = table_.pending().take();
    const std::uint64_t place = taken_++;
    const std::uint64_t depth = level_left_ != 0 ? levels_.current() : levels_.next();
    if (level_left_ != 0) --level_left_;
    return {slot, table_.has_numbers() ? table_.number(slot) : place, depth};
  }

  std::uint64_t block_bytes() const { return block_bytes_; }

 private:
  struct Batched {
    Taken taken;
    std::uint32_t end;  // of its successors in the block
  };

  /// Memory that is needed only while the loop runs.
  struct Workspace {
    explicit Workspace(PseudoRootExploration& loop)
        : block(loop.budget_, loop.expander_.machine()),
          expansion(loop.expander_, loop.observer_, block, loop.labels_),
          keys(loop.budget_),
          batch(loop.budget_),
          state(loop.expander_.machine().words) {}

    std::uint64_t bytes() const { return block.bytes() + keys.bytes() + batch.bytes(); }

    SuccessorBlock block;
    BlockExpansion<fixed_words> expansion;
    RegionVector<Word> keys;
    RegionVector<Batched> batch;
    std::vector<Word> state;
  };

  static constexpr std::uint32_t expansions_per_batch = 4096;

  bool has_discarded() const { return table_.discarded() != 0; }

  void enter_initial() {
    Word* const state = work_->block.states();
    expander_.machine().initial(state);
    work_->keys.resize(1);
    table_.prepare(state, 1, work_->keys.data());
    enter(state, work_->keys[0], degrees_.of(state), 0, 0);
  }

  bool begin_level() {
    if (!levels_.begin_next()) return observer_.end(Reason::memory), false;
    level_left_ = table_.pending().size();
    if (arranges_) table_.pending().arrange();
    observer_.deeper(levels_.current());
    return true;
  }

  /// L3, for several states at once.
  void expand_some() {
    SuccessorBlock& block = work_->block;
    block.count = 0;
    work_->batch.clear();
    std::uint64_t left = std::min<std::uint64_t>(expansions_per_batch, level_left_);
    const std::uint64_t fired = observer_.counts.transitions;
    for (; left != 0 && !block.has_enough() && observer_.running(); --left) {
      const Taken taken = take();
      table_.read(taken.slot, work_->state.data());
      if (parents_.witness != nullptr) parents_.witness->at(taken.number);
      work_->expansion.expand(work_->state.data(), observer_.at_depth_limit(taken.depth));
      work_->batch.push({taken, block.count});
    }
    levels_.fired(observer_.counts.transitions - fired);
    work_->keys.resize(block.count);
    table_.prepare(block.states(), block.count, work_->keys.data());
    for (std::uint32_t i = 0; i < block.count; ++i)
      if (!table_.fetch(work_->keys[i])) degrees_.fetch(work_->expansion.successor(i));
  }

  void settle() {
    std::uint32_t place = 0;
    for (const Batched& batched : work_->batch) {
      table_.explored(batched.taken.slot);  // L3
      for (std::uint32_t ordinal = 0; place < batched.end && !lost_; ++place, ++ordinal)
        arrive(place, batched.taken, ordinal);
    }
    listener_.settled(work_->block);
  }

  void arrive(std::uint32_t place, const Taken& from, std::uint32_t ordinal) {
    const Word* const state = work_->expansion.successor(place);
    const Word key = work_->keys[place];
    const Slot known = table_.find(state, key);
    if (table_.has_numbers())  // an unknown state is about to be entered
      listener_.edge(from.number, work_->block.events()[place], known == no_slot ? met_ : table_.number(known));
    if (known == no_slot) return enter(state, key, edges_left(degrees_.of(state)), from.number, ordinal);  // L5
    ++observer_.counts.matched;
    table_.met(known);  // L4
  }

  void enter(const Word* state, Word key, std::uint32_t edges, std::uint64_t parent, std::uint32_t ordinal) {
    Slot slot = table_.add(state, key, edges, Standing::pending);
    while (slot == no_slot && table_.discard()) slot = table_.add(state, key, edges, Standing::pending);
    lost_ = slot == no_slot;
    if (lost_) return;
    const std::uint64_t number = met_++;
    if (table_.has_numbers()) table_.number(slot) = number;
    if (parents_.log != nullptr) parents_.log->add(parent, ordinal);
    levels_.append(state, 1);
    listener_.entered(state, key);
    ++observer_.counts.states;
    if (!observer_.watching()) return;
    if (parents_.witness != nullptr) parents_.witness->at(number);
    observer_.entered(state);
  }

  Expander& expander_;
  Table& table_;
  const InDegrees& degrees_;
  Levels& levels_;
  const Parents parents_;
  Observer& observer_;
  Budget& budget_;
  const bool arranges_;
  Listener& listener_;
  Transcript* const labels_;
  Workspace* work_ = nullptr;
  std::uint64_t level_left_ = 0;
  std::uint64_t met_ = 0;    // number of states
  std::uint64_t taken_ = 0;  // number of pending states taken
  bool lost_ = false;
  std::uint64_t block_bytes_ = 0;
};

}  // namespace scrimp
