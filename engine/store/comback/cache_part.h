// The parts of a cache of full descriptors: each has its own rule for choosing the states it keeps (EWK09, section 3).
#pragma once

#include <cstdint>
#include <memory>

#include "core/memory.h"
#include "store/column.h"
#include "store/comback/backedge_table.h"
#include "store/comback/options.h"
#include "store/comback/state_id.h"
#include "store/slot_lists.h"

namespace scrimp {

/// Data of a cached state, beside its descriptor.
struct Kept {
  StateId id;
  std::uint32_t level;  // its distance from the initial state by backedges: the paper's d(s)
  float worth;          // the paper's H(s), once the state was expanded
  std::uint32_t part;   // the part that keeps it
  std::uint32_t place;  // in the part, if the part needs it
};

/// The slots of all parts.
struct KeptSlots {
  Column<Kept>& kept;
  SlotLists& lists;
};

class CachePart {
 public:
  explicit CachePart(KeptSlots slots) : slots_(slots) {}
  virtual ~CachePart() = default;
  CachePart(const CachePart&) = delete;
  CachePart& operator=(const CachePart&) = delete;

  /// Whether states are offered to the part only after they were expanded; otherwise as soon as they are known.
  virtual bool waits_for_worth() const { return false; }
  /// Whether the part takes a state. If it is full, one of its states then leaves.
  virtual bool accepts(const Kept& newcomer, bool is_full) = 0;
  /// Takes out the state that leaves. The part must not be empty.
  virtual Slot take_out() = 0;
  /// Returns false if the budget is exhausted.
  [[nodiscard]] virtual bool add(Slot slot) = 0;
  /// Whether the part takes states that were met again.
  virtual bool keeps_met() const { return false; }
  /// One of its states was met again.
  virtual void met(Slot) {}
  /// Called only for parts that do not wait for worth.
  virtual void remove(Slot slot) = 0;
  virtual std::uint64_t size() const = 0;
  virtual std::uint64_t bytes() const { return 0; }

 protected:
  KeptSlots slots_;
};

/// `number` is the part's own number, which its states have in `Kept::part`. `cache` finds the slot of a cached state.
struct PartContext {
  KeptSlots slots;
  Budget& budget;
  const BackedgeTable& backedges;
  const class DescriptorCache& cache;
  std::uint32_t number;
  std::uint32_t distance;
  std::uint64_t seed;
};

std::unique_ptr<CachePart> make_part(Keeping keeping, const PartContext& context);

}  // namespace scrimp
