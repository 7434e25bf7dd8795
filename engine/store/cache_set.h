// A set that may forget states that are not on the path (GHP92), or one that forgets none: the records of
// store/record_set.h, and a keeper that chooses which to evict.
//
//     RecordSet   slot -> state      RecordCache   slot -> annotation      Keeper   slot -> data of its policies
//
// If there is no room for a fresh state, the keeper evicts others until there is. All columns have the same length: as
// many slots as were needed at once, or as the budget allows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "core/budget.h"
#include "core/machine.h"
#include "store/coded_records.h"
#include "store/growth.h"
#include "store/keeper.h"
#include "store/record_set.h"
#include "store/state_set.h"
#include "store/word_records.h"

namespace scrimp {

struct CacheOptions {
  const strategy::Cache* cache = nullptr;  // null: no state is forgotten
  const std::uint8_t* kinds = nullptr;     // the types of events, if a policy needs them
  StateCode code = {};                     // if states are coded
};

/// There is at most one annotation, which takes one word.
template <class Records, class... Annotations>
class RecordCache {
 public:
  static constexpr std::size_t annotations = sizeof...(Annotations);
  static constexpr bool keys_are_hashes = true;
  static_assert(annotations <= 1 && ((sizeof(Annotations) == sizeof(Word)) && ...));

  RecordCache(const Machine& machine, const CacheOptions& options, Budget& budget)
      : has_capacity_(options.cache != nullptr && (options.cache->states || options.cache->bytes)),
        limit_states_(state_limit(options)),
        budget_(Budget::PartOf{budget}, byte_limit(options, budget)),
        whole_(budget),
        set_(machine, options.code, budget_),
        beside_(budget_) {
    if (options.cache == nullptr) return;
    keeper_.emplace(*options.cache, options.kinds, budget_);
    if (options.cache->states) keeper_->set_capacity(*options.cache->states);
  }

  void prepare(const Word* states, std::uint32_t count, Word* keys) const { set_.prepare(states, count, keys); }

  struct Entry {
    Insertion insertion;
    Slot slot = no_slot;
    Word* beside = nullptr;

    Word& annotation() const { return *beside; }
    void annotate(const Word* value) const {
      if constexpr (annotations != 0) *beside = *value;
    }
  };

  [[gnu::always_inline]] Entry visit(const Word* state, Word key, EventId event = no_event) {
    const auto image = set_.image(state);
    const Slot known = set_.find(image, key);
    if (known == no_slot) return add(image, key, event);
    if (keeper_) keeper_->met(known, event);
    return entry(Insertion::known, known);
  }

  Insertion insert(const Word* state) { return scrimp::visit(*this, state).insertion; }
  void insert(const Word* states, std::uint32_t count, Insertion* results) {
    for (std::uint32_t i = 0; i < count; ++i) results[i] = insert(states + std::size_t{i} * set_.words());
  }

  /// The annotation of a stored state.
  Word& annotation(Slot slot) const { return beside_[slot]; }
  void fetch_annotation(Slot slot) const { fetch_line(&beside_[slot]); }

  void pin(Slot slot) {
    if (keeper_) keeper_->pin(slot);
  }
  void unpin(Slot slot) {
    if (keeper_) keeper_->unpin(slot);
  }

  Reason lack() const { return lack_; }

  /// Calls `use` with every slot and its state.
  template <class Use>
  void for_each(Use use) const {
    set_.for_each(use);
  }
  std::size_t row_words() const { return set_.words() + annotations; }
  template <class Use>
  bool for_each_row(Use use) const {
    std::vector<Word> row(row_words());
    for_each([&](Slot slot, const Word* state) {
      std::copy_n(state, set_.words(), row.data());
      if constexpr (annotations != 0) row[set_.words()] = beside_[slot];
      use(static_cast<const Word*>(row.data()));
    });
    return true;
  }
  /// The added state may be forgotten.
  bool add_row(const Word* row) {
    const Entry entry = scrimp::visit(*this, row);
    if (entry.insertion != Insertion::fresh) return false;
    entry.annotate(row + set_.words());
    unpin(entry.slot);
    return true;
  }

  std::uint64_t size() const { return set_.size(); }
  std::uint64_t stored_peak() const { return peak_; }
  std::uint64_t bytes() const { return set_.bytes() + beside_.bytes() + (keeper_ ? keeper_->bytes() : 0); }
  std::uint64_t state_bytes() const { return set_.state_bytes(); }

