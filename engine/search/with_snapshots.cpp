#include "search/with_snapshots.h"

#include <new>

#include "search/snapshot_breadth_first.h"

namespace scrimp {

namespace {

template <std::uint32_t fixed_words, bool numbered = false>
void snapshot_breadth_first(Search& search) {
  const Snapshots& options = *search.options.snapshots;
  Levels levels(search.budget, search.expander.machine(), search.options.question.wants_paths());
  search.observer.attach(levels);
  {
    Budget table(Budget::PartOf{search.budget});
    SnapshotSet<fixed_words, numbered> set(search.expander.machine(), options, table);
    SnapshotBreadthFirst<fixed_words, numbered> loop(search.expander, set, levels, search.observer, search.budget,
                                                     options, search.options.reduction.audit, search.writer());
    try {
      loop.run();
    } catch (const std::bad_alloc&) {
      search.observer.end(Reason::memory);
    }
    search.outcome.seconds = search.observer.seconds();
    Report& report = search.outcome.report;
    report.set("bytes.table", table.peak());
    report.set("bytes.frontier", loop.queue_peak_bytes());
    report.set("bytes.blocks", loop.block_bytes() + levels.bytes());
    report.set("distinct_states", loop.distinct_states());
    set.tell(report);
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
