// The states that may still be reached, each with its number of unexplored incoming edges (PY97, section 3.2: its
// `checked` and `pending` with `counter`).
//
//     RecordSet   slot -> state, edges left, standing
//
// A state is forgotten once it is explored and no incoming edge is unexplored: it is a pseudo-root. A state with more
// edges than can be counted is never forgotten in this way. If there is no room, an explored state with unexplored
// incoming edges may be discarded; states are then visited again, and counts are only hints.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/budget.h"
#include "core/machine.h"
#include "store/column.h"
#include "store/growth.h"
#include "store/pseudoroot/options.h"
#include "store/pseudoroot/pending_states.h"
#include "store/pseudoroot/reference_records.h"
#include "store/record_set.h"

namespace scrimp {

/// `Words` is the number of words of a state, or 0 if it is known only at run time.
template <std::uint32_t Words>
class ReferenceTable {
 public:
  using Records = ReferenceRecords<Words>;

  /// `has_numbers`: each state has a number beside it.
  ReferenceTable(const Machine& machine, const strategy::Pseudoroot& options, bool has_numbers, Budget& budget)
      : limit_(std::min(options.states.value_or(most_states), most_states)),
        has_numbers_(has_numbers),
        budget_(budget),
        set_(machine, {}, budget),
        numbers_(budget),
        pending_(set_.records()) {}
  ReferenceTable(const ReferenceTable&) = delete;
  ReferenceTable& operator=(const ReferenceTable&) = delete;

  void prepare(const Word* states, std::uint32_t count, Word* keys) const { set_.prepare(states, count, keys); }
  /// Prefetches the record of a prepared state. Returns false if the state is not stored.
  bool fetch(Word key) const { return set_.fetch(key); }
  Slot find(const Word* state, Word key) const { return set_.find(state, key); }
  void read(Slot slot, Word* state) const { set_.read(slot, state); }

  /// Adds a state that is not stored, with `edges` unexplored incoming edges. Returns `no_slot` if there is no room.
  Slot add(const Word* state, Word key, std::uint32_t edges, Standing standing) {
    if (set_.size() >= limit_) return no_slot;
    Slot slot = set_.add(state, key);
    if (slot == no_slot && !set_.has_free_slot() && grow()) slot = set_.add(state, key);
    if (slot == no_slot) return no_slot;
    reference(slot) = {no_slot, static_cast<std::uint16_t>(std::min<std::uint32_t>(edges, uncounted)), standing};
    if (standing == Standing::pending) pending_.add(slot);
    peak_ = std::max(peak_, set_.size());
    return slot;
  }

  /// Called when an edge into a stored state was explored.
  void met(Slot slot) {
    Reference& met = reference(slot);
    if (met.edges == uncounted || met.edges == 0) return;
    if (--met.edges == 0 && met.standing == Standing::explored) forget(slot);
  }

  /// Called when a state that was pending, or on the path, has been explored.
  void explored(Slot slot) {
    reference(slot).standing = Standing::explored;
    ++explored_;
    if (reference(slot).edges == 0) forget(slot);
  }

  void put_on_path(Slot slot) { reference(slot).standing = Standing::on_path; }

  /// Discards an explored state that has unexplored incoming edges: of the next few the one with the fewest. Returns
  /// false if there is none or, among many pending states, hardly any: searching for it would take too long.
  bool discard() {
    if (explored_ == 0 || (!pending_.empty() && explored_ < set_.slots() / longest_search)) return false;
    Slot chosen = no_slot;
    for (std::uint32_t left = sample; left != 0;) {
      hand_ = hand_ + 1 < set_.slots() ? hand_ + 1 : 0;
      if (reference(hand_).standing != Standing::explored) continue;
      --left;
      if (chosen == no_slot || reference(hand_).edges < reference(chosen).edges) chosen = hand_;
    }
    forget(chosen);
    ++discarded_;
    return true;
  }
  std::uint64_t discarded() const { return discarded_; }

  PendingStates<Records>& pending() { return pending_; }
  bool has_numbers() const { return has_numbers_; }
  /// The number of a state that was just forgotten stays readable until the next is added.
  std::uint64_t& number(Slot slot) { return numbers_[slot]; }

  std::size_t words() const { return set_.words(); }
  std::uint64_t size() const { return set_.size(); }
  std::uint64_t peak() const { return peak_; }
  bool is_limited() const { return limit_ != most_states; }
  std::uint64_t bytes() const { return set_.bytes() + numbers_.bytes(); }
  std::uint64_t state_bytes() const { return peak_ * row_bytes(); }

 private:
  static constexpr std::uint16_t uncounted = Reference::uncounted;
  static constexpr std::uint64_t most_states = RecordSet<Records>::most_states;
  static constexpr std::uint32_t sample = 4;
  static constexpr std::uint64_t longest_search = 1024;
  static constexpr std::uint64_t least_step = 16;  // minimal number of slots by which growing is worthwhile

  Reference& reference(Slot slot) const { return set_.records().reference(slot); }

  void forget(Slot slot) {
    reference(slot).standing = Standing::absent;
    --explored_;
    set_.remove(slot);
  }

  /// More slots, as in store/growth.h.
  bool grow() {
    const std::uint64_t slots = set_.slots(), bytes = slots * row_bytes(), left = budget_.left();
    const std::uint64_t wanted_bytes =
        slots == 0 ? first_share(left) : std::max(preferred_bytes(bytes), generous_bytes(bytes, left));
    const std::uint64_t wanted = std::min(std::max(wanted_bytes / row_bytes(), slots + least_step), limit_);
    if (resize(wanted)) return true;
    const std::uint64_t step = left / 4 * 3 / row_bytes();
    return step >= std::max(slots / 32, least_step) && resize(std::min(slots + step, wanted));
  }

  /// On failure there may be more numbers than slots.
  bool resize(std::uint64_t slots) { return (!has_numbers_ || numbers_.resize(slots)) && set_.resize(slots); }

  std::size_t row_bytes() const { return set_.row_bytes() + (has_numbers_ ? sizeof(std::uint64_t) : 0); }

  const std::uint64_t limit_;
  const bool has_numbers_;
  Budget& budget_;
  RecordSet<Records> set_;
  Column<std::uint64_t> numbers_;
  PendingStates<Records> pending_;
  std::uint64_t explored_ = 0;
  std::uint64_t peak_ = 0;
  std::uint64_t discarded_ = 0;
  Slot hand_ = 0;  // where the last search for a state to discard ended
};

}  // namespace scrimp
