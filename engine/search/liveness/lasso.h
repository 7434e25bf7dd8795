// A run that is accepted: a path to a strongly connected set of states that accepts, and a cycle inside it. Not the
// shortest (shortest_lasso.h), but any set will do, however far away.
//
//   1. The shortest path from the initial state to the set is found breadth-first, if that does not take too many
//      states or too long; otherwise the shortest one through states that were visited, if it is known which these
//      are; otherwise the path of the search, as far as the set.
//   2. From the end of the path, go the shortest way inside the set to an edge with a missing mark, as long as any is
//      missing; then the shortest way back.
//   3. Do the same from the first edge with a mark, and keep the shorter lasso.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "core/budget.h"
#include "core/machine.h"
#include "observe/finding.h"
#include "observe/observer.h"
#include "search/expansion/expander.h"
#include "search/liveness/acceptance.h"
#include "search/liveness/edges.h"
#include "search/liveness/product.h"

namespace scrimp {

/// A step of the product: the entry of a state that is taken.
struct LassoStep {
  std::vector<Word> source;
  std::uint32_t ordinal;
};
using Steps = std::vector<LassoStep>;

/// Whether a state belongs to the set.
using Inside = std::function<bool(const Word* state)>;

/// A path from the initial state to one inside.
struct Stem {
  std::vector<EventId> events;
  std::vector<Word> end;
};
/// The path of the search, as far as the set.
using SearchPath = std::function<Stem(const Inside& inside)>;

class LassoFinder {
 public:
  /// A path is looked for in at most `most_states` states, or in those that were visited, unless that is empty.
  LassoFinder(Expander& expander, const Product& product, Acceptance& acceptance, Observer& observer, Budget& budget,
              std::uint64_t most_states, Inside was_visited)
      : expander_(expander),
        product_(product),
        acceptance_(acceptance),
        observer_(observer),
        budget_(budget),
        most_states_(most_states),
        was_visited_(std::move(was_visited)),
        edges_(expander, acceptance) {}

  /// The states of a cycle through the edge between two states, of which the target reaches the source by states that
  /// were visited. Throws std::bad_alloc if the budget is exhausted.
  std::vector<std::vector<Word>> around(const std::vector<Word>& source, const std::vector<Word>& target);

  /// Throws what `path` throws, and std::bad_alloc if the budget is exhausted.
  Finding find(const Inside& inside, const SearchPath& path) { return find_from(stem(inside, path), inside); }

  /// With a path that leads to the set. Throws std::bad_alloc if the budget is exhausted.
  Finding find_from(Stem stem, const Inside& inside);

  /// A path to the set. Throws what `path` throws.
  Stem stem(const Inside& inside, const SearchPath& path);

  /// The events of steps. Throws std::bad_alloc if the budget is exhausted.
  std::vector<EventId> events(const Steps& steps);

 private:
  struct Way {
    Steps steps;
    std::vector<Word> end;
  };
  struct Cycle {
    Steps steps;
    std::optional<Way> start;  // the way to the source of its first edge with a mark, if that is elsewhere
  };
  /// Whether the edge number `ordinal`, of those listed last, is the end of a way.
  using Goal = std::function<bool(std::uint32_t ordinal)>;

  /// What ends a search for a way: that its states are too many, or too late.
  struct Bound {
    std::uint64_t most_states = ~std::uint64_t{0};
    bool is_limited = false;  // by the time limit of the whole search
  };

  std::optional<Way> shortest(const Word* from, const Inside& inside, const Goal& goal, Bound bound);
  Cycle cycle(const std::vector<Word>& start, const Inside& inside);
  void gather(const Steps& steps, GatheredSets& gathered);
  void append_events(const Steps& steps, std::vector<EventId>& events);

  Expander& expander_;
  const Product& product_;
  Acceptance& acceptance_;
  Observer& observer_;
  Budget& budget_;
  const std::uint64_t most_states_;
  const Inside was_visited_;
  Edges edges_;
};

}  // namespace scrimp
