// The states that are reconstructed together, as a forest: the wanted states and all their ancestors by backedges, up
// to states whose descriptors are available (EWK09, procedure backtrack of Algorithm 4).
//
//     numbers      | span | span | ... | span | ... | span |      4096 successive numbers each
//     waiting        list   list                                  nodes whose predecessor lies in the span
//     places                             table                    of the span being processed: number -> node
//
//   1. For every span, from the last one down:
//   2.   create nodes for the predecessors of the nodes that wait for the span, and for the wanted states in it;
//   3.   for every node of the span, from the highest number down:
//   4.     if its descriptor is available, it is a root;
//   5.     else create a node for its predecessor or, if that lies in another span, let the node wait for that span.
//
// A backedge leads to a smaller number, so when a state is processed, all nodes that need it are known. The paper marks
// states in the backedge table, with a bit and a list for each; here only the needed states take memory.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "core/machine.h"
#include "core/region_vector.h"
#include "store/comback/backedge_table.h"
#include "store/comback/state_id.h"

namespace scrimp {

class BackedgeForest {
 public:
  using Number = std::uint32_t;  // of a node
  static constexpr Number nobody = ~Number{0};
  static constexpr std::uint32_t most_steps = (1u << 19) - 1;

  struct Node {
    StateId id;
    std::uint32_t ordinal;           // among its predecessor's successors
    Number child;                    // the first one
    Number sibling;                  // the next one
    std::uint32_t is_wanted : 1;     // else it is an ancestor of a wanted state
    std::uint32_t predecessor : 12;  // its position in its span
    std::uint32_t steps : 19;        // from a root; wraps around after `most_steps`
  };

  explicit BackedgeForest(Budget& budget) : nodes_(budget), roots_(budget), waiting_(budget), places_(budget) {}

  /// Builds the forest of these numbers, which are in ascending order. `at_hand` returns the descriptor of a state, or
  /// null; that of the initial state is always available.
  template <class Ids, class AtHand>
  void grow(const Ids& wanted, const BackedgeTable& backedges, AtHand at_hand) {
    std::size_t left = wanted.size();
    if (left == 0) return;
    std::uint64_t span = wanted[left - 1] / span_states + 1;
    while (waiting_.size() < span) waiting_.push(nobody);
    places_.resize(span_states);
    while (left != 0 || waiting_nodes_ != 0) {  // L1
      --span;
      for (Number child = waiting_[span], next; child != nobody; child = next) {  // L2
        next = nodes_[child].sibling;
        link(child, node_of(span * span_states + nodes_[child].predecessor));
        --waiting_nodes_;
      }
      waiting_[span] = nobody;
      for (; left != 0 && wanted[left - 1] / span_states == span; --left)
        nodes_[node_of(wanted[left - 1])].is_wanted = true;
      look_at(span, backedges, at_hand);
    }
  }

  /// Removes all nodes.
  void clear() {
    nodes_.clear();
    roots_.clear();
  }

  std::size_t size() const { return nodes_.size(); }
  Node& operator[](Number node) { return nodes_[node]; }
  const RegionVector<Number>& roots() const { return roots_; }
  std::uint64_t bytes() const { return nodes_.bytes() + roots_.bytes() + waiting_.bytes() + places_.bytes(); }

 private:
  static constexpr std::uint64_t span_states = 4096;

  template <class AtHand>
  void look_at(std::uint64_t span, const BackedgeTable& backedges, AtHand at_hand) {
    for (std::size_t word = present_.size(); word-- > 0;) {  // L3
      while (present_[word] != 0) {
        const auto bit = static_cast<unsigned>(63 - std::countl_zero(present_[word]));
        present_[word] ^= Word{1} << bit;
        const Number node = places_[word * 64 + bit];
        if (at_hand(nodes_[node].id) != nullptr) {
          roots_.push(node);  // L4
        } else {
          ask_for_predecessor(node, span, backedges[nodes_[node].id]);  // L5
        }
      }
    }
  }

  void ask_for_predecessor(Number node, std::uint64_t span, const Backedge& edge) {
    nodes_[node].ordinal = edge.ordinal;
    const std::uint64_t its_span = edge.predecessor / span_states;
    if (its_span == span) return link(node, node_of(edge.predecessor));
    nodes_[node].predecessor = edge.predecessor % span_states & (span_states - 1);
    nodes_[node].sibling = waiting_[its_span];
    waiting_[its_span] = node;
    ++waiting_nodes_;
  }

  void link(Number child, Number parent) {
    nodes_[child].sibling = nodes_[parent].child;
    nodes_[parent].child = child;
  }

  /// The node of a state of the span being processed; created if necessary.
  Number node_of(StateId id) {
    const std::uint64_t place = id % span_states;
    Word& present = present_[place / 64];
    const Word bit = Word{1} << place % 64;
    if ((present & bit) == 0) {
      present |= bit;
      places_[place] = static_cast<Number>(nodes_.size());
      nodes_.push({id, 0, nobody, nobody, false, 0, 0});
    }
    return places_[place];
  }

  RegionVector<Node> nodes_;
  RegionVector<Number> roots_;
  RegionVector<Number> waiting_;  // the first of each span, linked as siblings; else `nobody`
  std::uint64_t waiting_nodes_ = 0;
  std::array<Word, span_states / 64> present_{};  // numbers of the span that have nodes and were not processed yet
  RegionVector<Number> places_;                   // of those nodes
};

}  // namespace scrimp
