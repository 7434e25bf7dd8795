// The visited states of the ComBack method: the hashes and backedges of all, and the descriptors of a few.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/budget.h"
#include "core/machine.h"
#include "store/comback/backedge_table.h"
#include "store/comback/descriptor_cache.h"
#include "store/comback/options.h"
#include "store/comback/plan.h"
#include "store/comback/state_table.h"

namespace scrimp {

class ComBackStates {
 public:
  /// `new_are_at_hand`: see DescriptorCache.
  ComBackStates(const Machine& machine, const strategy::Comback& options, bool new_are_at_hand, Budget& budget)
      : capacity_(*options.cache),
        descriptor_bytes_(DescriptorCache::descriptor_bytes(machine.words)),
        table_budget_(Budget::PartOf{budget}),
        backedge_budget_(Budget::PartOf{budget}),
        cache_budget_(Budget::PartOf{budget}),
        table_(table_budget_, options.hash.value_or(0)),
        backedges_(backedge_budget_),
        cache_(cache_budget_, machine.words, options, new_are_at_hand, backedges_),
        initial_(machine.words) {
    machine.initial(initial_.data());
  }

  std::uint64_t size() const { return backedges_.size(); }
  const StateTable& table() const { return table_; }
  const BackedgeTable& backedges() const { return backedges_; }
  DescriptorCache& cache() { return cache_; }

  /// The descriptor of a state, or null if it is not kept.
  const Word* find(StateId id) const { return id == 0 ? initial_.data() : cache_.find(id); }

  /// Adds a state with the next number, dropping descriptors if necessary. Returns false if the budget is exhausted.
  [[nodiscard]] bool add(Word hash, const Backedge& edge) {
    while (!table_.insert(hash))
      if (!give_way()) return false;
    while (!backedges_.append(edge))
      if (!give_way()) return false;
    return true;
  }

  /// How many descriptors may be kept now. If given as a share of the states, it grows with their number.
  std::uint64_t capacity() const {
    return std::min(most_descriptors_, in_states(capacity_, descriptor_bytes_, size()));
  }
  /// Gives the cache this capacity less the descriptors kept elsewhere.
  void adapt_cache(std::uint64_t elsewhere = 0) { cache_.set_capacity(capacity() - std::min(capacity(), elsewhere)); }

  std::uint64_t table_peak() const { return table_budget_.peak(); }
  std::uint64_t backedge_peak() const { return backedge_budget_.peak() + sizeof(BackedgeTable); }
  std::uint64_t cache_peak() const { return cache_budget_.peak(); }
  std::uint64_t state_bytes() const { return table_.state_bytes() + backedges_.state_bytes(); }

 private:
  bool give_way() {
    if (!cache_.halve()) return false;
    most_descriptors_ = cache_.capacity();
    return true;
  }

  const Capacity capacity_;
  const std::uint64_t descriptor_bytes_;
  Budget table_budget_, backedge_budget_, cache_budget_;
  StateTable table_;
  BackedgeTable backedges_;
  DescriptorCache cache_;
  std::vector<Word> initial_;
  std::uint64_t most_descriptors_ = ~std::uint64_t{0};
};

}  // namespace scrimp
