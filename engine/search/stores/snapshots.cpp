#include <new>

#include "search/listeners/visit_tally.h"
#include "search/snapshots/snapshot_breadth_first.h"
#include "search/stores/loops.h"
#include "search/stores/stores.h"
#include "store/snapshots/snapshot_set.h"

namespace scrimp {

namespace {

template <std::uint32_t fixed_words, class Writer, class Set>
void snapshot_breadth_first(SearchContext& search, const strategy::Snapshots& store) {
  using Tally = VisitTally<fixed_words>;
  Levels levels(search.budget, search.machine(), search.options.question.wants_paths());
  search.observer.attach(levels);
  {
    Budget table(Budget::PartOf{search.budget});
    Set set(search.machine(), store, table);
    Both<Tally, Writer> listener{Tally(search.machine(), search.options.audit, true, search.observer, search.budget),
                                 transcribing<Writer>(search)};
    SnapshotBreadthFirst<fixed_words, Set, Both<Tally, Writer>> loop(
        search.expander, set, levels, search.observer, search.budget, store.backtracking, listener, search.writer());
    const Describing describing(search.observer, [&](Report& report) {
      report.set("limit", search.budget.limit());
      report.set("bytes.table", table.held());
      report.set("bytes.frontier", loop.queue_bytes());
      report.set("bytes.blocks", loop.block_bytes() + levels.bytes());
      levels.describe(report);
    });
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
    report.set("distinct_states", listener.first.states());
    set.report_to(report);
  }
  search.find_paths(levels);
}

}  // namespace

void search_with(SearchContext& search, const strategy::Snapshots& store) {
  if (search.transcript) return snapshot_breadth_first<0, BlockTranscript, SnapshotSet<0, StateNumber>>(search, store);
  with_words<1>(search.machine().words, [&]<std::uint32_t words>() {
    snapshot_breadth_first<words, Silent, SnapshotSet<words>>(search, store);
  });
}

}  // namespace scrimp
