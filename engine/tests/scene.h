// A small system with everything needed to choose among the events of its states.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/budget.h"
#include "reduction/local.h"
#include "reduction/relations.h"
#include "reduction/selection.h"
#include "search/expansion/expander.h"
#include "tests/random_machine.h"
#include "tests/strategies.h"

namespace scrimp::testing {

using WordState = std::vector<Word>;

/// The entries of a state, as a search lists them.
struct Listing {
  std::vector<Word> states;
  std::vector<EventId> events;

  Entries entries() const { return {states.data(), events.data(), static_cast<std::uint32_t>(events.size())}; }
  EventId event(std::size_t entry) const { return events[entry] & event_mask; }
  WordState state(std::size_t entry) const {
    const auto words = static_cast<std::ptrdiff_t>(states.size() / events.size());
    const auto first = states.begin() + static_cast<std::ptrdiff_t>(entry) * words;
    return WordState(first, first + words);
  }
};

inline System processes(const std::vector<std::uint8_t>& locations) {
  System system;
  for (const std::uint8_t count : locations) add_process(system, count);
  return system;
}

inline Transition step(std::uint8_t process, std::uint8_t from, std::uint8_t to) {
  Transition made;
  made.moves.push_back({process, from, to});
  return made;
}

/// A step that reads and writes a variable.
inline Transition access(std::uint8_t process, std::uint8_t from, std::uint8_t to, FieldId variable) {
  Transition made = step(process, from, to);
  made.assignments.push_back({variable, variable, 1});
  return made;
}

inline bool is_local(const ReductionPart& how) { return std::holds_alternative<strategy::Local>(how); }

/// Also supports a reduced search without its proviso, which is not a method.
inline std::unique_ptr<Selection> selection_of(ReductionPart how, bool proviso, const Relations& relations) {
  if (is_local(how)) return std::make_unique<Local>(proviso, relations);
  if (auto* const part = std::get_if<strategy::Overman>(&how)) part->proviso = proviso;
  if (auto* const part = std::get_if<strategy::Stubborn>(&how)) part->proviso = proviso;
  return make_selection({how}, relations);
}

class Scene final : private Surroundings {
 public:
  explicit Scene(System system) : relations(relations_of(system)), system_(std::move(system)), current_(system_) {}

  const Machine& machine() const { return current_.machine(); }

  WordState initial() const {
    WordState state(system_.words);
    machine().initial(state.data());
    return state;
  }

  Listing list(const WordState& state) {
    std::vector<Word> states(std::size_t{machine().max_successors} * system_.words);
    std::vector<EventId> events(machine().max_successors);
    const Expansion expansion = expander_.expand(state.data(), states.data(), events.data());
    Entries entries{states.data(), events.data(), expansion.count};
    if (leads_on(expansion)) {
      if (!expander_.pass(state.data(), expansion, states.data(), events.data(), {})) return {};
      entries = {expander_.passage().states(), expander_.passage().events(), expander_.passage().count()};
    }
    return {std::vector<Word>(entries.states, entries.states + std::size_t{entries.count} * system_.words),
            std::vector<EventId>(entries.events, entries.events + entries.count)};
  }

  /// The state after firing the events one after the other.
  WordState after(WordState state, const std::vector<EventId>& events) {
    for (const EventId event : events) {
      const Listing listing = list(state);
      const auto found = std::find(listing.events.begin(), listing.events.end(), event);
      state = listing.state(static_cast<std::size_t>(found - listing.events.begin()));
    }
    return state;
  }

  /// One byte per entry.
  std::vector<std::uint8_t> choose(Selection& selection, const WordState& state, const Listing& listing) {
    listing_ = &listing;
    std::vector<std::uint8_t> chosen(listing.events.size());
    if (!selection.choose(state.data(), listing.entries(), *this, chosen.data()))
      std::fill(chosen.begin(), chosen.end(), std::uint8_t{1});
    return chosen;
  }

  /// The events that are chosen in a state, or "all".
  std::string choice(const ReductionPart& how, const WordState& state, bool proviso = true) {
    const Listing listing = list(state);
    const auto selection = selection_of(how, proviso, relations);
    const std::vector<std::uint8_t> chosen = choose(*selection, state, listing);
    if (std::count(chosen.begin(), chosen.end(), 0) == 0) return "all";
    std::string text;
    for (std::size_t i = 0; i < chosen.size(); ++i)
      if (chosen[i]) text += (text.empty() ? "" : " ") + std::to_string(listing.event(i));
    return text;
  }
  std::string choice(const ReductionPart& how, bool proviso = true) { return choice(how, initial(), proviso); }

  /// The surroundings of a selection that looks at this listing.
  Surroundings& around(const Listing& listing) {
    listing_ = &listing;
    return *this;
  }

  Relations relations;
  std::set<WordState> path;
  std::set<EventId> asleep;

 private:
  bool leads_back(std::uint32_t entry) override { return path.contains(listing_->state(entry)); }
  bool is_asleep(std::uint32_t entry) override { return asleep.contains(listing_->event(entry)); }

  const System system_;
  const SystemMachine current_;
  Budget budget_{std::uint64_t{64} << 20};
  Expander expander_{current_.machine(), std::nullopt, budget_};
  const Listing* listing_ = nullptr;
};

inline Scene scene(System system, const std::vector<Transition>& transitions) {
  lay_out(system);
  system.transitions = transitions;
  return Scene(std::move(system));
}

}  // namespace scrimp::testing
