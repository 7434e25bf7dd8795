// A set that may forget the states that are not on the path (GHP92), or one that forgets none: the records of
// store/record_set.h, and who keeps them.
//
//     RecordSet   slot -> state        CacheSet   slot -> mark        Keeper   slot -> what its policies know
//
// Where there is no room for a fresh state, the keeper gives up others until there is. All columns have the same
// length: as many slots as were needed at once, or as the budget allows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>

#include "core/budget.h"
#include "core/machine.h"
#include "store/coded_records.h"
#include "store/growth.h"
#include "store/keeper.h"
#include "store/path_set.h"
#include "store/record_set.h"
#include "store/word_records.h"

namespace scrimp {

struct CacheOptions {
  const strategy::Cache* cache = nullptr;  // null: nothing is forgotten
  StateCode code = {};                     // where states are coded
  bool keeps_marks = true;                 // else nobody asks for one
};

template <class Records>
class RecordCache {
 public:
  static constexpr bool keys_are_hashes = true;

  RecordCache(const Machine& machine, const CacheOptions& options, Budget& budget)
      : limit_states_(state_limit(options)),
        budget_(Budget::PartOf{budget}, byte_limit(options, budget)),
        whole_(budget),
        set_(machine, options.code, budget_),
        marks_(budget_),
        keeps_marks_(options.keeps_marks) {
    if (options.cache == nullptr) return;
    keeper_.emplace(*options.cache, budget_);
    if (options.cache->states) keeper_->set_capacity(*options.cache->states);
  }

  void prepare(const Word* states, std::uint32_t count, Word* keys) const { set_.prepare(states, count, keys); }

  [[gnu::always_inline]] Entered enter(const Word* state, Word key, std::uint8_t kind) {
    const auto image = set_.image(state);
    const Slot known = set_.find(image, key);
    if (known == no_slot) return add(image, key, kind);
    if (keeper_) keeper_->met(known, kind);
    return {Insertion::known, known};
  }

  Mark& mark(Slot slot) { return marks_[slot]; }
  Mark& mark_of(const Word*, Slot slot) { return marks_[slot]; }
  void fetch_mark(Word, Slot slot) const { fetch_line(&marks_[slot]); }

  void put_on_path(Slot slot) {
    if (keeper_) keeper_->put_on_path(slot);
  }
  void leave_path(Slot slot) {
    if (keeper_) keeper_->leave_path(slot);
  }

  Reason lack() const { return lack_; }

  /// Calls `visit` with every slot and its state.
  template <class Visit>
  void for_each(Visit visit) const {
    set_.for_each(visit);
  }

  std::uint64_t size() const { return set_.size(); }
  std::uint64_t stored_peak() const { return peak_; }
  std::uint64_t bytes() const { return set_.bytes() + marks_.bytes() + (keeper_ ? keeper_->bytes() : 0); }
  std::uint64_t state_bytes() const { return set_.state_bytes(); }

 private:
  static constexpr std::uint64_t most_states = RecordSet<Records>::most_states;
  static constexpr std::uint64_t least_step = 16;  // slots, for which it is worth growing

  static std::uint64_t state_limit(const CacheOptions& options) {
    return options.cache == nullptr ? most_states : std::min(options.cache->states.value_or(most_states), most_states);
  }
  static std::uint64_t byte_limit(const CacheOptions& options, const Budget& budget) {
    return options.cache == nullptr ? budget.limit() : options.cache->bytes.value_or(budget.limit());
  }

  using Image = typename Records::Image;

  [[gnu::always_inline]] Entered add(Image image, Word key, std::uint8_t kind) {
    Slot slot = size() < limit_states_ ? set_.add(image, key) : no_slot;
    if (slot == no_slot) [[unlikely]] {
      slot = make_room_and_add(image, key);
      if (slot == no_slot) return {Insertion::no_room, no_slot};
    }
    if (keeps_marks_) marks_[slot] = 0;
    if (keeper_) keeper_->entered(slot, kind);
    peak_ = std::max(peak_, size());
    return {Insertion::fresh, slot};
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
    lack_ = keeper_ && capacity_is_spent ? Reason::cache : Reason::memory;
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
      if ((!keeps_marks_ || marks_.resize(slots)) && (!keeper_ || keeper_->resize(slots))) return true;
      std::ignore = !keeps_marks_ || marks_.resize(before);
      std::ignore = set_.resize(before);
    }
    return false;
  }

  std::size_t row_bytes() const {
    return set_.row_bytes() + (keeps_marks_ ? sizeof(Mark) : 0) + (keeper_ ? keeper_->row_bytes() : 0);
  }

  std::uint64_t limit_states_;
  Budget budget_;  // of the cache, part of the whole
  Budget& whole_;
  RecordSet<Records> set_;
  Column<Mark> marks_;
  bool keeps_marks_;
  std::optional<Keeper> keeper_;
  std::uint64_t peak_ = 0;
  Reason lack_ = Reason::memory;
};

/// `Words` is the number of words of a state, or 0 where it is known only at run time.
template <std::uint32_t Words>
using CacheSet = RecordCache<WordRecords<Words>>;

/// For states that are coded, of any number of words.
using CodedCacheSet = RecordCache<CodedRecords>;

static_assert(PathSet<CacheSet<0>> && PathSet<CacheSet<1>> && PathSet<CodedCacheSet>);

}  // namespace scrimp
