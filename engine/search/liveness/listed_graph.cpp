#include "search/liveness/listed_graph.h"

#include <algorithm>
#include <new>

namespace scrimp {

ListedGraph::ListedGraph(Expander& expander, Acceptance& acceptance, Budget& budget)
    : edges_(expander, acceptance),
      set_words_(acceptance.set_words()),
      numbers_(budget, expander.machine().words),
      states_(budget),
      origins_(budget),
      begins_(budget),
      targets_(budget),
      enabled_(budget),
      marks_(budget),
      source_(expander.machine().words) {
  begins_.push(0);
}

void ListedGraph::expand(std::uint64_t most, std::uint64_t most_arcs, const Inside& inside) {
  while (size() < most && arcs() < most_arcs && !is_complete()) {
    const Number node = size();
    std::copy_n(state(node), words(), source_.data());
    edges_.list(source_.data());
    append(edges_.enabled(), enabled_);
    for (std::uint32_t ordinal = 0; ordinal < edges_.count(); ++ordinal) {
      if (!edges_.leads_somewhere(ordinal) || !inside(edges_.target(ordinal))) continue;
      append(edges_.marks(ordinal), marks_);
      targets_.push(add(edges_.target(ordinal), {node, distance(node) + 1}));
    }
    begins_.push(targets_.size());
  }
}

std::optional<ListedGraph::Number> ListedGraph::node(const Word* state) {
  if (!numbers_.contains(state)) return std::nullopt;
  const auto found = static_cast<Number>(scrimp::visit(numbers_, state).annotation() - 1);
  return found < size() ? std::optional(found) : std::nullopt;
}

ListedGraph::Number ListedGraph::add(const Word* state, Origin origin) {
  const auto entry = scrimp::visit(numbers_, state);
  if (entry.insertion == Insertion::no_room) throw std::bad_alloc();
  if (entry.insertion == Insertion::fresh) {
    const std::size_t end = states_.size();
    states_.resize(end + words());
    std::copy_n(state, words(), states_.data() + end);
    origins_.push(origin);
    entry.annotation() = origins_.size();
  }
  return static_cast<Number>(entry.annotation() - 1);
}

void ListedGraph::append(const Word* set, RegionVector<Word>& sets) {
  const std::size_t end = sets.size();
  sets.resize(end + set_words());
  std::copy_n(set, set_words(), sets.data() + end);
}

}  // namespace scrimp
