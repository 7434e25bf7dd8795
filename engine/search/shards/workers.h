// Threads that share the items of one phase after another. The thread that calls is one of them.
//
// models/shards.pml is a model of this protocol, and of the rounds that it serves.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace scrimp {

/// Every phase ends when all its items are done: whatever was written in one phase can be read in the next.
class Workers {
 public:
  using Phase = std::function<void(unsigned worker, std::uint32_t item)>;

  /// Up to `count` workers, the caller included: as many as the system lets it have.
  explicit Workers(unsigned count) : may_spin_(count <= std::thread::hardware_concurrency()) {
    threads_.reserve(count);
    try {
      for (unsigned worker = 1; worker < count; ++worker) threads_.emplace_back([this, worker] { serve(worker); });
    } catch (const std::system_error&) {  // fewer will do
    }
  }
  ~Workers() {
    phase_ = nullptr;
    begin_generation();
    for (std::thread& thread : threads_) thread.join();
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  unsigned count() const { return static_cast<unsigned>(threads_.size()) + 1; }

  /// Calls `phase` for every item below `items`, once each, in the order in which workers are free for them. Returns
  /// when all are done. If a call throws, the items not yet begun are omitted, and the exception is thrown here.
  void share(std::uint32_t items, const Phase& phase) {
    phase_ = &phase;
    items_ = items;
    next_.store(0, std::memory_order_relaxed);
    busy_.store(static_cast<unsigned>(threads_.size()), std::memory_order_relaxed);
    begin_generation();
    work(0);
    wait_while(busy_, patience_, [](unsigned busy) { return busy != 0; });
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  void serve(unsigned worker) {
    Patience patience;
    for (std::uint32_t seen = 0;;) {
      seen = wait_while(generation_, patience, [&](std::uint32_t generation) { return generation == seen; });
      if (phase_ == nullptr) return;
      work(worker);
      if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
    }
  }

  void work(unsigned worker) noexcept {
    for (std::uint32_t item; (item = next_.fetch_add(1, std::memory_order_relaxed)) < items_;) {
      try {
        (*phase_)(worker, item);
      } catch (...) {
        next_.store(items_, std::memory_order_relaxed);
        if (!has_failed_.test_and_set()) failure_ = std::current_exception();
      }
    }
  }

  void begin_generation() {
    has_failed_.clear();
    generation_.fetch_add(1, std::memory_order_release);
    generation_.notify_all();
  }

  /// How long a worker spins before it goes to sleep. A processor without work sleeps, too, and takes a tenth of a
  /// millisecond to wake up in a virtual machine, longer than most waits. But if other programs keep the worker waited
  /// for from its processor, spinning keeps it from this one: so who has waited long has less patience the next time.
  class Patience {
   public:
    bool spend() { return left_ != 0 && left_-- != 0; }
    void regain_some() { left_ = std::min(left_ + regained, most); }

   private:
    static constexpr unsigned most = 1u << 16, regained = most / 16;  // pauses: two milliseconds
    unsigned left_ = most;
  };

  template <class Value, class Waits>
  Value wait_while(const std::atomic<Value>& value, Patience& patience, Waits waits) const {
    patience.regain_some();
    while (true) {
      const Value now = value.load(std::memory_order_acquire);
      if (!waits(now)) return now;
      if (may_spin_ && patience.spend()) {
        pause();
      } else {
        value.wait(now, std::memory_order_acquire);
      }
    }
  }

  static void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }

  const bool may_spin_;  // each worker has a processor
  Patience patience_;    // of the thread that calls
  std::vector<std::thread> threads_;
  const Phase* phase_ = nullptr;  // null: go home
  std::uint32_t items_ = 0;
  std::atomic_flag has_failed_;
  std::exception_ptr failure_;
  alignas(64) std::atomic<std::uint32_t> generation_{0};
  alignas(64) std::atomic<std::uint32_t> next_{0};
  alignas(64) std::atomic<unsigned> busy_{0};
};

}  // namespace scrimp
