#include "run.h"

#include <algorithm>
#include <new>
#include <optional>
#include <utility>
#include <variant>

#include "search/liveness/product.h"
#include "search/liveness/search.h"
#include "search/liveness/steady_selection.h"
#include "search/stores/stores.h"

namespace scrimp {

namespace {

Outcome take_outcome(SearchContext& search) {
  Outcome& outcome = search.outcome;
  if (outcome.reason == Reason::none) outcome.reason = search.observer.reason();
  outcome.held_peak = std::max(outcome.held_peak, search.budget.peak());
  outcome.counts = search.observer.counts;
  if (leaves_out(search.options.method.reduction)) outcome.report.set("reduction.left_out", outcome.counts.left_out);
  outcome.watches = search.expander.machine().watches;
  outcome.fired = search.observer.fired_events();
  outcome.misfit = search.observer.first_misfit();
  if (search.checkpoints) {
    outcome.checkpoint = search.checkpoints->report();
    if (const SavedProgress* const resumed = search.checkpoints->resumed()) outcome.seconds += resumed->seconds;
  }
  return std::move(outcome);
}

/// `loop` searches in a context.
template <class Loop>
Outcome search_with_loop(const Machine& machine, const Options& options, Signals& signals, Loop loop) {
  SearchContext search(machine, options, signals);
  try {
    loop(search);
    if (search.transcript && !search.transcript->hand_over()) search.observer.end(Reason::disk);
  } catch (const std::bad_alloc&) {
    search.observer.end(Reason::memory);
  }
  return take_outcome(search);
}

/// With an event that depends on nothing.
Relations with_one_more(Relations relations) {
  const auto one_more = [](auto& numbers) {
    if (!numbers.empty()) numbers.push_back(numbers.back());
  };
  one_more(relations.process);
  one_more(relations.kind);
  one_more(relations.safe);
  one_more(relations.visible);
  one_more(relations.dependence_class);
  one_more(relations.moved_places.begins);
  one_more(relations.enabling.begins);
  one_more(relations.conditions.begins);
  return relations;
}

void search_states(SearchContext& search) {
  std::visit([&](const auto& store) { search_with(search, store); }, search.options.method.store);
}

/// Searches the product of a machine and an automaton.
template <class Product, class Loop>
Outcome run_product(const Machine& system, const Product& product, const Options& asked, Signals& signals, Loop loop) {
  Options options = asked;
  const ByteFields fields = asked.fields != nullptr ? product.place().fields(*asked.fields) : ByteFields{};
  if (asked.fields != nullptr) options.fields = &fields;
  Outcome outcome = search_with_loop(product.machine(), options, signals, loop);
  outcome.fired.resize(system.transitions);
  if (outcome.misfit) outcome.misfit->state = product.place().system_words(outcome.misfit->state.data());
  return outcome;
}

Outcome run_monitor(const Machine& machine, const Options& asked, Signals& signals) {
  const Monitor monitor(machine, *asked.monitor);
  Options options = asked;
  const Relations relations = asked.relations != nullptr ? with_one_more(*asked.relations) : Relations{};
  if (asked.relations != nullptr) options.relations = &relations;
  Outcome outcome = run_product(machine, monitor, options, signals, search_states);
  for (Finding& finding : outcome.findings) std::erase(finding.events, monitor.stutter());
  return outcome;
}

/// Asks nothing but which states there are.
Options without_violations(const Options& asked) {
  Options options = asked;
  options.question = {.deadlock_is_violation = false, .fault_is_violation = false, .stop_after = 0, .traces = 0};
  return options;
}

/// After a search that took some time.
Options for_one_thread(const Options& asked, double seconds) {
  Options options = asked;
  options.method.order = strategy::DepthFirst{};
  options.threads = 1;
  if (asked.limits.seconds > 0) options.limits.seconds = std::max(asked.limits.seconds - seconds, 1e-3);
  return options;
}

Outcome with_costs_of(Outcome outcome, const Outcome& before) {
  outcome.seconds += before.seconds;
  outcome.held_peak = std::max(outcome.held_peak, before.held_peak);
  return outcome;
}

/// Of all states of the product, the search holds those that lead to the last one on a path.
Outcome run_on_path(const Machine& machine, const Options& options, Signals& signals, SteadySelection* selection) {
  const Product product(machine, *options.liveness, selection, /*tells_passing=*/false);
  return run_product(machine, product, without_violations(options), signals,
                     [&](SearchContext& search) { search_lassos(search, product); });
}

/// Searches passing states in blocks; `has_path` says whether there is a path to what was found.
Outcome run_in_blocks(const Machine& machine, const Options& options, Signals& signals, SteadySelection* selection,
                      Patience patience, bool& has_path) {
  const Product product(machine, *options.liveness, selection);
  return run_product(machine, product, without_violations(options), signals,
                     [&](SearchContext& search) { has_path = search_lassos(search, product, patience); });
}

bool is_late(const Options& options, double seconds) {
  return options.limits.seconds > 0 && seconds >= options.limits.seconds;
}

/// Something was found, and no path to it.
Outcome without_path(Outcome outcome, const Options& options, const Signals& signals) {
  const Reason reason = is_late(options, outcome.seconds) ? Reason::time : Reason::memory;
  outcome.reason = signals.stopped() ? Reason::interrupt : reason;
  return outcome;
}

/// The same, for a while.
Options for_so_many_states(Options options, std::uint64_t states) {
  if (options.limits.states == 0 || options.limits.states > states) options.limits.states = states;
  return options;
}

/// By one thread. Depth is that of the path, so a search that is limited holds all states on it. If something was
/// found, and no path to it, a search that has one may find it, too; if that takes much longer, a path is looked for
/// until there is no memory left.
Outcome run_depth_first(const Machine& machine, const Options& options, Signals& signals, SteadySelection* selection) {
  if (options.limits.depth != 0) return run_on_path(machine, options, signals, selection);
  bool has_path = true;
  Outcome first = run_in_blocks(machine, options, signals, selection, Patience::usual, has_path);
  if (has_path) return first;
  if (is_late(options, first.seconds)) return without_path(std::move(first), options, signals);
  const std::uint64_t states = options.effort.repeated_factor * first.counts.states + options.effort.path_states;
  const Options rest = for_so_many_states(for_one_thread(options, first.seconds), states);
  Outcome second = with_costs_of(run_on_path(machine, rest, signals, selection), first);
  if (second.reason != Reason::states || rest.limits.states != states) return second;
  Outcome third =
      run_in_blocks(machine, for_one_thread(options, second.seconds), signals, selection, Patience::endless, has_path);
  third = with_costs_of(std::move(third), second);
  return has_path ? third : without_path(std::move(third), options, signals);
}

/// What several threads decide; if there is a run to be found, one thread finds it, so that it is always the same. If
/// it finds none, one of the two is wrong.
Outcome run_levels_and_lassos(const Machine& machine, const Options& options, Signals& signals,
                              SteadySelection* selection) {
  const Product product(machine, *options.liveness, selection);
  LevelsAnswer answer = LevelsAnswer::none;
  Outcome levels = run_product(machine, product, without_violations(options), signals,
                               [&](SearchContext& search) { answer = search_levels(search, product); });
  if (answer == LevelsAnswer::none) return levels;
  Outcome outcome =
      with_costs_of(run_depth_first(machine, for_one_thread(options, levels.seconds), signals, selection), levels);
  if (answer == LevelsAnswer::accepted && outcome.reason == Reason::closed) {
    outcome.complaint = "states of an accepted run were kept, and a depth-first search found no such run";
    outcome.reason = Reason::audit;
  }
  return outcome;
}

Outcome run_lassos(const Machine& machine, const Options& options, Signals& signals) {
  Budget budget(options.budget);  // of passages through transient states, which are short
  std::optional<SteadySelection> selection;
  if (leaves_out(options.method.reduction))
    selection.emplace(machine, options.method.reduction, *options.relations, budget, options.audit);
  SteadySelection* const chosen = selection ? &*selection : nullptr;
  Outcome outcome = std::holds_alternative<strategy::BreadthFirst>(options.method.order)
                        ? run_levels_and_lassos(machine, options, signals, chosen)
                        : run_depth_first(machine, options, signals, chosen);
  if (selection && !selection->complaint().empty()) {
    outcome.complaint = selection->complaint();
    outcome.reason = Reason::audit;
  }
  return outcome;
}

}  // namespace

Outcome run(const Machine& machine, const Options& options, Signals& signals) noexcept {
  try {
    if (options.liveness != nullptr) return run_lassos(machine, options, signals);
    if (options.monitor != nullptr) return run_monitor(machine, options, signals);
    return search_with_loop(machine, options, signals, search_states);
  } catch (const std::bad_alloc&) {
    Outcome outcome;
    outcome.reason = Reason::memory;
    return outcome;
  }
}

}  // namespace scrimp
