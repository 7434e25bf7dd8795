#include "search/liveness/search.h"

#include <algorithm>
#include <functional>
#include <new>
#include <optional>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include "search/liveness/acceptance.h"
#include "search/liveness/accepting_parts.h"
#include "search/liveness/approach.h"
#include "search/liveness/component_search.h"
#include "search/liveness/lasso.h"
#include "search/liveness/listed_graph.h"
#include "search/liveness/nested_search.h"
#include "search/liveness/passing_states.h"
#include "search/liveness/shortest_lasso.h"
#include "store/cache_set.h"
#include "store/cleary_set.h"
#include "store/plain_set.h"
#include "store/tree_set.h"

namespace scrimp {

namespace {

/// The part of a search's path up to the first state inside. Throws std::bad_alloc if the path does not begin with the
/// initial state.
template <std::uint32_t fixed_words>
SearchPath search_path(SearchContext& search, const Path<fixed_words>& path) {
  return [&](const Inside& inside) {
    const std::uint32_t words = search.machine().words;
    Stem stem{{}, std::vector<Word>(words)};
    search.machine().initial(stem.end.data());
    if (!std::equal(stem.end.begin(), stem.end.end(), path.root())) throw std::bad_alloc();
    Replay replay(search.expander);
    bool arrived = inside(path.root());
    path.for_each_taken([&](Taken taken) {
      if (arrived) return;
      const Word* const next = replay.step(stem.end.data(), taken);
      replay.append_events(stem.end.data(), stem.events);
      stem.end.assign(next, next + words);
      arrived = inside(stem.end.data());
    });
    std::erase(stem.events, search.machine().transitions - 1);  // that of a state that is repeated
    return stem;
  };
}

/// What a kind of search has found, with its path.
template <std::uint32_t fixed_words>
class Recorder {
 public:
  Recorder(SearchContext& search, const Product& product, Acceptance& acceptance, const Path<fixed_words>& path,
           Patience patience, const Inside& was_visited)
      : search_(search),
        product_(product),
        acceptance_(acceptance),
        path_(path),
        patience_(patience),
        was_visited_(was_visited) {}

  LassoFinder finder() {
    return {search_.expander, product_, acceptance_, search_.observer, search_.budget, most_states(), was_visited_};
  }

  /// Finds the shortest lasso. Returns false if none is near, or memory does not suffice.
  bool record_shortest() {
    try {
      ShortestLasso shortest(search_.expander, acceptance_, search_.observer, search_.budget, search_.options.effort);
      if (!shortest.look()) return false;
      LassoFinder lassos = finder();
      Stem stem{lassos.events(shortest.stem()), {shortest.start(), shortest.start() + search_.machine().words}};
      const Steps cycle = shortest.cycle();
      const auto is_near = [&](const Word* state) { return shortest.is_near(state); };
      record(cycle.empty() ? lassos.find_from(std::move(stem), is_near)
                           : Finding{Finding::Kind::lasso, -1, std::move(stem.events), lassos.events(cycle)});
      return true;
    } catch (const std::bad_alloc&) {
      return false;
    }
  }

  /// Finds a lasso inside the set.
  void record_inside(const Inside& inside) { record(finder().find(inside, search_path(search_, path_))); }

  /// An atom cannot be evaluated in this state.
  void record_unknown(const Word* state) {
    const std::vector<Word> wanted(state, state + search_.machine().words);
    const auto is_wanted = [&](const Word* each) { return std::equal(wanted.begin(), wanted.end(), each); };
    Stem stem = finder().stem(is_wanted, search_path(search_, path_));
    search_.outcome.findings.push_back({Finding::Kind::watch, 0, std::move(stem.events)});
    search_.observer.end(Reason::violations);
  }

 private:
  std::uint64_t most_states() const {
    const LivenessEffort& effort = search_.options.effort;
    if (patience_ == Patience::endless) return effort.last_states;
    return std::max(effort.path_states, effort.path_factor * search_.observer.counts.states);
  }

  void record(Finding lasso) {
    search_.outcome.findings.push_back(std::move(lasso));
    ++search_.observer.counts.violations;
    search_.observer.end(Reason::violations);
  }

  SearchContext& search_;
  const Product& product_;
  Acceptance& acceptance_;
  const Path<fixed_words>& path_;
  const Patience patience_;
  const Inside& was_visited_;  // empty if it is not known
};

/// A set for passing states, or a reference to the other set if that is of the same type.
template <class Passed, class Set>
class PassedSet {
 public:
  PassedSet(const Machine& machine, Set&, Budget& budget) : set_(std::in_place, machine, budget) {}
  Passed& get() { return *set_; }
  std::uint64_t state_bytes() const { return set_->state_bytes(); }
  void release() { set_.reset(); }

