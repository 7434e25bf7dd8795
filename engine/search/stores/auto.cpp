#include "search/breadth_first/delayed_rounds.h"
#include "search/stores/loops.h"
#include "search/stores/stores.h"
#include "store/auto_set.h"

namespace scrimp {

void search_with(SearchContext& search, const strategy::Auto&) {
  const Options& options = search.options;
  DiskSpace space(options.spill_folder.empty() ? temporary_folder() : options.spill_folder, options.disk);
  AutoPlan plan;
  plan.disk = options.disk == 0 ? nullptr : &space;
  plan.change_after = options.change_after;
  const auto finish = [&](auto& set) {
    plan.report_to(search.outcome.report);
    if (!set.is_on_disk()) return;
    search.outcome.report.set("disk.passes", set.disk().passes());
    search.outcome.report.set("disk.merged", set.disk().merged());
    search.outcome.report.set("disk.code_bits", set.disk().code_bits());
    search.outcome.report.set("disk.recodings", set.disk().recodings());
  };
  with_words<1, 2, 3>(search.machine().words,
                      [&]<std::uint32_t words>() { breadth_first<AutoSet<words>, words>(search, finish, &plan); });
}

}  // namespace scrimp
