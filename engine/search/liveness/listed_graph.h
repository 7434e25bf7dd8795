// States of the product and the edges between them, listed breadth-first: the part of the product near a state, or a
// component of it. For work that is done once, outside the search.
//
//     node     0 ........... size()          known()
//              | expanded    | met only      |          in the order in which they were met, each with the node from
//     arcs     | of node 0 | of node 1 | ... |          which it was met and its distance from node 0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/budget.h"
#include "core/machine.h"
#include "core/region_vector.h"
#include "search/expansion/expander.h"
#include "search/liveness/acceptance.h"
#include "search/liveness/edges.h"
#include "search/liveness/lasso.h"
#include "store/plain_set.h"

namespace scrimp {

class ListedGraph {
 public:
  using Number = std::uint32_t;

  /// Functions that list states throw std::bad_alloc if the budget is exhausted.
  ListedGraph(Expander& expander, Acceptance& acceptance, Budget& budget);

  /// Node 0 is this state.
  void begin(const Word* state) { add(state, {0, 0}); }
  static constexpr std::uint64_t any_number = ~std::uint64_t{0};

  /// Expands states inside, until there are so many nodes with arcs, or so many arcs, or none is left to be expanded.
  void expand(std::uint64_t most, std::uint64_t most_arcs, const Inside& inside);

  /// How many nodes are expanded. Arcs may lead to others.
  Number size() const { return static_cast<Number>(begins_.size() - 1); }
  Number known() const { return static_cast<Number>(origins_.size()); }
  std::uint64_t arcs() const { return targets_.size(); }
  bool is_complete() const { return size() == known(); }

  const Word* state(Number node) const { return states_.data() + std::size_t{node} * words(); }
  /// The node of a state, if it is expanded.
  std::optional<Number> node(const Word* state);
  Number distance(Number node) const { return origins_[node].distance; }
  /// The node from which this one was met first.
  Number parent(Number node) const { return origins_[node].parent; }
  const Word* enabled(Number node) const { return enabled_.data() + std::size_t{node} * set_words(); }

  std::uint64_t first_arc(Number node) const { return begins_[node]; }
  std::uint64_t end_arc(Number node) const { return begins_[node + 1]; }
  Number target(std::uint64_t arc) const { return targets_[arc]; }
  const Word* marks(std::uint64_t arc) const { return marks_.data() + arc * set_words(); }

  /// Sets are those of acceptance.h.
  std::size_t set_words() const { return set_words_; }

 private:
  struct Origin {
    Number parent;
    Number distance;
  };

  std::uint32_t words() const { return edges_.words(); }
  Number add(const Word* state, Origin origin);
  void append(const Word* set, RegionVector<Word>& sets);

  Edges edges_;
  const std::size_t set_words_;
  PlainSet<0, Word> numbers_;  // the annotation is the number of a node, plus one
  RegionVector<Word> states_;
  RegionVector<Origin> origins_;
  RegionVector<std::uint64_t> begins_;  // of each node's arcs, and where the next ones begin
  RegionVector<Number> targets_;
  RegionVector<Word> enabled_;  // a set for each node
  RegionVector<Word> marks_;    // and for each arc
  std::vector<Word> source_;
};

}  // namespace scrimp
