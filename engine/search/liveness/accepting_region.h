// Decides by several threads whether some run of the product is accepted, after all its states are known.
//
// I. Cerna, R. Pelanek, Distributed explicit fair cycle detection, SPIN 2003, LNCS 2648 ("one way catch them young"),
// after E. A. Emerson, C.-L. Lei, Modalities for model checking, Science of Computer Programming 8 (1987).
//
//   1. Keep all recurring states (approach.h): accepted cycles have no others.
//   2. For one mark after the other, until no mark changes anything:
//   3.   reach the targets of edges with the mark, and all states that these lead to;
//   4.   remove states without predecessors among those that are left, as long as there are any;
//   5.   keep what is left. If that is nothing, no run is accepted.
//
// Why. Only edges between states that are kept count. The states of an accepted cycle are reached in line 3, because
// some edge of the cycle has the mark, and each has a predecessor on the cycle: they are kept. Conversely, if no mark
// changes anything, look at a component of the kept states into which no edge leads from another one. Its states are
// reached from an edge of each mark, whose target and source therefore belong to the component: it accepts.
//
// What is kept after each line does not depend on the order in which states are looked at, nor on the threads. Weak
// fairness adds marks (acceptance.h); strong fairness is not decided here. An automaton without marks accepts all its
// infinite runs: then every edge counts as marked.
//
// States are known by their slots in the table, which does not change any more. Each slot has a byte of flags and a
// byte that counts predecessors, up to a number that stands for "many": such states are not removed in line 4.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "core/machine.h"
#include "core/memory.h"
#include "core/region_vector.h"
#include "observe/observer.h"
#include "search/expansion/expander.h"
#include "search/liveness/acceptance.h"
#include "search/liveness/edges.h"
#include "search/liveness/product.h"
#include "search/shards/workers.h"

namespace scrimp {

/// The set has slots, as PlainSet has.
template <class Set>
class AcceptingRegion {
 public:
  /// `worth` is about how many edges are worth being shared by threads.
  AcceptingRegion(const Set& set, const LivenessQuestion& question, const Product& product, unsigned threads,
                  std::uint64_t worth, Observer& observer, Budget& budget)
      : set_(set),
        product_(product),
        slots_per_item_(std::max<std::uint64_t>(worth / 2, 64)),
        states_per_item_(std::max<std::uint64_t>(worth / 128, 1)),
        observer_(observer),
        flags_(budget),
        counts_(budget),
        frontier_(budget),
        workers_(threads) {
    if (!flags_.resize(set.slots()) || !counts_.resize(set.slots())) throw std::bad_alloc();
    for (unsigned i = 0; i < workers_.count(); ++i) hands_.emplace_back(question, product, budget);
  }

  /// Whether a run is accepted; empty if the observer has ended the search. Throws std::bad_alloc if the budget is
  /// exhausted.
  std::optional<bool> accepts() {
    std::uint64_t left = keep_recurring();  // L1
    const std::vector<Mark> marks = list_marks();
    std::size_t unchanged = 0;
    for (std::size_t turn = 0; left != 0 && unchanged < marks.size(); turn = (turn + 1) % marks.size()) {  // L2
      reach(marks[turn]);                                                                                  // L3
      remove();                                                                                            // L4
      const std::uint64_t before = std::exchange(left, keep_reached());                                    // L5
      unchanged = left == before ? unchanged + 1 : 0;
      if (!observer_.running()) break;
    }
    return observer_.running() ? std::optional(left != 0) : std::nullopt;
  }

  std::uint64_t bytes() const { return flags_.bytes() + counts_.bytes() + frontier_.bytes() + found_bytes(); }
  /// How many events were fired.
  std::uint64_t events() const {
    std::uint64_t total = 0;
    for (const Hand& hand : hands_) total += hand.events;
    return total;
  }

 private:
  using Slot = std::uint64_t;
  enum Flag : std::uint8_t { kept = 1, reached = 2 };
  static constexpr std::uint8_t many = 255;

  /// What one thread needs.
  struct Hand {
    Hand(const LivenessQuestion& question, const Product& product, Budget& budget)
        : expander(product.machine(), std::nullopt, budget),
          acceptance(question, product, expander),
          edges(expander, acceptance),
          state(product.machine().words),
          found(budget) {}
    Expander expander;
    Acceptance acceptance;
    Edges edges;
    std::vector<Word> state;
    RegionVector<Slot> found;  // the next states to look at
    std::uint64_t total = 0, events = 0;
  };

  /// A bit of a word of the sets of marks; no bit stands for all edges.
  struct Mark {
    std::size_t word;
    Word bit;
  };
  /// Those that an accepted run needs.
  std::vector<Mark> list_marks() const {
    const Acceptance& acceptance = hands_[0].acceptance;
    std::vector<Word> missing(acceptance.set_words());
    acceptance.list_missing(GatheredSets(missing.size()), missing.data());
    std::vector<Mark> marks;
    for (std::size_t word = 0; word < missing.size(); ++word)
      for (Word left = missing[word]; left != 0; left &= left - 1) marks.push_back({word, left & (~left + 1)});
    if (marks.empty()) marks.push_back({0, 0});
    return marks;
  }

  std::uint8_t flags(Slot slot) const { return at(flags_, slot).load(std::memory_order_relaxed); }
  static std::atomic_ref<std::uint8_t> at(const Region& bytes, Slot slot) {
    return std::atomic_ref<std::uint8_t>(bytes.as<std::uint8_t>()[slot]);
  }

