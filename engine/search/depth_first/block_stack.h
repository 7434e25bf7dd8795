// The successor blocks of the states at the top of a depth-first path. The arena grows only for a block that does not
// fit otherwise.
//
//     | block | block | ... | top block: taken.. | ..to take | free |
//     ^ begins[0]           ^ top begin          ^ next      ^ end
//
// When the arena is full, its lower half is dropped; a state whose block was dropped is expanded again when the search
// returns to it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

#include "core/machine.h"
#include "core/memory.h"

namespace scrimp {

class BlockStack {
 public:
  BlockStack(Budget& budget, const Machine& machine, bool keeps_steps, bool keeps_bits)
      : words_(machine.words),
        max_successors_(machine.max_successors),
        keeps_steps_(keeps_steps),
        keeps_bits_(keeps_bits),
        states_(budget),
        events_(budget),
        keys_(budget),
        steps_(budget),
        bits_(budget),
        begins_(budget),
        has_room_(resize(std::max(usual_successors, 4 * std::size_t{machine.max_successors}))) {}

  bool has_room() const { return has_room_; }
  std::uint64_t bytes() const {
    return states_.bytes() + events_.bytes() + keys_.bytes() + steps_.bytes() + bits_.bytes() + begins_.bytes();
  }

  /// Whether the top state's block is present.
  bool live() const { return blocks_ != 0; }
  bool exhausted() const { return next_ == end_; }
  Word* states() { return states_.as<Word>(); }
  EventId* events() { return events_.as<EventId>(); }
  /// For each successor, the value that the set of states computed ahead (`prepare`), until the successor is taken.
  Word* keys() { return keys_.as<Word>(); }

  /// The number of steps to each successor, if `keeps_steps`.
  std::uint32_t* steps() { return steps_.as<std::uint32_t>(); }
  bool keeps_steps() const { return keeps_steps_; }

  /// The bits of the events that lead to each successor, if `keeps_bits`.
  Word* bits() { return bits_.as<Word>(); }
  bool keeps_bits() const { return keeps_bits_; }

  /// The place of the top block's first successor, and the number of its successors.
  std::uint32_t begin() const { return top_begin(); }
  std::uint32_t count() const { return end_ - top_begin(); }
  /// The place of the successor to take next; advances to the one after it.
  std::uint32_t take() { return next_++; }
  void take_back() { --next_; }
  std::uint32_t next() const { return next_; }
  /// How many of the top block's successors were taken.
  std::uint32_t taken() const { return next_ - top_begin(); }

  /// Whether `prepare` leaves all blocks where they are.
  bool has_room_above() const { return end_ + max_successors_ <= capacity_; }
  /// Makes room for a block on top and returns its place. Up to max_successors may be written there; then call `push`.
  std::uint32_t prepare() {
    if (!has_room_above()) [[unlikely]]
      drop_lower_half();
    return end_;
  }
  /// The same for a block of any size; returns false if the budget is exhausted.
  [[nodiscard]] bool prepare(std::uint32_t count, std::uint32_t& place) {
    if (std::size_t{end_} + count > capacity_) drop_lower_half();
    const std::size_t wanted = std::size_t{end_} + count;
    place = end_;
    return wanted <= capacity_ || (wanted <= std::numeric_limits<std::uint32_t>::max() / 4 && resize(4 * wanted)) ||
           (wanted <= std::numeric_limits<std::uint32_t>::max() && resize(wanted));
  }
  void push(std::uint32_t count, std::uint32_t taken) {
    begins()[blocks_++] = end_;
    next_ = end_ + taken;
    end_ += count;
  }

  /// Removes the top block if it was not dropped. The block below it, if present, becomes the top; the caller passes
  /// the number of its taken successors to `resume`.
  void pop() {
    if (!live()) return;
    end_ = next_ = top_begin();
    --blocks_;
  }
  void resume(std::uint32_t taken) { next_ = top_begin() + taken; }

 private:
  static constexpr std::size_t usual_successors = 1 << 14;

  std::uint32_t* begins() const { return begins_.as<std::uint32_t>(); }
  std::uint32_t top_begin() const { return begins()[blocks_ - 1]; }

  bool resize(std::size_t capacity) {
    const bool has_room = states_.resize(capacity * words_ * sizeof(Word)) &&
                          events_.resize(capacity * sizeof(EventId)) && keys_.resize(capacity * sizeof(Word)) &&
                          (!keeps_steps() || steps_.resize(capacity * sizeof(std::uint32_t))) &&
                          (!keeps_bits() || bits_.resize(capacity * sizeof(Word))) &&
                          begins_.resize((capacity + 1) * sizeof(std::uint32_t));
    if (has_room) capacity_ = capacity;
    return has_room;
  }

  void drop_lower_half() {
    std::uint32_t* const kept = std::lower_bound(begins(), begins() + blocks_, end_ / 2);
    const auto dropped_blocks = static_cast<std::uint32_t>(kept - begins());
    const std::uint32_t dropped = dropped_blocks == blocks_ ? end_ : *kept;
    shift(states_.as<Word>(), std::size_t{dropped} * words_, std::size_t{end_} * words_);
    shift(events_.as<EventId>(), dropped, end_);
    shift(keys_.as<Word>(), dropped, end_);
    if (keeps_steps()) shift(steps(), dropped, end_);
    if (keeps_bits()) shift(bits(), dropped, end_);
    shift(begins(), dropped_blocks, blocks_);
    blocks_ -= dropped_blocks;
    for (std::uint32_t i = 0; i < blocks_; ++i) begins()[i] -= dropped;
    end_ -= dropped;
    next_ -= std::min(next_, dropped);
  }

  /// Moves the items [from, to) to the front.
  template <class Item>
  static void shift(Item* items, std::size_t from, std::size_t to) {
    std::memmove(items, items + from, (to - from) * sizeof(Item));
  }

  const std::uint32_t words_;
  const std::uint32_t max_successors_;
  const bool keeps_steps_;
  const bool keeps_bits_;
  std::size_t capacity_ = 0;  // in successors
  Region states_;
  Region events_;
  Region keys_;
  Region steps_;
  Region bits_;
  Region begins_;  // of the live blocks; one more than the capacity, because the top one may be empty
  const bool has_room_;
  std::uint32_t blocks_ = 0;
  std::uint32_t next_ = 0;
  std::uint32_t end_ = 0;
};

}  // namespace scrimp
