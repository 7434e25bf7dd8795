// The cache of the ComBack method: full descriptors of some states, found by their numbers (EWK09, section 3).
//
//     index    | low half of a number, slot | ...           open addressing; eight consecutive numbers share a line
//     slots    | number, level, worth, part, place | links |  descriptor  |
//     parts    F: a list · R: an array · H, D: a heap · levels: two lists
//
// A state enters the first part that accepts it. When it has to leave that part, it is offered to the next one. A part
// that orders by worth is offered a state when it was expanded, whichever part holds the state then.
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
#include "store/line.h"
#include "store/slot_lists.h"

namespace scrimp {

class DescriptorCache {
  struct Entry {
    std::uint32_t low_id;
    std::uint32_t slot;  // plus one; zero: the entry is empty
  };
  static constexpr std::uint32_t ids_per_line = line_bytes / sizeof(Entry);

 public:
  /// If new states are available outside the cache, parts that keep states met again do not take new ones.
  DescriptorCache(Budget& budget, std::uint32_t words, const strategy::Comback& options, bool new_are_at_hand,
                  const BackedgeTable& backedges);
  ~DescriptorCache();

  /// The descriptor of a state, or null.
  const Word* find(StateId id) const {
    const Slot slot = slot_of(id);
    return slot == no_slot ? nullptr : descriptor(slot);
  }
  Slot slot_of(StateId id) const {
    if (size_ == 0) return no_slot;
    const auto low_id = static_cast<std::uint32_t>(id);
    for (std::uint64_t place = home(low_id);; place = (place + 1) & mask_) {
      const Entry entry = index()[place];
      if (entry.slot == 0) return no_slot;
      if (entry.low_id == low_id && kept_[entry.slot - 1].id == id) return entry.slot - 1;
    }
  }
  /// A hint that this state will soon be looked up.
  void prefetch(StateId id) const {
    if (size_ != 0) fetch_line(index() + home(static_cast<std::uint32_t>(id)));
  }

  /// A state was discovered.
  void enter(StateId id, const Word* state, std::uint64_t level);
  /// A state was expanded; `worth` is H(s). Returns whether it is cached.
  bool expanded(StateId id, const Word* state, std::uint64_t level, double worth);
  /// A state was met again, or reconstructed on the way to one that was. Parts that keep such states evict them last.
  void meet(StateId id, const Word* state);
  bool needs_worth() const { return needs_worth_; }
  bool takes_new() const { return takes_new_; }

  /// From now on at most this many descriptors are kept.
  void set_capacity(std::uint64_t states);
  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t size() const { return size_; }
  /// Frees memory: forgets everything and halves the capacity. Returns false if there is nothing to free.
  bool halve();

  std::uint64_t bytes() const;
  /// The memory of a descriptor and the data that belong to it.
  static std::uint64_t descriptor_bytes(std::uint32_t words) {
    return words * sizeof(Word) + sizeof(Kept) + SlotLists::row_bytes + 2 * sizeof(Entry);
  }

 private:
  struct Part {
    std::unique_ptr<CachePart> keeper;
    std::uint32_t percent;
    std::uint64_t capacity = 0;

    bool is_full() const { return keeper->size() >= capacity; }
    bool accepts(const Kept& kept) const { return capacity != 0 && keeper->accepts(kept, is_full()); }
  };

  bool takes_new(const CachePart& part) const {
    return !part.waits_for_worth() && !(new_are_at_hand_ && part.keeps_met());
  }

  Word* descriptor(Slot slot) const { return descriptors_.as<Word>() + std::size_t{slot} * words_; }
  Entry* index() const { return index_.as<Entry>(); }
  std::uint64_t home(std::uint32_t low_id) const {
    return (mix(low_id / ids_per_line + 1) * ids_per_line + low_id % ids_per_line) & mask_;
  }

  void make_parts();
  bool place(const Kept& kept, const Word* state, std::size_t part);
  void settle(Slot slot, std::size_t part);
  void push_out(std::size_t part);
  Slot new_slot(const Kept& kept, const Word* state);
  void release(Slot slot);
  bool reserve_slots();
  bool grow_index();
  void add_to_index(Slot slot);
  void remove_from_index(Slot slot);
  void share_capacity();

  const std::uint32_t words_;
  const std::vector<KeptShare> parts_wanted_;
  const std::uint32_t distance_;
  const std::uint64_t seed_;
  const bool new_are_at_hand_;
  const BackedgeTable& backedges_;
  Region descriptors_;
  Column<Kept> kept_;
  SlotLists lists_;
  Region index_;  // their number is a power of two
  std::uint64_t mask_ = 0;
  std::vector<Part> parts_;
  bool needs_worth_ = false;
  bool takes_new_ = false;
  SlotLists::List free_;
  std::uint64_t rows_ = 0;  // of all columns
  std::uint64_t used_ = 0;  // slots ever used
  std::uint64_t size_ = 0;
  std::uint64_t capacity_ = 0;
};

}  // namespace scrimp