  std::uint64_t keep_recurring() {
    return sum_over_slots([&](Hand& hand, Slot slot) {
      const bool recurs = set_.read_slot(slot, hand.state.data()) && !product_.is_passing(hand.state.data());
      at(flags_, slot).store(recurs ? kept : 0, std::memory_order_relaxed);
      return recurs;
    });
  }

  void reach(Mark mark) {
    sum_over_slots([&](Hand& hand, Slot slot) {
      if (flags(slot) & kept) follow(hand, slot, mark, [&](Slot target) { enter(hand, target); });
      return false;
    });
    work_off([&](Hand& hand, Slot slot) {
      follow(hand, slot, {}, [&](Slot target) {
        raise(target);
        enter(hand, target);
      });
    });
  }

  void remove() {
    sum_over_slots([&](Hand& hand, Slot slot) {
      if ((flags(slot) & reached) && at(counts_, slot).load(std::memory_order_relaxed) == 0) hand.found.push(slot);
      return false;
    });
    work_off([&](Hand& hand, Slot slot) {
      at(flags_, slot).fetch_and(static_cast<std::uint8_t>(~reached), std::memory_order_relaxed);
      follow(hand, slot, {}, [&](Slot target) {
        if (lower(target)) hand.found.push(target);
      });
    });
  }

  std::uint64_t keep_reached() {
    return sum_over_slots([&](Hand&, Slot slot) {
      const bool stays = (flags(slot) & reached) != 0;
      at(flags_, slot).store(stays ? kept : 0, std::memory_order_relaxed);
      at(counts_, slot).store(0, std::memory_order_relaxed);
      return stays;
    });
  }

  /// Calls `use` with the targets of a state's edges, as far as they are kept; with a mark, only of edges that have it.
  template <class Use>
  void follow(Hand& hand, Slot slot, Mark mark, Use use) {
    set_.read_slot(slot, hand.state.data());
    hand.edges.list(hand.state.data());
    hand.events += hand.edges.count();
    for (std::uint32_t i = 0; i < hand.edges.count(); ++i) {
      if (!hand.edges.leads_somewhere(i) || (mark.bit != 0 && (hand.edges.marks(i)[mark.word] & mark.bit) == 0))
        continue;
      const Slot target = set_.slot_of(hand.edges.target(i));
      if (flags(target) & kept) use(target);
    }
  }

  void enter(Hand& hand, Slot slot) {
    if (flags(slot) & reached) return;
    if (!(at(flags_, slot).fetch_or(reached, std::memory_order_relaxed) & reached)) hand.found.push(slot);
  }

  void raise(Slot slot) {
    std::uint8_t seen = at(counts_, slot).load(std::memory_order_relaxed);
    while (seen != many && !at(counts_, slot).compare_exchange_weak(seen, seen + 1, std::memory_order_relaxed)) {
    }
  }
  /// Whether no predecessor is left.
  bool lower(Slot slot) {
    std::uint8_t seen = at(counts_, slot).load(std::memory_order_relaxed);
    while (seen != many && !at(counts_, slot).compare_exchange_weak(seen, seen - 1, std::memory_order_relaxed)) {
    }
    return seen == 1;
  }

  /// For how many slots `use` returns true.
  template <class Use>
  std::uint64_t sum_over_slots(Use use) {
    for (Hand& hand : hands_) hand.total = 0;
    share(set_.slots(), slots_per_item_, [&](Hand& hand, Slot slot) { hand.total += use(hand, slot); });
    std::uint64_t total = 0;
    for (const Hand& hand : hands_) total += hand.total;
    return total;
  }

  /// Calls `use` for every state that was found, and for those that it finds.
  template <class Use>
  void work_off(Use use) {
    while (gather()) share(frontier_.size(), states_per_item_, [&](Hand& hand, Slot i) { use(hand, frontier_[i]); });
  }

  /// The states that were found become the frontier. Returns false if there are none, or the search has ended.
  bool gather() {
    frontier_.clear();
    for (Hand& hand : hands_) {
      const std::size_t begin = frontier_.size();
      frontier_.resize(begin + hand.found.size());
      std::copy(hand.found.begin(), hand.found.end(), frontier_.begin() + begin);
      hand.found.clear();
    }
    return !frontier_.empty() && observer_.running();
  }

  /// Calls `use` with a hand and each number below `numbers`; `per_item` of them are one thread's at a time.
  template <class Use>
  void share(std::uint64_t numbers, std::uint64_t per_item, Use use) {
    const std::uint64_t step = std::max(per_item, numbers / most_items + 1);
    const auto items = static_cast<std::uint32_t>((numbers + step - 1) / step);
    const Workers::Phase phase = [&](unsigned worker, std::uint32_t item) {
      if (worker == 0) is_ended_.store(!observer_.may_go_on(), std::memory_order_relaxed);
      if (is_ended_.load(std::memory_order_relaxed)) return;
      for (std::uint64_t i = item * step, end = std::min(numbers, i + step); i < end; ++i) use(hands_[worker], i);
    };
    if (items == 1)
      phase(0, 0);
    else
      workers_.share(items, phase);
  }

  std::uint64_t found_bytes() const {
    std::uint64_t total = 0;
    for (const Hand& hand : hands_) total += hand.found.bytes();
    return total;
  }

  static constexpr std::uint64_t most_items = std::uint64_t{1} << 20;

  const Set& set_;
  const Product& product_;
  const std::uint64_t slots_per_item_, states_per_item_;
  Observer& observer_;
  Region flags_;
  Region counts_;
  RegionVector<Slot> frontier_;
  std::deque<Hand> hands_;
  std::atomic<bool> is_ended_{false};
  Workers workers_;
};

}  // namespace scrimp