 private:
  static constexpr std::uint64_t most_states = RecordSet<Records>::most_states;
  static constexpr std::uint64_t least_step = 16;  // minimal number of slots by which growing is worthwhile

  static std::uint64_t state_limit(const CacheOptions& options) {
    return options.cache == nullptr ? most_states : std::min(options.cache->states.value_or(most_states), most_states);
  }
  /// A cache without a size of its own leaves a quarter to the path: its table would otherwise take what the path
  /// needs, although it can forget and the path cannot.
  static std::uint64_t byte_limit(const CacheOptions& options, const Budget& budget) {
    if (options.cache == nullptr) return budget.limit();
    return options.cache->bytes.value_or(options.cache->states ? budget.limit() : budget.limit() / 4 * 3);
  }

  using Image = typename Records::Image;

  Entry entry(Insertion insertion, Slot slot) const {
    if constexpr (annotations != 0) return {insertion, slot, &beside_[slot]};
    return {insertion, slot};
  }

  [[gnu::always_inline]] Entry add(Image image, Word key, EventId event) {
    Slot slot = size() < limit_states_ ? set_.add(image, key) : no_slot;
    if (slot == no_slot) [[unlikely]] {
      slot = make_room_and_add(image, key);
      if (slot == no_slot) return {Insertion::no_room};
    }
    if constexpr (annotations != 0) beside_[slot] = 0;
    if (keeper_) keeper_->entered(slot, event);
    peak_ = std::max(peak_, size());
    return entry(Insertion::fresh, slot);
  }

  [[gnu::noinline]] Slot make_room_and_add(Image image, Word key) {
    if (size() < limit_states_ && !set_.has_free_slot() && grow()) {
      const Slot slot = set_.add(image, key);
      if (slot != no_slot) return slot;
    }
    for (;;) {
      const Slot given_up = keeper_ ? keeper_->give_up(size()) : no_slot;
      if (given_up == no_slot) return note_lack(), no_slot;
      set_.remove(given_up);
      const Slot slot = set_.add(image, key);
      if (slot != no_slot) return slot;
    }
  }

  void note_lack() {
    const bool capacity_is_spent = size() == limit_states_ || budget_.left() < whole_.left();
    lack_ = has_capacity_ && capacity_is_spent ? Reason::cache : Reason::memory;
  }

  /// More slots, as in store/growth.h.
  bool grow() {
    const std::uint64_t slots = set_.slots(), bytes = slots * row_bytes(), left = budget_.left();
    const std::uint64_t wanted_bytes =
        slots == 0 ? first_share(left) : std::max(preferred_bytes(bytes), generous_bytes(bytes, left));
    const std::uint64_t wanted = std::min(std::max(wanted_bytes / row_bytes(), slots + least_step), limit_states_);
    if (resize(wanted)) return true;
    const std::uint64_t step = left / 4 * 3 / row_bytes();
    if (step < std::max(slots / 32, least_step)) return false;
    return resize(std::min(slots + step, wanted));
  }

  bool resize(std::uint64_t slots) {
    const std::uint64_t before = set_.slots();
    if (set_.resize(slots)) {
      if ((annotations == 0 || beside_.resize(slots)) && (!keeper_ || keeper_->resize(slots))) return true;
      std::ignore = annotations == 0 || beside_.resize(before);
      std::ignore = set_.resize(before);
    }
    return false;
  }

  std::size_t row_bytes() const {
    return set_.row_bytes() + annotations * sizeof(Word) + (keeper_ ? keeper_->row_bytes() : 0);
  }

  bool has_capacity_;  // of its own
  std::uint64_t limit_states_;
  Budget budget_;  // of the cache, part of the whole
  Budget& whole_;
  RecordSet<Records> set_;
  Column<Word> beside_;  // empty if there is no annotation
  std::optional<Keeper> keeper_;
  std::uint64_t peak_ = 0;
  Reason lack_ = Reason::memory;
};

/// `Words` is the number of words of a state, or 0 if it is known only at run time.
template <std::uint32_t Words, class... Annotations>
using CacheSet = RecordCache<WordRecords<Words>, Annotations...>;

/// For coded states, of any number of words.
template <class... Annotations>
using CodedCacheSet = RecordCache<CodedRecords, Annotations...>;

static_assert(ForgettingSet<CacheSet<0>> && ForgettingSet<CacheSet<1, Word>> && EnumerableSet<CodedCacheSet<Word>>);

}  // namespace scrimp
