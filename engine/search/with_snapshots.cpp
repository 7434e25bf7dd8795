#include "search/with_snapshots.h"

#include <new>

#include "search/snapshot_breadth_first.h"

namespace scrimp {

namespace {

template <std::uint32_t fixed_words, bool numbered = false>
void snapshot_breadth_first(Search& search) {
  const auto& options = std::get<strategy::Snapshots>(search.options.method.store);
  Levels levels(search.budget, search.expander.machine(), search.options.question.wants_paths());
  search.observer.attach(levels);
  {
    Budget table(Budget::PartOf{search.budget});
    SnapshotSet<fixed_words, numbered> set(search.expander.machine(), options, table);
    SnapshotBreadthFirst<fixed_words, numbered> loop(search.expander, set, levels, search.observer, search.budget,
                                                     options, search.options.audit, search.writer());
    try {
      loop.run();
    } catch (const std::bad_alloc&) {
      search.observer.end(Reason::memory);
    }
    search.outcome.seconds = search.observer.seconds();
    search.outcome.bytes_peak = {{"table", table.peak()},
                                 {"frontier", loop.queue_peak_bytes()},
                                 {"blocks", loop.block_bytes() + levels.bytes()}};
    search.outcome.state_bytes = set.state_bytes();
    search.outcome.stored_peak = set.stored_peak();
    search.outcome.distinct_states = loop.distinct_states();
    search.outcome.snapshots = set.report();
  }
  find_paths(search, levels);
  search.outcome.levels = levels.take_counts();
}

}  // namespace

void search_with_snapshots(Search& search) {
  if (search.transcript) return snapshot_breadth_first<0, true>(search);
  switch (search.expander.machine().words) {
    case 1: return snapshot_breadth_first<1>(search);
    case 2: return snapshot_breadth_first<2>(search);
    case 3: return snapshot_breadth_first<3>(search);
    default: return snapshot_breadth_first<0>(search);
  }
}

}  // namespace scrimp
