#include "store/comback/cache_part.h"

#include <algorithm>
#include <utility>

#include "core/hash.h"
#include "store/comback/descriptor_cache.h"

namespace scrimp {

namespace {

bool reserve(Region& region, std::size_t bytes) {
  return bytes <= region.bytes() || region.resize(bytes / 2 * 3) || region.resize(bytes);
}

/// F: every state, in place of the oldest. A state that is met again counts as new.
class Fifo final : public CachePart {
 public:
  using CachePart::CachePart;

  bool accepts(const Kept&, bool) override { return true; }
  Slot take_out() override {
    const Slot oldest = members_.first;
    slots_.lists.remove(members_, oldest);
    return oldest;
  }
  bool add(Slot slot) override {
    slots_.lists.append(members_, slot);
    return true;
  }
  bool keeps_met() const override { return true; }
  void met(Slot slot) override {
    remove(slot);
    slots_.lists.append(members_, slot);
  }
  void remove(Slot slot) override { slots_.lists.remove(members_, slot); }
  std::uint64_t size() const override { return members_.size; }

 private:
  SlotLists::List members_;
};

/// R: once it is full, every second state on average, in place of a random one.
class AtRandom final : public CachePart {
 public:
  explicit AtRandom(const PartContext& context)
      : CachePart(context.slots), members_(context.budget), random_(context.seed) {}

  bool accepts(const Kept&, bool is_full) override { return !is_full || (next() >> 63) != 0; }
  Slot take_out() override {
    const Slot chosen = members()[scale(next(), size_)];
    remove(chosen);
    return chosen;
  }
  bool add(Slot slot) override {
    if (!reserve(members_, (size_ + 1) * sizeof(Slot))) return false;
    slots_.kept[slot].place = static_cast<std::uint32_t>(size_);
    members()[size_++] = slot;
    return true;
  }
  void remove(Slot slot) override {
    const Slot last = members()[--size_];
    const std::uint32_t place = slots_.kept[slot].place;
    members()[place] = last;
    slots_.kept[last].place = place;
  }
  std::uint64_t size() const override { return size_; }
  std::uint64_t bytes() const override { return members_.bytes(); }

 private:
  Slot* members() const { return members_.as<Slot>(); }
  Word next() { return mix(random_ += odd_constants[0]); }

  Region members_;
  std::uint64_t size_ = 0;
  Word random_;
};

/// H: an expanded state, in place of the one with the least worth, if that is less. A binary heap.
class ByWorth : public CachePart {
 public:
  explicit ByWorth(const PartContext& context) : CachePart(context.slots), heap_(context.budget) {}

  bool waits_for_worth() const override { return true; }
  bool accepts(const Kept& newcomer, bool is_full) override { return !is_full || entries()[0].worth < newcomer.worth; }
  Slot take_out() override {
    std::pop_heap(entries(), entries() + size_, is_worth_more);
    return entries()[--size_].slot;
  }
  bool add(Slot slot) override {
    if (!reserve(heap_, (size_ + 1) * sizeof(Entry))) return false;
    entries()[size_++] = {slots_.kept[slot].worth, slot};
    std::push_heap(entries(), entries() + size_, is_worth_more);
    return true;
  }
  void remove(Slot) override {}
  std::uint64_t size() const override { return size_; }
  std::uint64_t bytes() const override { return heap_.bytes(); }

 private:
  struct Entry {
    float worth;
    Slot slot;
  };

  static bool is_worth_more(const Entry& a, const Entry& b) { return a.worth > b.worth; }
  Entry* entries() const { return heap_.as<Entry>(); }

  Region heap_;
  std::uint64_t size_ = 0;
};

/// D: likewise, unless one of its nearest ancestors is in this part.
class ByDistance final : public ByWorth {
 public:
  explicit ByDistance(const PartContext& context)
      : ByWorth(context),
        backedges_(context.backedges),
        cache_(context.cache),
        number_(context.number),
        distance_(context.distance) {}

  bool accepts(const Kept& newcomer, bool is_full) override {
    return ByWorth::accepts(newcomer, is_full) && !has_ancestor_here(newcomer.id);
  }

 private:
  bool has_ancestor_here(StateId id) const {
    for (std::uint32_t degree = 0; degree < distance_ && id != 0; ++degree) {
      id = backedges_[id].predecessor;
      const Slot slot = cache_.slot_of(id);
      if (slot != no_slot && slots_.kept[slot].part == number_) return true;
    }
    return false;
  }

  const BackedgeTable& backedges_;
  const DescriptorCache& cache_;
  const std::uint32_t number_;
  const std::uint32_t distance_;
};

/// The states of every k-th level. If there are too many, k doubles, and those on other levels leave one by one.
class ByLevel final : public CachePart {
 public:
  explicit ByLevel(const PartContext& context) : CachePart(context.slots), spacing_(std::max(1u, context.distance)) {}

  bool accepts(const Kept& newcomer, bool is_full) override {
    while (belongs(newcomer) && is_full && strays_.size == 0) widen();
    return belongs(newcomer);
  }
  Slot take_out() override {
    SlotLists::List& list = strays_.size != 0 ? strays_ : members_;
    const Slot first = list.first;
    slots_.lists.remove(list, first);
    return first;
  }
  bool add(Slot slot) override {
    slots_.lists.append(members_, slot);
    return true;
  }
  void remove(Slot slot) override { slots_.lists.remove(belongs(slots_.kept[slot]) ? members_ : strays_, slot); }
  std::uint64_t size() const override { return std::uint64_t{members_.size} + strays_.size; }

 private:
  bool belongs(const Kept& kept) const { return kept.level != 0 && kept.level % spacing_ == 0; }

  void widen() {
    spacing_ *= 2;
    const std::uint32_t count = members_.size;
    for (std::uint32_t i = 0; i < count; ++i) {
      const Slot slot = members_.first;
      slots_.lists.remove(members_, slot);
      slots_.lists.append(belongs(slots_.kept[slot]) ? members_ : strays_, slot);
    }
  }

  std::uint64_t spacing_;
  SlotLists::List members_;
  SlotLists::List strays_;
};

}  // namespace

std::unique_ptr<CachePart> make_part(Keeping keeping, const PartContext& context) {
  switch (keeping) {
    case Keeping::random: return std::make_unique<AtRandom>(context);
    case Keeping::fifo: return std::make_unique<Fifo>(context.slots);
    case Keeping::heuristic: return std::make_unique<ByWorth>(context);
    case Keeping::distance: return std::make_unique<ByDistance>(context);
    case Keeping::level: return std::make_unique<ByLevel>(context);
  }
  return nullptr;
}

}  // namespace scrimp
