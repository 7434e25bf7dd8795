#include "search/liveness/search.h"

#include <algorithm>
#include <functional>
#include <new>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include "search/depth_first/path_witness.h"
#include "search/liveness/acceptance.h"
#include "search/liveness/component_search.h"
#include "search/liveness/lasso.h"
#include "search/liveness/nested_search.h"
#include "search/liveness/strong_fairness.h"
#include "store/cache_set.h"
#include "store/cleary_set.h"
#include "store/plain_set.h"
#include "store/tree_set.h"

namespace scrimp {

namespace {

/// A shortest path is looked for in this many states, or in twice as many as the search has visited.
constexpr std::uint64_t usual_states = 1'000'000;

/// The part of a search's path up to the first state inside.
template <std::uint32_t fixed_words>
SearchPath search_path(SearchContext& search, const Path<fixed_words>& path) {
  return [&](const Inside& inside) {
    const std::uint32_t words = search.machine().words;
    Stem stem{{}, {path.root(), path.root() + words}};
    Replay replay(search.expander);
    bool arrived = inside(path.root());
    path.for_each_taken([&](Taken taken) {
      if (arrived) return;
      const Word* const next = replay.step(stem.end.data(), taken);
      replay.append_events(stem.end.data(), stem.events);
      stem.end.assign(next, next + words);
      arrived = inside(stem.end.data());
    });
    return stem;
  };
}

/// What a kind of search has found, with its path.
template <std::uint32_t fixed_words>
class Recorder {
 public:
  Recorder(SearchContext& search, const Product& product, Acceptance& acceptance, const Path<fixed_words>& path)
      : search_(search), product_(product), acceptance_(acceptance), path_(path) {}

  LassoFinder finder() {
    const std::uint64_t most = std::max(usual_states, 2 * search_.observer.counts.states);
    return {search_.expander, product_, acceptance_, search_.observer, search_.budget, most};
  }

  /// Finds a lasso inside the set.
  void record(const Inside& inside) {
    LassoFinder lassos = finder();
    search_.outcome.findings.push_back(lassos.find(inside, search_path(search_, path_)));
    ++search_.observer.counts.violations;
    search_.observer.end(Reason::violations);
  }

  /// An atom cannot be evaluated in the last state of the path.
  void record_unknown() {
    PathWitness<fixed_words> witness(search_.budget, search_.expander, path_);
    if (!witness.record({Finding::Kind::watch, 0, {}}, path_.top())) throw std::bad_alloc();
    search_.outcome.findings = std::move(witness.findings);
    std::erase(search_.outcome.findings.front().events, product_.stutter());
    search_.observer.end(Reason::violations);
  }

