// A set of states with slots: a state keeps its slot as long as it is stored, so that other columns can hold data about
// it; and it can be removed.
//
//     index (store/fingerprint_index.h)          records, by slot
//     hash of a state -> slot              ->    the coded state
//
// A removed slot is linked to the one removed before it; the last one removed is the first to be reused.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/budget.h"
#include "core/machine.h"
#include "store/byte_fields.h"
#include "store/fingerprint_index.h"
#include "store/state_set.h"

namespace scrimp {

/// How the states of a set are coded, if they are.
struct StateCode {
  enum class Kind : std::uint8_t { huffman, run_length };

  Kind kind = Kind::huffman;
  const ByteFields* fields = nullptr;
};

/// Storage for the states. An image is a state as it is written; it is valid until the next one is made.
template <class Records>
concept RecordStorage = requires(Records records, const Records constant, const Word* state, Word* target, Slot slot,
                                 typename Records::Image image, std::uint64_t count) {
  { constant.hash(state) } -> std::same_as<Word>;
  { records.image(state) } -> std::same_as<typename Records::Image>;
  { constant.holds(slot, image) } -> std::same_as<bool>;
  { records.write(slot, image) } -> std::same_as<bool>;  // false: there is no room, nothing has changed
  { constant.read(slot, target) } -> std::same_as<void>;
  { records.remove(slot, target) } -> std::same_as<void>;  // reads it a last time
  { constant.link(slot) } -> std::same_as<Slot>;           // of a slot whose record was removed
  { records.set_link(slot, slot) } -> std::same_as<void>;
  { constant.words() } -> std::same_as<std::uint32_t>;
  { constant.row_bytes() } -> std::same_as<std::size_t>;  // bytes of a slot, whatever its record
  { records.resize(count) } -> std::same_as<bool>;
  { constant.bytes() } -> std::same_as<std::uint64_t>;
  { constant.state_bytes(count) } -> std::same_as<std::uint64_t>;
};

template <class Records>
class RecordSet {
 public:
  static constexpr std::uint64_t most_states = Records::most_slots;

  RecordSet(const Machine& machine, const StateCode& code, Budget& budget)
      : records_(machine, code, budget), index_(budget), removed_(machine.words) {}

  /// A key is the state's hash. Only the index is prefetched: that a state is known is predicted so often that waiting
  /// for its record holds nothing up.
  void prepare(const Word* states, std::uint32_t count, Word* keys) const {
    const std::size_t words = records_.words();
    for (std::uint32_t i = 0; i < count; ++i) index_.prefetch(fingerprint(keys[i] = records_.hash(states + i * words)));
  }

  typename Records::Image image(const Word* state) { return records_.image(state); }

  [[gnu::always_inline]] Slot find(typename Records::Image image, Word key) const {
    return index_.find(fingerprint(key), [&](Slot slot) { return records_.holds(slot, image); });
  }

  /// Adds a state that is not stored. Returns `no_slot`, with nothing changed, if there is no room.
  [[gnu::always_inline]] Slot add(typename Records::Image image, Word key) {
    if (!has_free_slot()) return no_slot;
    const bool is_new = free_ == no_slot;
    const Slot slot = is_new ? used_ : free_;
    const Slot next = is_new ? no_slot : records_.link(slot);
    if (!records_.write(slot, image)) [[unlikely]]
      return release(slot, is_new, next);
    if (!index_.add(fingerprint(key), slot)) [[unlikely]] {
      records_.remove(slot, removed_.data());
      return release(slot, is_new, next);
    }
    used_ += is_new;
    free_ = next;
    return slot;
  }

  void remove(Slot slot) {
    records_.remove(slot, removed_.data());
    index_.remove(fingerprint(records_.hash(removed_.data())), slot);
    records_.set_link(slot, free_);
    free_ = slot;
  }

  void read(Slot slot, Word* state) const { records_.read(slot, state); }
  const Records& records() const { return records_; }

  /// Prefetches the probable record of a state. Returns false if the state is not stored.
  bool fetch(Word key) const {
    const Slot slot = index_.find(fingerprint(key), [](Slot) { return true; });
    if (slot != no_slot) records_.prefetch(slot);
    return slot != no_slot;
  }

  bool has_free_slot() const { return free_ != no_slot || used_ < slots_; }

  /// Changes the number of slots; changes nothing on failure.
  [[nodiscard]] bool resize(std::uint64_t slots) {
    if (!records_.resize(slots)) return false;
    slots_ = slots;
    return true;
  }

  template <class Visit>
  void for_each(Visit visit) const {
    std::vector<Word> state(records_.words());
    index_.for_each([&](Slot slot) {
      records_.read(slot, state.data());
      visit(slot, static_cast<const Word*>(state.data()));
    });
  }

  std::size_t words() const { return records_.words(); }
  std::size_t row_bytes() const { return records_.row_bytes(); }
  std::uint64_t slots() const { return slots_; }
  std::uint64_t size() const { return index_.size(); }
  std::uint64_t bytes() const { return records_.bytes() + index_.bytes(); }
  std::uint64_t state_bytes() const { return records_.state_bytes(size()); }

 private:
  Slot release(Slot slot, bool is_new, Slot next) {
    if (!is_new) records_.set_link(slot, next);
    return no_slot;
  }

  Records records_;
  FingerprintIndex index_;
  std::uint64_t slots_ = 0;
  Slot used_ = 0;        // slots that ever had a record; they are the first ones
  Slot free_ = no_slot;  // the last one removed
  std::vector<Word> removed_;
};

}  // namespace scrimp
