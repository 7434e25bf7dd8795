// The table of reference counts as the set of a depth-first search that holds its path.
//
// As long as no state was discarded, a state with no unexplored incoming edge left when it is met needs no place in the
// table: only the path holds it. Once a state was discarded, all states of the path are stored. A state that was on the
// path without a place may be met once more, but then has one: a state is on the path at most twice, so the search
// terminates. If states have numbers, all are stored, because the number is in the table.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "store/pseudoroot/in_degrees.h"
#include "store/pseudoroot/reference_table.h"
#include "store/state_set.h"

namespace scrimp {

/// The number of unexplored edges into a state when one edge has just reached it. If that edge was not counted, the
/// result is too large.
constexpr std::uint32_t edges_left(std::uint32_t in_degree) {
  return in_degree == saturated || in_degree == 0 ? saturated : in_degree - 1;
}

/// The only possible annotation is a number.
template <std::uint32_t Words, class... Annotations>
class ReferencePathSet {
 public:
  static constexpr std::size_t annotations = sizeof...(Annotations);
  static constexpr bool keys_are_hashes = true;

  /// The initial state is entered first, unless the search starts from states that are already in the table.
  ReferencePathSet(ReferenceTable<Words>& table, const InDegrees& degrees, bool from_initial)
      : table_(table), degrees_(degrees), is_initial_(from_initial) {}

  void prepare(const Word* states, std::uint32_t count, Word* keys) const { table_.prepare(states, count, keys); }

  struct Entry {
    Insertion insertion;
    Slot slot = no_slot;
    ReferenceTable<Words>* table = nullptr;

    Word& annotation() const { return table->number(slot); }
  };

  Entry visit(const Word* state, Word key, EventId = no_event) {
    const Slot known = table_.find(state, key);
    if (known != no_slot) {
      table_.met(known);
      return {Insertion::known, known, &table_};
    }
    const std::uint32_t in_degree = degrees_.of(state);
    const std::uint32_t edges = std::exchange(is_initial_, false) ? in_degree : edges_left(in_degree);
    const bool is_stored = edges != 0 || table_.discarded() != 0 || table_.has_numbers();
    const Slot slot = is_stored ? add(state, key, edges) : no_slot;
    if (is_stored && slot == no_slot) return {Insertion::no_room};
    if (!is_stored) ++beside_;
    peak_ = std::max(peak_, table_.size() + beside_);
    return {Insertion::fresh, slot, &table_};
  }

  Insertion insert(const Word* state) { return scrimp::visit(*this, state).insertion; }
  void insert(const Word* states, std::uint32_t count, Insertion* results) {
    for (std::uint32_t i = 0; i < count; ++i) results[i] = insert(states + std::size_t{i} * table_.words());
  }

  Word& annotation(Slot slot) const { return table_.number(slot); }
  void pin(Slot slot) { table_.put_on_path(slot); }
  void unpin(Slot slot) {
    if (slot == no_slot) {
      --beside_;
    } else {
      table_.explored(slot);
    }
  }

  Reason lack() const { return table_.is_limited() ? Reason::cache : Reason::memory; }
  std::uint64_t size() const { return table_.size(); }
  std::uint64_t stored_peak() const { return peak_; }
  std::uint64_t bytes() const { return table_.bytes(); }
  std::uint64_t state_bytes() const { return table_.state_bytes(); }

 private:
  Slot add(const Word* state, Word key, std::uint32_t edges) {
    Slot slot = table_.add(state, key, edges, Standing::on_path);
    while (slot == no_slot && table_.discard()) slot = table_.add(state, key, edges, Standing::on_path);
    return slot;
  }

  ReferenceTable<Words>& table_;
  const InDegrees& degrees_;
  bool is_initial_;
  std::uint64_t beside_ = 0;  // states of the path that are not in the table
  std::uint64_t peak_ = 0;
};

static_assert(ForgettingSet<ReferencePathSet<0>> && ForgettingSet<ReferencePathSet<1, Word>>);

}  // namespace scrimp
