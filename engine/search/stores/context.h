// The parts that every search has, whatever its order and store.
#pragma once

#include <memory>
#include <optional>
#include <variant>

#include "core/budget.h"
#include "run.h"
#include "search/breadth_first/levels.h"
#include "search/checkpoint/checkpoints.h"
#include "search/expansion/expander.h"

namespace scrimp {

struct SearchContext {
  SearchContext(const Machine& machine, const Options& search_options, Signals& search_signals)
      : options(search_options),
        signals(search_signals),
        budget(options.budget),
        expander(machine, options.shuffle_seed, budget),
        observer(machine, options.question, options.limits, signals) {
    if (options.checkpoint) {
      const bool by_levels = std::holds_alternative<strategy::BreadthFirst>(options.method.order);
      checkpoints.emplace(*options.checkpoint, by_levels ? SavedOrder::breadth_first : SavedOrder::depth_first, machine,
                          budget);
    }
    if (!options.scribe) return;
    transcript.emplace(options.scribe, options.wants_states, machine, budget);
    if (options.wants_states) observer.note_states(&*transcript);
  }

  const Options& options;
  Signals& signals;
  Budget budget;
  Expander expander;
  Observer observer;
  std::optional<Transcript> transcript;
  std::optional<Checkpoints> checkpoints;
  Outcome outcome;

  const Machine& machine() const { return expander.machine(); }
  Transcript* writer() { return transcript ? &*transcript : nullptr; }

  /// The log of a breadth-first search; null if it needs none.
  std::unique_ptr<LevelLog> level_log() {
    if (checkpoints) return checkpoints->open_log(budget);
    return options.question.wants_paths() ? std::make_unique<LevelLog>(budget, machine().words) : nullptr;
  }

  /// Says when to give up looking for paths. Once asked to stop, a search goes on for a moment, in which most are
  /// found, but not for longer than a user would wait.
  auto patience() const {
    constexpr double patience_seconds = 0.5;
    return [this, deadline = 0.0]() mutable {
      if (!observer.stop_requested()) return false;
      if (deadline == 0) deadline = observer.seconds() + patience_seconds;
      return observer.seconds() > deadline;
    };
  }

  /// Finds the paths to the states that a breadth-first search recorded. If one is lost, that becomes the reason why
  /// the search ended: nothing is refuted without a path.
  void find_paths(Levels& levels) {
    outcome.findings = levels.findings(expander, patience());
    if (levels.has_lost_paths()) outcome.reason = Reason::disk;
    outcome.levels = levels.take_counts();
  }
};

/// Calls `use` with the number of words of a state as a constant if that is one of `widths`, and with 0 if it is not.
/// Loops and sets are compiled for each width on its own, so list only those for which that makes searches faster.
template <std::uint32_t... widths, class Use>
void with_words([[maybe_unused]] std::uint32_t words, Use use) {
  const bool is_listed = ((words == widths && (use.template operator()<widths>(), true)) || ...);
  if (!is_listed) use.template operator()<0>();
}

}  // namespace scrimp
