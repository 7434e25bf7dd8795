#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/hash.h"
#include "search/breadth_first.h"
#include "search/with_pseudoroot.h"
#include "store/cleary_set.h"
#include "store/plain_set.h"
#include "store/tree_set.h"

namespace scrimp {

namespace {

/// A set of states that counts what is inserted into it: an edge each time, but for the initial state's first.
template <template <std::uint32_t> class Set>
class CountingSet {
 public:
  CountingSet(const Machine& machine, EdgeCounters& counters, Budget& budget)
      : words_(machine.words), counters_(counters), set_(machine, budget) {}

  Insertion insert(const Word* state) { return count(state), set_.insert(state); }
  void insert(const Word* states, std::uint32_t number, Insertion* results) {
    set_.insert(states, number, results);
    hashes_.resize(number);
    for (std::uint32_t i = 0; i < number; ++i)
      counters_.fetch(hashes_[i] = hash_words(states + std::size_t{i} * words_, words_));
    for (const Word hash : hashes_)
      if (!std::exchange(is_initial_, false)) counters_.add(hash);
  }
  void prepare(const Word* states, std::uint32_t number, Word* keys) { set_.prepare(states, number, keys); }
  Insertion insert(const Word* state, Word key) { return count(state), set_.insert(state, key); }

  std::uint64_t size() const { return set_.size(); }
  std::uint64_t bytes() const { return set_.bytes(); }
  std::uint64_t state_bytes() const { return set_.state_bytes(); }

 private:
  void count(const Word* state) {
    if (!std::exchange(is_initial_, false)) counters_.add(hash_words(state, words_));
  }

  const std::uint32_t words_;
  EdgeCounters& counters_;
  Set<0> set_;
  std::vector<Word> hashes_;  // of a block
  bool is_initial_ = true;
};

template <template <std::uint32_t> class Set>
void count_with(Search& search, EdgeCounters& counters) {
  const Machine& machine = search.expander.machine();
  Levels levels(search.budget, machine, false);
  search.observer.attach(levels);
  CountingSet<Set> set(machine, counters, search.budget);
  BreadthFirst<CountingSet<Set>, 0>(search.expander, set, levels, search.observer, search.budget).run();
}

void dispatch(Search& search, EdgeCounters& counters, EdgeCounting::Store store) {
  switch (store) {
    case EdgeCounting::Store::plain: return count_with<PlainSet>(search, counters);
    case EdgeCounting::Store::tree: return count_with<TreeSet>(search, counters);
    case EdgeCounting::Store::cleary: return count_with<ClearySet>(search, counters);
  }
}

/// The same search, for its edges only: nothing it meets ends it, and it goes as deep as it can.
Options options_to_count(const Search& search) {
  Options options = search.options;
  options.budget = search.budget.left();
  options.question = {
      .violation_watches = 0, .goal_watches = 0, .deadlock_is_violation = false, .stop_after = 0, .traces = 0};
  options.scribe = {};
  options.limits.depth = 0;
  if (options.limits.seconds > 0)
    options.limits.seconds = std::max(options.limits.seconds - search.observer.seconds(), 0.001);
  return options;
}

}  // namespace

bool count_edges(Search& search, EdgeCounters& counters) {
  const Options options = options_to_count(search);
  Search counting(search.expander.machine(), options, search.signals);
  dispatch(counting, counters, options.pseudoroot->counting.store);
  const Counts& counts = counting.observer.counts;
  Report& report = search.outcome.report;
  report.set("events_beside", counts.transitions + counts.inner_events);
  report.set("pseudoroot.counted_states", counts.states);
  report.set("pseudoroot.counted_bytes", counting.budget.peak());
  report.set("pseudoroot.counted_seconds", counting.observer.seconds());
  search.outcome.held_peak = search.budget.held() + counting.budget.peak();
  if (const auto& misfit = counting.observer.first_misfit())
    search.observer.misfit(misfit->state.data(), misfit->event);
  if (counting.observer.reason() != Reason::closed) search.observer.end(counting.observer.reason());
  return search.observer.running();
}

}  // namespace scrimp
