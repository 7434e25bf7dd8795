// The cache of the ComBack method: full descriptors of some states, found by their numbers (EWK09, section 3).
//
//     index    hash of a number → slot
//     slots    | number, level, worth, part, place | links |  descriptor  |
//     parts    F: a list · R: an array · H, D: a heap · levels: two lists
//
// A state comes to the first part that accepts it. When it has to leave that part it comes to the next one. A part that
// goes by worth sees a state when it was expanded, wherever the state is then.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/hash.h"
#include "core/machine.h"
#include "core/memory.h"
#include "store/column.h"
#include "store/comback/backedge_table.h"
#include "store/comback/cache_part.h"
#include "store/comback/options.h"
#include "store/comback/state_id.h"
#include "store/slot_lists.h"

namespace scrimp {

class DescriptorCache {
 public:
  DescriptorCache(Budget& budget, std::uint32_t words, const ComBack& options, const BackedgeTable& backedges);
  ~DescriptorCache();

  /// The descriptor of a state, or null.
  const Word* find(StateId id) const {
    const Slot slot = slot_of(id);
    return slot == no_slot ? nullptr : descriptor(slot);
  }
  Slot slot_of(StateId id) const {
    if (size_ == 0) return no_slot;
    for (std::uint64_t place = home(id);; place = (place + 1) & mask_) {
      const std::uint32_t entry = index()[place];
      if (entry == 0) return no_slot;
      if (kept_[entry - 1].id == id) return entry - 1;
    }
  }
  void prefetch(StateId id) const {
    if (size_ != 0) __builtin_prefetch(index() + home(id));
  }

  /// A state has become known.
  void enter(StateId id, const Word* state, std::uint64_t level);
  /// A state was expanded; `worth` is H(s). Returns whether it is kept.
  bool expanded(StateId id, const Word* state, std::uint64_t level, double worth);
  bool needs_worth() const { return needs_worth_; }

  /// From now on so many descriptors are kept at most.
  void set_capacity(std::uint64_t states);
  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t size() const { return size_; }
  /// Gives memory back: forgets everything, and keeps half as much from now on. Returns false where there is nothing to
  /// give.
  bool halve();

  std::uint64_t bytes() const;
  /// What a descriptor takes, with what belongs to it.
  static std::uint64_t descriptor_bytes(std::uint32_t words) {
    return words * sizeof(Word) + sizeof(Kept) + SlotLists::row_bytes + 2 * sizeof(std::uint32_t);
  }

 private:
  struct Part {
    std::unique_ptr<CachePart> keeper;
    std::uint32_t percent;
    std::uint64_t capacity = 0;

    bool is_full() const { return keeper->size() >= capacity; }
    bool accepts(const Kept& kept) const { return capacity != 0 && keeper->accepts(kept, is_full()); }
  };

  Word* descriptor(Slot slot) const { return descriptors_.as<Word>() + std::size_t{slot} * words_; }
  std::uint32_t* index() const { return index_.as<std::uint32_t>(); }
  std::uint64_t home(StateId id) const { return mix(id + 1) & mask_; }

  void make_parts();
  bool place(const Kept& kept, const Word* state, std::size_t part);
  void settle(Slot slot, std::size_t part);
  void push_out(std::size_t part);
  Slot new_slot(const Kept& kept, const Word* state);
  void release(Slot slot);
  bool reserve_slots();
  bool grow_index();
  void add_to_index(Slot slot);
  void remove_from_index(StateId id);
  void share_capacity();

  const std::uint32_t words_;
  const std::vector<ComBack::Part> parts_wanted_;
  const std::uint32_t distance_;
  const std::uint64_t seed_;
  const BackedgeTable& backedges_;
  Region descriptors_;
  Column<Kept> kept_;
  SlotLists lists_;
  Region index_;  // slots plus one; zero is free; a power of two
  std::uint64_t mask_ = 0;
  std::vector<Part> parts_;
  bool needs_worth_ = false;
  SlotLists::List free_;
  std::uint64_t rows_ = 0;  // of all columns
  std::uint64_t used_ = 0;  // of them, ever
  std::uint64_t size_ = 0;
  std::uint64_t capacity_ = 0;
};

}  // namespace scrimp