 private:
  SearchContext& search_;
  const Product& product_;
  Acceptance& acceptance_;
  const Path<fixed_words>& path_;
};

template <class Set>
void report_states(const Set& set, const Budget& table, Report& report) {
  report.set("bytes.table", table.peak());
  report.set("state_bytes", set.state_bytes());
}

template <class Set>
void describe_states(const Set& set, const Budget& table, const SearchContext& search, Report& report) {
  report.set("limit", search.budget.limit());
  report.set("bytes.table", table.held());
  report.set("state_bytes", set.state_bytes());
}

template <StateSet Set, std::uint32_t fixed_words, class... Parameters>
void search_components(SearchContext& search, const Product& product, const Parameters&... parameters) {
  using Search = ComponentSearch<Set, fixed_words>;
  Acceptance acceptance(*search.options.liveness, product, search.expander);
  Path<fixed_words> path(search.budget, search.expander);
  Budget table(Budget::PartOf{search.budget});
  Set set(search.machine(), parameters..., table);
  std::optional<StrongFairness> strong;

  // Once a component is complete or accepts, all its states are in the set; a state that is not is added here, which
  // does no harm.
  const auto number = [&](const Word* state) -> Word {
    if constexpr (requires { set.contains(state); })
      if (!set.contains(state)) return 0;
    const auto entry = scrimp::visit(set, state);
    if (entry.insertion == Insertion::no_room) throw std::bad_alloc();
    return entry.insertion == Insertion::known ? entry.annotation() : 0;
  };
  Search* running = nullptr;
  Search loop(search.expander, product, acceptance, set, path, search.observer, search.budget, [&](const Word* state) {
    strong.emplace(search.expander, acceptance, search.budget);
    if (strong->look(state, [&](const Word* each) { return running->is_accepted(number(each)); })) return true;
    strong.reset();
    return false;
  });
  running = &loop;
  const Describing describing(search.observer, [&](Report& report) {
    describe_states(set, table, search, report);
    report.set("bytes.path", path.bytes());
    report.set("bytes.components", loop.component_bytes());
    report.set("bytes.blocks", loop.block_bytes());
  });
  const typename Search::End end = loop.run();
  search.outcome.seconds = search.observer.seconds();
  Report& report = search.outcome.report;
  report_states(set, table, report);
  report.set("bytes.path", path.peak_bytes());
  report.set("bytes.components", loop.component_bytes());
  report.set("bytes.blocks", loop.block_bytes());
  Recorder<fixed_words> recorder(search, product, acceptance, path);
  if (end == Search::End::unknown) recorder.record_unknown();
  if (end != Search::End::accepted) return;
  if (strong) {
    recorder.record([&](const Word* state) { return strong->is_accepted(state); });
  } else {
    recorder.record([&](const Word* state) { return loop.is_accepted(number(state)); });
  }
}

template <StateSet Set, std::uint32_t fixed_words>
void search_nested(SearchContext& search, const Product& product) {
  using Search = NestedSearch<Set, fixed_words>;
  const LivenessQuestion& question = *search.options.liveness;
  Acceptance acceptance(question, product, search.expander);
  Path<fixed_words> path(search.budget, search.expander);
  Budget table(Budget::PartOf{search.budget});
  Set set(search.machine(), table);
  Search loop(search.expander, product, question.automaton.marks != 0, set, path, search.observer, search.budget);
  const Describing describing(search.observer, [&](Report& report) {
    describe_states(set, table, search, report);
    report.set("bytes.path", path.bytes() + loop.path_bytes());
    report.set("bytes.blocks", loop.block_bytes());
  });
  const typename Search::End end = loop.run();
  search.outcome.seconds = search.observer.seconds();
  Report& report = search.outcome.report;
  report_states(set, table, report);
  report.set("bytes.path", path.peak_bytes() + loop.path_bytes());
  report.set("bytes.blocks", loop.block_bytes());
  report.set("events_beside", loop.red_transitions());
  Recorder<fixed_words> recorder(search, product, acceptance, path);
  if (end == Search::End::unknown) recorder.record_unknown();
  if (end != Search::End::accepted) return;
  const std::vector<Word> source(path.top(), path.top() + search.machine().words);
  const auto around = recorder.finder().around(source, loop.target());
  const std::set<std::vector<Word>> cycle(around.begin(), around.end());
  recorder.record([&](const Word* state) { return cycle.contains({state, state + search.machine().words}); });
}

}  // namespace

void search_lassos(SearchContext& search, const Product& product) {
  const std::uint32_t words = search.machine().words;
  const Compress compress = std::get<strategy::Full>(search.options.method.store).compress;
  switch (compress) {
    case Compress::none:
      return with_words<1, 2>(
          words, [&]<std::uint32_t fixed>() { search_components<PlainSet<fixed, Word>, fixed>(search, product); });
    case Compress::tree:
      return with_words<1, 2>(
          words, [&]<std::uint32_t fixed>() { search_components<TreeSet<fixed, Word>, fixed>(search, product); });
    case Compress::cleary:
      return with_words<1, 2>(
          words, [&]<std::uint32_t fixed>() { search_nested<ClearySet<fixed, 2>, fixed>(search, product); });
    case Compress::huffman:
    case Compress::rle:
      const auto kind = compress == Compress::huffman ? StateCode::Kind::huffman : StateCode::Kind::run_length;
      const CacheOptions options{nullptr, nullptr, {kind, search.options.fields}};
      return search_components<CodedCacheSet<Word>, 0>(search, product, options);
  }
}

}  // namespace scrimp
