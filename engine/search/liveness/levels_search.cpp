#include <optional>

#include "search/liveness/accepting_region.h"
#include "search/liveness/search.h"
#include "search/stores/loops.h"
#include "store/plain_set.h"

namespace scrimp {

namespace {

template <class Set>
LevelsAnswer decide(SearchContext& search, const Product& product, const Set& set) {
  Observer& observer = search.observer;
  if (observer.reason() == Reason::depth || observer.counts.faults != 0) return LevelsAnswer::undecided;
  if (observer.reason() != Reason::closed) return LevelsAnswer::none;
  observer.begin_anew();
  AcceptingRegion<Set> region(set, *search.options.liveness, product, search.options.threads,
                              search.options.worth_sharing, observer, search.budget);
  const std::optional<bool> accepts = region.accepts();
  observer.exhausted();
  search.outcome.seconds = observer.seconds();
  search.outcome.report.set("bytes.components", region.bytes());
  search.outcome.report.set("events_beside", region.events());
  return accepts.value_or(false) ? LevelsAnswer::accepted : LevelsAnswer::none;
}

}  // namespace

LevelsAnswer search_levels(SearchContext& search, const Product& product) {
  LevelsAnswer answer = LevelsAnswer::none;
  with_words<1, 2>(search.machine().words, [&]<std::uint32_t words>() {
    using Set = PlainSet<words>;
    breadth_first<Set, words>(search, [&](const Set& set) { answer = decide(search, product, set); });
  });
  return answer;
}

}  // namespace scrimp
