// The successor blocks of the states at the top of a depth-first path, in an arena of fixed size.
//
//     | block | block | ... | top block: taken.. | ..to take | free |
//     ^ begins_[0]          ^ begins_.back()     ^ next      ^ end
//
// When the arena is full its lower half is dropped; a state whose block was dropped is expanded anew when the search
// returns to it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/machine.h"
#include "core/memory.h"

namespace scrimp {

class BlockStack {
 public:
  BlockStack(Budget& budget, const Machine& machine)
      : words_(machine.words),
        max_successors_(machine.max_successors),
        capacity_(std::max(usual_successors, 4 * std::size_t{machine.max_successors})),
        states_(budget),
        events_(budget),
        keys_(budget),
        has_room_(states_.resize(capacity_ * words_ * sizeof(Word)) && events_.resize(capacity_ * sizeof(EventId)) &&
                  keys_.resize(capacity_ * sizeof(Word))) {
    begins_.reserve(capacity_ + 1);
  }

  bool has_room() const { return has_room_; }
  std::uint64_t bytes() const {
    return states_.bytes() + events_.bytes() + keys_.bytes() + begins_.capacity() * sizeof(std::uint32_t);
  }

  /// Whether the top state's block is there.
  bool live() const { return !begins_.empty(); }
  bool exhausted() const { return next_ == end_; }
  Word* states() { return states_.as<Word>(); }
  EventId* events() { return events_.as<EventId>(); }
  /// What the set of states wants to remember of each successor until it is taken.
  Word* keys() { return keys_.as<Word>(); }

  /// The place of the successor to take next; moves on to the one after it.
  std::uint32_t take() { return next_++; }
  /// How many of the top block's successors were taken.
  std::uint32_t taken() const { return next_ - begins_.back(); }

  /// Makes room for a block on top and returns its place: up to max_successors may be written there, then `push` it.
  std::uint32_t prepare() {
    if (end_ + max_successors_ > capacity_) [[unlikely]]
      drop_lower_half();
    return end_;
  }
  void push(std::uint32_t count, std::uint32_t taken) {
    begins_.push_back(end_);
    next_ = end_ + taken;
    end_ += count;
  }

  /// Removes the top block, if it was not dropped. The block below it, if there, becomes the top; the caller tells how
  /// many of it were taken.
  void pop() {
    if (!live()) return;
    end_ = next_ = begins_.back();
    begins_.pop_back();
  }
  void resume(std::uint32_t taken) { next_ = begins_.back() + taken; }

 private:
  static constexpr std::size_t usual_successors = 1 << 14;

  void drop_lower_half() {
    const auto kept = std::lower_bound(begins_.begin(), begins_.end(), end_ / 2);
    const std::uint32_t dropped = kept == begins_.end() ? end_ : *kept;
    std::memmove(states(), states() + std::size_t{dropped} * words_,
                 std::size_t{end_ - dropped} * words_ * sizeof(Word));
    std::memmove(events(), events() + dropped, (end_ - dropped) * sizeof(EventId));
    std::memmove(keys(), keys() + dropped, (end_ - dropped) * sizeof(Word));
    begins_.erase(begins_.begin(), kept);
    for (std::uint32_t& begin : begins_) begin -= dropped;
    end_ -= dropped;
    next_ -= std::min(next_, dropped);
  }

  const std::uint32_t words_;
  const std::uint32_t max_successors_;
  const std::size_t capacity_;  // in successors
  Region states_;
  Region events_;
  Region keys_;
  const bool has_room_;
  std::vector<std::uint32_t> begins_;
  std::uint32_t next_ = 0;
  std::uint32_t end_ = 0;
};

}  // namespace scrimp
