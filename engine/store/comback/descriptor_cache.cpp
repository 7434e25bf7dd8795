#include "store/comback/descriptor_cache.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace scrimp {

DescriptorCache::DescriptorCache(Budget& budget, std::uint32_t words, const strategy::Comback& options,
                                 bool new_are_at_hand, const BackedgeTable& backedges)
    : words_(words),
      parts_wanted_(options.strategy),
      distance_(options.k),
      seed_(options.seed),
      new_are_at_hand_(new_are_at_hand),
      backedges_(backedges),
      descriptors_(budget),
      kept_(budget),
      lists_(budget),
      index_(budget) {
  make_parts();
}

void DescriptorCache::make_parts() {
  parts_.clear();
  for (const KeptShare& part : parts_wanted_) {
    const auto number = static_cast<std::uint32_t>(parts_.size());
    const PartContext context{{kept_, lists_}, index_.budget(), backedges_, *this, number, distance_, seed_};
    parts_.push_back({make_part(part.keeping, context), part.percent});
    needs_worth_ |= parts_.back().keeper->waits_for_worth();
    takes_new_ |= takes_new(*parts_.back().keeper);
  }
}

DescriptorCache::~DescriptorCache() = default;

std::uint64_t DescriptorCache::bytes() const {
  std::uint64_t sum = descriptors_.bytes() + kept_.bytes() + lists_.bytes() + index_.bytes();
  for (const Part& part : parts_) sum += part.keeper->bytes();
  return sum;
}

void DescriptorCache::enter(StateId id, const Word* state, std::uint64_t level) {
  const Kept kept{id, static_cast<std::uint32_t>(level), 0, 0, 0};
  for (std::size_t part = 0; part < parts_.size(); ++part)
    if (takes_new(*parts_[part].keeper) && place(kept, state, part)) return;
}

bool DescriptorCache::expanded(StateId id, const Word* state, std::uint64_t level, double worth) {
  const Slot slot = slot_of(id);
  if (slot != no_slot) {
    if (parts_[kept_[slot].part].keeper->waits_for_worth()) return true;
    kept_[slot].worth = static_cast<float>(worth);
  }
  const std::size_t first = slot == no_slot ? 0 : kept_[slot].part + 1;
  for (std::size_t part = first; part < parts_.size(); ++part) {
    if (!parts_[part].keeper->waits_for_worth()) continue;
    if (slot == no_slot) {
      if (place({id, static_cast<std::uint32_t>(level), static_cast<float>(worth), 0, 0}, state, part)) return true;
    } else if (parts_[part].accepts(kept_[slot])) {
      parts_[kept_[slot].part].keeper->remove(slot);
      settle(slot, part);
      return true;
    }
  }
  return slot != no_slot;
}

void DescriptorCache::meet(StateId id, const Word* state) {
  const Slot slot = slot_of(id);
  if (slot != no_slot) return parts_[kept_[slot].part].keeper->met(slot);
  const Kept kept{id, 0, 0, 0, 0};
  for (std::size_t part = 0; part < parts_.size(); ++part)
    if (parts_[part].keeper->keeps_met() && place(kept, state, part)) return;
}

/// Puts a state that is not cached into a part, if the part accepts it.
bool DescriptorCache::place(const Kept& kept, const Word* state, std::size_t part) {
  if (!parts_[part].accepts(kept)) return false;
  const Slot slot = new_slot(kept, state);
  if (slot != no_slot) settle(slot, part);
  return true;
}

/// Puts the state of a slot into a part that has accepted it; a state that leaves the part is offered to the next one.
void DescriptorCache::settle(Slot slot, std::size_t part) {
  if (parts_[part].is_full()) push_out(part);
  kept_[slot].part = static_cast<std::uint32_t>(part);
  if (!parts_[part].keeper->add(slot)) release(slot);
}

void DescriptorCache::push_out(std::size_t part) {
  const Slot slot = parts_[part].keeper->take_out();
  for (std::size_t next = part + 1; next < parts_.size(); ++next) {
    const bool is_unknown = parts_[next].keeper->waits_for_worth() && kept_[slot].worth == 0;
    if (!is_unknown && parts_[next].accepts(kept_[slot])) return settle(slot, next);
  }
  release(slot);
}

