// Every byte that the engine holds is taken from one Budget before it is mapped and given back after it is unmapped.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace scrimp {

/// Counts bytes against a limit. Any thread may take and give back; `held` and `peak` may be read at any time.
class Budget {
 public:
  struct PartOf {
    Budget& whole;
  };

  explicit Budget(std::uint64_t limit) : limit_(limit) {}
  /// A part without a limit of its own: everything taken here is taken from the whole, and this object knows its share.
  explicit Budget(PartOf part) : limit_(part.whole.limit_), whole_(&part.whole) {}
  /// The same, with a limit of its own.
  Budget(PartOf part, std::uint64_t limit) : limit_(limit), whole_(&part.whole) {}
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  /// Takes the bytes; or takes nothing and returns false if the limit would be exceeded.
  [[nodiscard]] bool take(std::size_t bytes) {
    std::uint64_t held = held_.load(std::memory_order_relaxed);
    do {
      if (bytes > limit_ - held) return false;
    } while (!held_.compare_exchange_weak(held, held + bytes, std::memory_order_relaxed));
    if (whole_ != nullptr && !whole_->take(bytes)) {
      held_.fetch_sub(bytes, std::memory_order_relaxed);
      return false;
    }
    raise_peak(held + bytes);
    return true;
  }

  void give_back(std::size_t bytes) {
    held_.fetch_sub(bytes, std::memory_order_relaxed);
    if (whole_ != nullptr) whole_->give_back(bytes);
  }

  std::uint64_t limit() const { return limit_; }
  std::uint64_t held() const { return held_.load(std::memory_order_relaxed); }
  std::uint64_t left() const {
    const std::uint64_t own = limit_ - held();
    return whole_ != nullptr ? std::min(own, whole_->left()) : own;
  }
  std::uint64_t peak() const { return peak_.load(std::memory_order_relaxed); }

 private:
  void raise_peak(std::uint64_t held) {
    std::uint64_t peak = peak_.load(std::memory_order_relaxed);
    while (held > peak && !peak_.compare_exchange_weak(peak, held, std::memory_order_relaxed)) {
    }
  }

  const std::uint64_t limit_;
  Budget* const whole_ = nullptr;
  std::atomic<std::uint64_t> held_{0};
  std::atomic<std::uint64_t> peak_{0};
};

}  // namespace scrimp
