#include "search/liveness/shortest_lasso.h"

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include "core/region_vector.h"
#include "store/plain_set.h"

namespace scrimp {

/// Pairs of a node and what was gathered on the way to it from a start, in the order in which they were met.
class ShortestLasso::Pairs {
 public:
  using Number = ListedGraph::Number;

  struct Pair {
    Number node;
    Number gathered;  // a number of such sets
    Number before;    // the pair from which this one was met
    Number steps;     // from the first pair
    std::uint64_t arc;
  };

  Pairs(std::size_t set_words, Budget& budget)
      : set_words_(set_words),
        known_(budget, 2),
        numbers_(budget, static_cast<std::uint32_t>(1 + 2 * set_words)),
        sets_(budget),
        pairs_(budget),
        key_(1 + 2 * set_words) {}

  /// Forgets all pairs and begins with this one, with which nothing was gathered.
  void begin(Number start) {
    start_ = start;
    pairs_.clear();
    add({start, 0, 0, 0, 0}, GatheredSets(set_words_));
  }

  std::size_t size() const { return pairs_.size(); }
  const Pair& operator[](std::size_t number) const { return pairs_[number]; }

  GatheredSets gathered(std::size_t number) const {
    GatheredSets sets(set_words_);
    const Word* const from = sets_.data() + pairs_[number].gathered * 2 * set_words_;
    sets.add(from, from + set_words_);
    return sets;
  }

  /// Adds a pair, unless it is known.
  void add(Pair pair, const GatheredSets& gathered) {
    pair.gathered = number(gathered);
    const std::array<Word, 2> key{Word{pair.node} << 32 | Word{pair.gathered} << 1 | 1, start_};
    const Insertion insertion = known_.insert(key.data());
    if (insertion == Insertion::no_room) throw std::bad_alloc();
    if (insertion == Insertion::fresh) pairs_.push(pair);
  }

  std::vector<std::uint64_t> arcs_to(std::size_t number) const {
    std::vector<std::uint64_t> arcs;
    for (; number != 0; number = pairs_[number].before) arcs.push_back(pairs_[number].arc);
    std::reverse(arcs.begin(), arcs.end());
    return arcs;
  }

 private:
  Number number(const GatheredSets& gathered) {
    key_[0] = 1;
    std::copy(gathered.marks.begin(), gathered.marks.end(), key_.begin() + 1);
    std::copy(gathered.enabled.begin(), gathered.enabled.end(), key_.begin() + 1 + set_words_);
    const auto entry = scrimp::visit(numbers_, key_.data());
    if (entry.insertion == Insertion::no_room) throw std::bad_alloc();
    if (entry.insertion == Insertion::fresh) {
      const std::size_t end = sets_.size();
      sets_.resize(end + 2 * set_words_);
      std::copy(key_.begin() + 1, key_.end(), sets_.data() + end);
      entry.annotation() = sets_.size() / (2 * set_words_);
    }
    return static_cast<Number>(entry.annotation() - 1);
  }