Slot DescriptorCache::new_slot(const Kept& kept, const Word* state) {
  const bool has_slot = free_.size != 0 || used_ != rows_ || reserve_slots();
  if (!has_slot || (2 * (size_ + 1) > index_.bytes() / sizeof(Entry) && !grow_index())) {
    set_capacity(size_ == 0 ? 0 : size_ - 1);  // so that the parts count as full
    return no_slot;
  }
  Slot slot;
  if (free_.size != 0) {
    slot = free_.first;
    lists_.remove(free_, slot);
  } else {
    slot = static_cast<Slot>(used_++);
  }
  kept_[slot] = kept;
  std::memcpy(descriptor(slot), state, words_ * sizeof(Word));
  add_to_index(slot);
  ++size_;
  return slot;
}

void DescriptorCache::release(Slot slot) {
  remove_from_index(slot);
  lists_.append(free_, slot);
  --size_;
}

/// One more than the capacity, because a state is added before another leaves.
bool DescriptorCache::reserve_slots() {
  const std::uint64_t most = std::min<std::uint64_t>(capacity_ + 1, std::numeric_limits<Slot>::max() - 1);
  const std::uint64_t rows = std::min(most, std::max<std::uint64_t>(64, rows_ / 2 * 3));
  if (rows <= rows_ || !descriptors_.resize(rows * words_ * sizeof(Word)) || !kept_.resize(rows) ||
      !lists_.resize(rows))
    return false;
  rows_ = rows;
  return true;
}

bool DescriptorCache::grow_index() {
  const std::size_t bytes = std::max(small_page, 2 * index_.bytes());
  Region larger(index_.budget());
  if (!larger.resize(bytes)) return false;
  std::swap(index_, larger);
  mask_ = bytes / sizeof(Entry) - 1;
  for (const Entry *each = larger.as<Entry>(), *stop = each + larger.bytes() / sizeof(Entry); each != stop; ++each)
    if (each->slot != 0) add_to_index(each->slot - 1);
  return true;
}

void DescriptorCache::add_to_index(Slot slot) {
  const auto low_id = static_cast<std::uint32_t>(kept_[slot].id);
  std::uint64_t place = home(low_id);
  while (index()[place].slot != 0) place = (place + 1) & mask_;
  index()[place] = {low_id, slot + 1};
}

void DescriptorCache::remove_from_index(Slot slot) {
  std::uint64_t gap = home(static_cast<std::uint32_t>(kept_[slot].id));
  while (index()[gap].slot != slot + 1) gap = (gap + 1) & mask_;
  for (std::uint64_t next = (gap + 1) & mask_; index()[next].slot != 0; next = (next + 1) & mask_) {
    // Must not move before its home.
    if (((next - home(index()[next].low_id)) & mask_) < ((next - gap) & mask_)) continue;
    index()[gap] = index()[next];
    gap = next;
  }
  index()[gap].slot = 0;
}

void DescriptorCache::set_capacity(std::uint64_t states) {
  if (states == capacity_) return;
  capacity_ = states;
  share_capacity();
}

void DescriptorCache::share_capacity() {
  std::uint64_t rest = capacity_;
  for (Part& part : parts_) {
    const bool is_last = &part == &parts_.back();
    part.capacity = is_last ? rest : std::min(rest, (capacity_ * part.percent + 50) / 100);
    rest -= part.capacity;
  }
  for (std::size_t part = 0; part < parts_.size(); ++part)
    while (parts_[part].keeper->size() > parts_[part].capacity) push_out(part);
}

bool DescriptorCache::halve() {
  if (size_ < 2) return false;
  const std::uint64_t half = size_ / 2;
  for (Region* const region : {&descriptors_, &index_}) region->clear();
  kept_ = Column<Kept>(index_.budget());
  lists_ = SlotLists(index_.budget());
  free_ = {};
  rows_ = used_ = size_ = mask_ = 0;
  make_parts();
  capacity_ = 0;
  set_capacity(half);
  return true;
}

}  // namespace scrimp
