#include "search/liveness/lasso.h"

#include <algorithm>
#include <functional>
#include <new>
#include <numeric>
#include <utility>

#include "core/region_vector.h"
#include "store/plain_set.h"

namespace scrimp {

namespace {

/// The states of a breadth-first search, in the order in which they were met, with the step that led to each.
class Queue {
 public:
  Queue(std::uint32_t words, Budget& budget) : words_(words), seen_(budget, words), states_(budget), steps_(budget) {}

  /// Adds a state unless it was met before. Throws std::bad_alloc if the budget is exhausted.
  void add(const Word* state, std::uint32_t parent, std::uint32_t ordinal) {
    const Insertion insertion = seen_.insert(state);
    if (insertion == Insertion::no_room) throw std::bad_alloc();
    if (insertion == Insertion::known) return;
    const std::size_t end = states_.size();
    states_.resize(end + words_);
    std::copy_n(state, words_, states_.data() + end);
    steps_.push({parent, ordinal});
  }

  std::size_t size() const { return steps_.size(); }
  const Word* state(std::size_t number) const { return states_.data() + number * words_; }

  /// The steps that lead to a state.
  Steps steps_to(std::size_t number) const {
    Steps steps;
    for (; number != 0; number = steps_[number].parent)
      steps.push_back({words_of(state(steps_[number].parent)), steps_[number].ordinal});
    std::reverse(steps.begin(), steps.end());
    return steps;
  }
  std::vector<Word> words_of(const Word* state) const { return {state, state + words_}; }

 private:
  struct Step {
    std::uint32_t parent;
    std::uint32_t ordinal;
  };

  const std::uint32_t words_;
  PlainSet<0> seen_;
  RegionVector<Word> states_;
  RegionVector<Step> steps_;
};

}  // namespace

Finding LassoFinder::find_from(Stem lead, const Inside& inside) {
  Cycle around = cycle(lead.end, inside);
  if (around.start) {  // line 3
    Cycle other = cycle(around.start->end, inside);
    if (around.start->steps.size() + other.steps.size() < around.steps.size()) {
      append_events(around.start->steps, lead.events);
      around = std::move(other);
    }
  }
  return {Finding::Kind::lasso, -1, std::move(lead.events), events(around.steps)};
}

std::vector<std::vector<Word>> LassoFinder::around(const std::vector<Word>& source, const std::vector<Word>& target) {
  if (source == target) return {source};
  const Inside anywhere = [](const Word*) { return true; };
  const auto returns = [&](std::uint32_t ordinal) {
    return std::equal(source.begin(), source.end(), edges_.target(ordinal));
  };
  const std::optional<Way> way = shortest(target.data(), was_visited_ ? was_visited_ : anywhere, returns, {});
  if (!way) throw std::bad_alloc();
  std::vector<std::vector<Word>> states{source};
  for (const LassoStep& step : way->steps) states.push_back(step.source);
  return states;
}

/// Line 1.
Stem LassoFinder::stem(const Inside& inside, const SearchPath& path) {
  Stem stem{{}, std::vector<Word>(edges_.words())};
  expander_.machine().initial(stem.end.data());
  if (inside(stem.end.data())) return stem;
  const auto anywhere = [](const Word*) { return true; };
  const auto arrives = [&](std::uint32_t ordinal) { return inside(edges_.target(ordinal)); };
  std::optional<Way> way;
  try {
    way = shortest(stem.end.data(), anywhere, arrives, {most_states_, true});
  } catch (const std::bad_alloc&) {  // there is another way
  }
  if (!way && was_visited_) way = shortest(stem.end.data(), was_visited_, arrives, {});
  if (!way) return path(inside);
  append_events(way->steps, stem.events);
  stem.end = std::move(way->end);
  return stem;
}

/// Line 2.
LassoFinder::Cycle LassoFinder::cycle(const std::vector<Word>& start, const Inside& inside) {
  Cycle found;
  GatheredSets gathered(acceptance_.set_words());
  std::vector<Word> now = start, missing(acceptance_.set_words());
  edges_.list(start.data());
  gathered.add(missing.data(), edges_.enabled());
  while (true) {
    const bool is_complete = !acceptance_.list_missing(gathered, missing.data());
    const Goal goal = [&](std::uint32_t ordinal) {
      if (is_complete) return std::equal(start.begin(), start.end(), edges_.target(ordinal));
      return std::inner_product(missing.begin(), missing.end(), edges_.marks(ordinal), Word{0}, std::bit_or<>(),
                                std::bit_and<>()) != 0;
    };
    if (is_complete && !found.steps.empty() && now == start) return found;
    std::optional<Way> way = shortest(now.data(), inside, goal, {});
    if (!way) throw std::bad_alloc();  // there is one, unless the number of states is too large to look for it
    gather(way->steps, gathered);
    if (found.steps.empty() && way->steps.size() > 1) {
      found.start = Way{{way->steps.begin(), way->steps.end() - 1}, way->steps.back().source};
    }
    found.steps.insert(found.steps.end(), way->steps.begin(), way->steps.end());
    now = std::move(way->end);
  }
}

void LassoFinder::gather(const Steps& steps, GatheredSets& gathered) {
  for (const LassoStep& step : steps) {
    edges_.list(step.source.data());
    gathered.add(edges_.marks(step.ordinal), edges_.enabled());
  }
}

/// The shortest way, of one step at least, that ends with a goal and does not leave the set before.
std::optional<LassoFinder::Way> LassoFinder::shortest(const Word* from, const Inside& inside, const Goal& goal,
                                                      Bound bound) {
  Queue queue(edges_.words(), budget_);
  queue.add(from, 0, 0);
  const std::uint64_t most = std::min<std::uint64_t>(bound.most_states, ~std::uint32_t{0});
  std::vector<Word> source;
  for (std::size_t number = 0; number < queue.size() && queue.size() <= most; ++number) {
    const bool looks_up = number % 1024 == 0;
    if (looks_up && (observer_.stop_requested() || (bound.is_limited && observer_.is_late()))) throw std::bad_alloc();
    source = queue.words_of(queue.state(number));
    edges_.list(source.data());
    for (std::uint32_t ordinal = 0; ordinal < edges_.count(); ++ordinal) {
      if (!edges_.leads_somewhere(ordinal)) continue;
      const Word* const target = edges_.target(ordinal);
      if (!inside(target)) continue;
      if (goal(ordinal)) {
        Way way{queue.steps_to(number), {target, target + edges_.words()}};
        way.steps.push_back({std::move(source), ordinal});
        return way;
      }
      queue.add(target, static_cast<std::uint32_t>(number), ordinal);
    }
  }
  return std::nullopt;
}

std::vector<EventId> LassoFinder::events(const Steps& steps) {
  std::vector<EventId> found;
  append_events(steps, found);
  return found;
}

/// A state that is repeated because it has no events adds none.
void LassoFinder::append_events(const Steps& steps, std::vector<EventId>& events) {
  for (const LassoStep& step : steps) {
    std::vector<EventId> way;
    if (!expander_.list(step.source.data(), step.ordinal, way)) throw std::bad_alloc();
    if (way.front() != product_.stutter()) events.insert(events.end(), way.begin(), way.end());
  }
}

}  // namespace scrimp