  const std::size_t set_words_;
  Number start_ = 0;
  PlainSet<2> known_;          // with their starts
  PlainSet<0, Word> numbers_;  // the annotation is the number of a set, plus one
  RegionVector<Word> sets_;    // marks, and what is enabled
  RegionVector<Pair> pairs_;
  std::vector<Word> key_;
};

ShortestLasso::ShortestLasso(Expander& expander, Acceptance& acceptance, Observer& observer, Budget& budget,
                             const LivenessEffort& effort)
    : acceptance_(acceptance),
      observer_(observer),
      budget_(budget),
      effort_(effort),
      edges_(expander, acceptance),
      graph_(expander, acceptance, budget) {
  std::vector<Word> initial(edges_.words());
  expander.machine().initial(initial.data());
  graph_.begin(initial.data());
}

bool ShortestLasso::look() {
  const auto anywhere = [](const Word*) { return true; };
  const std::uint64_t most = std::min(effort_.near_states, effort_.near_words / edges_.words());
  for (std::uint64_t states = effort_.first_near_states;; states *= effort_.near_factor) {
    graph_.expand(std::min(states, most), effort_.near_edges, anywhere);  // L1
    parts_.emplace(graph_, acceptance_, budget_);
    const bool found = parts_->find_all();  // L2
    if (found) shorten();                   // L3
    if (found && (steps_left_ == 0 || is_shortest())) return true;
    if (graph_.is_complete() || states >= most || graph_.arcs() >= effort_.near_edges) return found;
    if (observer_.stop_requested()) return found;
  }
}

void ShortestLasso::shorten() {
  Pairs pairs(graph_.set_words(), budget_);
  steps_left_ = effort_.cycle_steps;
  bool is_first = cycle_.empty();
  for (Number node = 0; node < graph_.size() && steps_left_ != 0; ++node) {
    if (!parts_->is_accepted(node)) continue;
    if (std::exchange(is_first, false)) start_ = node;
    if (!cycle_.empty() && graph_.distance(node) + 1 >= length()) return;  // L4
    const std::uint64_t most_steps = cycle_.empty() ? ~std::uint64_t{0} : length() - 1 - graph_.distance(node);
    find_cycle(pairs, node, most_steps);
  }
}

/// Looks for a cycle of so many steps at most. If there is one, it begins the shortest known run.
void ShortestLasso::find_cycle(Pairs& pairs, Number start, std::uint64_t most_steps) {
  std::vector<Word> missing(graph_.set_words());
  pairs.begin(start);
  for (std::size_t number = 0; number < pairs.size() && pairs[number].steps < most_steps; ++number) {
    const auto pair = pairs[number];
    for (std::uint64_t arc = graph_.first_arc(pair.node); arc != graph_.end_arc(pair.node); ++arc) {
      if (steps_left_ == 0) return;
      --steps_left_;
      const Number target = graph_.target(arc);
      if (target >= graph_.size() || !parts_->are_together(start, target)) continue;
      GatheredSets gathered = pairs.gathered(number);
      gathered.add(graph_.marks(arc), graph_.enabled(target));
      if (target == start && !acceptance_.list_missing(gathered, missing.data())) {
        start_ = start;
        cycle_ = pairs.arcs_to(number);
        cycle_.push_back(arc);
        return;
      }
      pairs.add({target, 0, static_cast<Number>(number), pair.steps + 1, arc}, gathered);
    }
  }
}

/// L5.
bool ShortestLasso::is_shortest() const {
  return graph_.is_complete() || graph_.distance(graph_.size()) + 1 >= length();
}

Steps ShortestLasso::stem() {
  Arcs arcs;
  for (Number node = start_; node != 0; node = graph_.parent(node)) {
    std::uint64_t arc = graph_.first_arc(graph_.parent(node));
    while (graph_.target(arc) != node) ++arc;
    arcs.push_back(arc);
  }
  std::reverse(arcs.begin(), arcs.end());
  return steps_along(arcs, 0);
}

bool ShortestLasso::is_near(const Word* state) {
  const std::optional<Number> node = graph_.node(state);
  return node && parts_->are_together(*node, start_);
}

/// The arcs of a node are those of its entries that lead somewhere, in their order.
Steps ShortestLasso::steps_along(const Arcs& arcs, Number from) {
  Steps steps;
  for (const std::uint64_t arc : arcs) {
    const Word* const state = graph_.state(from);
    LassoStep step{{state, state + edges_.words()}, 0};
    edges_.list(step.source.data());
    for (std::uint64_t before = arc - graph_.first_arc(from);; ++step.ordinal)
      if (edges_.leads_somewhere(step.ordinal) && before-- == 0) break;
    steps.push_back(std::move(step));
    from = graph_.target(arc);
  }
  return steps;
}

}  // namespace scrimp