 private:
  std::optional<Passed> set_;
};
template <class Set>
class PassedSet<Set, Set> {
 public:
  PassedSet(const Machine&, Set& set, Budget&) : set_(set) {}
  Set& get() { return set_; }
  std::uint64_t state_bytes() const { return 0; }
  void release() {}

 private:
  Set& set_;
};

/// What every kind of search has. `Set` holds recurring states, `Passed` passing ones.
template <StateSet Set, StateSet Passed, std::uint32_t fixed_words>
struct Parts {
  using Passing = PassingStates<Passed, fixed_words>;

  template <class... Parameters>
  Parts(SearchContext& its_search, const Product& its_product, Patience patience, const Parameters&... parameters)
      : search(its_search),
        product(its_product),
        acceptance(*search.options.liveness, product, search.expander),
        path(search.budget, search.expander),
        table(Budget::PartOf{search.budget}),
        set(search.machine(), parameters..., table),
        passed(search.machine(), set, table),
        passing(passed.get(), search.machine().words, search.observer, search.budget),
        was_visited(search.options.effort.keeps_visited && patience == Patience::usual ? visited() : nullptr),
        recorder(search, product, acceptance, path, patience, was_visited) {}

  /// Runs a loop, and `find` if that has found an accepted run. `report_more` adds to the report. Returns false if
  /// something was found, and no path to it.
  template <class Loop, class ReportMore, class Find>
  bool run(Loop& loop, ReportMore report_more, Find find) {
    using TheApproach = Approach<Passing, Loop, fixed_words>;
    std::optional<TheApproach> approach(std::in_place, search.expander, product, passing, loop, search.observer,
                                        search.budget);
    const auto report_on = [&](Report& report) {
      report.set("state_bytes", set.state_bytes() + passed.state_bytes());
      report.set("bytes.blocks", loop.block_bytes() + approach->bytes());
      report_more(report);
    };
    SearchEnd end;
    {
      const Describing describing(search.observer, [&](Report& report) {
        report.set("limit", search.budget.limit());
        report.set("bytes.table", table.held());
        report.set("bytes.path", path.bytes() + passing.bytes());
        report_on(report);
      });
      end = approach->run();
    }
    search.outcome.seconds = search.observer.seconds();
    search.outcome.report.set("bytes.table", table.peak());
    search.outcome.report.set("bytes.path", path.peak_bytes() + passing.bytes());
    report_on(search.outcome.report);
    if (end == SearchEnd::nothing_found) return true;
    const std::vector<Word> unknown = approach->unknown();
    approach.reset();
    passing.release();
    const auto record = [&] {
      if (end == SearchEnd::unknown)
        recorder.record_unknown(unknown.empty() ? path.top() : unknown.data());
      else if (!recorder.record_shortest())
        find();
    };
    if (was_visited) {
      try {
        record();
        return true;
      } catch (const std::bad_alloc&) {  // there may be enough memory without these states
        was_visited = nullptr;
      }
    }
    passed.release();
    try {
      record();
      return true;
    } catch (const std::bad_alloc&) {
      if (!product.tells_passing()) throw;
      search.outcome.seconds = search.observer.seconds();
      return false;
    }
  }

  /// Whether the search has visited a state; empty if the sets have no look-up, or if the search has a path in any
  /// case.
  Inside visited() {
    if constexpr (requires(const Word* state) { set.contains(state) && passed.get().contains(state); }) {
      if (product.tells_passing()) {
        return [this](const Word* state) {
          return product.is_passing(state) ? passed.get().contains(state) : set.contains(state);
        };
      }
    }
    return nullptr;
  }

  SearchContext& search;
  const Product& product;
  Acceptance acceptance;
  Path<fixed_words> path;
  Budget table;
  Set set;
  PassedSet<Passed, Set> passed;
  Passing passing;
  Inside was_visited;
  Recorder<fixed_words> recorder;
};

/// A part of a component in which a fair, accepted run turns: see L8 of component_search.h.
class FairPart {
 public:
  FairPart(Expander& expander, Acceptance& acceptance, Budget& budget)
      : graph_(expander, acceptance, budget), parts_(graph_, acceptance, budget) {}

  /// Whether there is one in the component of a state.
  bool look(const Word* state, const Inside& inside) {
    graph_.begin(state);
    graph_.expand(ListedGraph::any_number, ListedGraph::any_number, inside);
    return parts_.find_one();
  }

