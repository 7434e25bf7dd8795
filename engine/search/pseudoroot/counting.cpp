#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/hash.h"
#include "search/breadth_first/breadth_first.h"
#include "search/pseudoroot/search.h"
#include "store/cleary_set.h"
#include "store/plain_set.h"
#include "store/tree_set.h"

namespace scrimp {

namespace {

/// Counts every edge: every state visited except the initial one.
class EdgeCount : public Silent {
 public:
  EdgeCount(EdgeCounters& counters, std::uint32_t words) : counters_(counters), words_(words) {}

  void settled(SuccessorBlock& block) {
    hashes_.resize(block.count);
    for (std::uint32_t i = 0; i < block.count; ++i)
      counters_.fetch(hashes_[i] = hash_words(block.states() + std::size_t{i} * words_, words_));
    for (const Word hash : hashes_)
      if (!std::exchange(is_initial_, false)) counters_.add(hash);
  }

 private:
  EdgeCounters& counters_;
  const std::uint32_t words_;
  std::vector<Word> hashes_;  // of a block
  bool is_initial_ = true;
};

template <class Set>
void count_with(SearchContext& search, EdgeCounters& counters) {
  Levels levels(search.budget, search.machine(), false);
  search.observer.attach(levels);
  Set set(search.machine(), search.budget);
  EdgeCount listener(counters, search.machine().words);
  BreadthFirst<Set, 0, EdgeCount>(search.expander, set, levels, search.observer, search.budget, listener).run();
}

void dispatch(SearchContext& search, EdgeCounters& counters, strategy::Pseudoroot::By store) {
  switch (store) {
    case strategy::Pseudoroot::By::none: return count_with<PlainSet<0>>(search, counters);
    case strategy::Pseudoroot::By::tree: return count_with<TreeSet<0>>(search, counters);
    case strategy::Pseudoroot::By::cleary: return count_with<ClearySet<0>>(search, counters);
  }
}

/// The same search, only to count edges: no finding ends it, and it has no depth limit.
Options options_to_count(const SearchContext& search) {
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

bool count_edges(SearchContext& search, const strategy::Pseudoroot& store, EdgeCounters& counters) {
  const Options options = options_to_count(search);
  SearchContext counting(search.expander.machine(), options, search.signals);
  dispatch(counting, counters, store.by);
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