  bool is_accepted(const Word* state) {
    const auto node = graph_.node(state);
    return node && parts_.is_accepted(*node);
  }

 private:
  ListedGraph graph_;
  AcceptingParts parts_;
};

template <StateSet Set, StateSet Passed, std::uint32_t fixed_words, class... Parameters>
bool search_components(SearchContext& search, const Product& product, Patience patience,
                       const Parameters&... parameters) {
  using TheParts = Parts<Set, Passed, fixed_words>;
  using Search = ComponentSearch<Set, typename TheParts::Passing, fixed_words>;
  TheParts parts(search, product, patience, parameters...);
  std::optional<FairPart> fair;

  // Once a component is complete or accepts, all its states are in the set; a recurring state that is not is added
  // here, which does no harm.
  const auto number = [&](const Word* state) -> Word {
    if (product.is_passing(state)) return 0;
    if constexpr (requires { parts.set.contains(state); })
      if (!parts.set.contains(state)) return 0;
    const auto entry = scrimp::visit(parts.set, state);
    if (entry.insertion == Insertion::no_room) throw std::bad_alloc();
    return entry.insertion == Insertion::known ? entry.annotation() : 0;
  };
  Search* running = nullptr;
  const auto refine = [&](const Word* state) {
    fair.emplace(search.expander, parts.acceptance, search.budget);
    if (fair->look(state, [&](const Word* each) { return running->is_accepted(number(each)); })) return true;
    fair.reset();
    return false;
  };
  Search loop(search.expander, product, parts.acceptance, parts.set, parts.passing, parts.path, search.observer,
              search.budget, search.options.effort.near_bytes, refine);
  running = &loop;
  return parts.run(
      loop, [&](Report& report) { report.set("bytes.components", loop.component_bytes()); },
      [&] {
        parts.recorder.record_inside(
            [&](const Word* state) { return fair ? fair->is_accepted(state) : loop.is_accepted(number(state)); });
      });
}

template <StateSet Set, std::uint32_t fixed_words>
bool search_nested(SearchContext& search, const Product& product, Patience patience) {
  using TheParts = Parts<Set, Set, fixed_words>;
  using Search = NestedSearch<Set, typename TheParts::Passing, fixed_words>;
  TheParts parts(search, product, patience);
  Search loop(search.expander, product, search.options.liveness->automaton.marks != 0, parts.set, parts.passing,
              parts.path, search.observer, search.budget);
  return parts.run(
      loop, [&](Report& report) { report.set("events_beside", loop.red_transitions()); },
      [&] {
        const std::size_t words = search.machine().words;
        const std::vector<Word> source(parts.path.top(), parts.path.top() + words);
        const auto around = parts.recorder.finder().around(source, loop.target());
        const std::set<std::vector<Word>> cycle(around.begin(), around.end());
        parts.recorder.record_inside([&](const Word* state) { return cycle.contains({state, state + words}); });
      });
}

template <std::uint32_t fixed_words>
bool search_compressed(SearchContext& search, const Product& product, Patience patience) {
  if (search.options.liveness->movers.processes == 0)
    return search_nested<ClearySet<fixed_words, 2>, fixed_words>(search, product, patience);
  return search_components<PlainSet<fixed_words, Word>, ClearySet<fixed_words>, fixed_words>(search, product, patience);
}

}  // namespace

bool search_lassos(SearchContext& search, const Product& product, Patience patience) {
  const std::uint32_t words = search.machine().words;
  const Compress compress = std::get<strategy::Full>(search.options.method.store).compress;
  bool has_path = true;
  switch (compress) {
    case Compress::none:
      with_words<1, 2>(words, [&]<std::uint32_t fixed>() {
        has_path = search_components<PlainSet<fixed, Word>, PlainSet<fixed>, fixed>(search, product, patience);
      });
      break;
    case Compress::tree:
      with_words<1, 2>(words, [&]<std::uint32_t fixed>() {
        using Set = TreeSet<fixed, Word>;
        has_path = search_components<Set, Set, fixed>(search, product, patience);
      });
      break;
    case Compress::cleary:
      with_words<1, 2>(words,
                       [&]<std::uint32_t fixed>() { has_path = search_compressed<fixed>(search, product, patience); });
      break;
    case Compress::huffman:
    case Compress::rle:
      const auto kind = compress == Compress::huffman ? StateCode::Kind::huffman : StateCode::Kind::run_length;
      const CacheOptions options{nullptr, nullptr, {kind, search.options.fields}};
      using Set = CodedCacheSet<Word>;
      has_path = search_components<Set, Set, 0>(search, product, patience, options);
  }
  return has_path;
}

}  // namespace scrimp
