// A machine that forwards to another one. Derived classes replace some of its functions.
#pragma once

#include <cstdint>

#include "core/machine.h"

namespace scrimp::testing {

class WrappedMachine {
 public:
  explicit WrappedMachine(const Machine& inner) : inner_(inner), machine_(inner) {
    machine_.context = this;
    machine_.functions = forwarding(inner.functions);
  }
  WrappedMachine(const WrappedMachine&) = delete;
  WrappedMachine& operator=(const WrappedMachine&) = delete;

  operator const Machine&() const { return machine_; }

 protected:
  const Machine& inner() const { return inner_; }
  Functions& functions() { return machine_.functions; }
  static const WrappedMachine& of(const void* context) { return *static_cast<const WrappedMachine*>(context); }

 private:
  static void initial(const void* self, Word* state) { of(self).inner_.initial(state); }
  static std::uint64_t successors(const void* self, const Word* state, Word* successors, EventId* events) {
    return of(self).inner_.successors(state, successors, events);
  }
  static std::uint64_t watch(const void* self, const Word* state) { return of(self).inner_.watch(state); }
  static std::uint32_t valid_end(const void* self, const Word* state) { return of(self).inner_.valid_end(state); }
  static std::uint64_t alone(const void* self, const Word* state, std::uint32_t holder, Word* successors,
                             EventId* events) {
    return of(self).inner_.alone(state, holder, successors, events);
  }
  static std::uint32_t offers(const void* self, const Word* state, std::uint32_t holder) {
    return of(self).inner_.offers(state, holder);
  }
  static std::uint32_t in_degree(const void* self, const Word* state) { return of(self).inner_.in_degree(state); }

  static Functions forwarding(const Functions& inner) {
    return {.initial = initial,
            .successors = successors,
            .watch = inner.watch ? watch : nullptr,
            .valid_end = inner.valid_end ? valid_end : nullptr,
            .alone = inner.alone ? alone : nullptr,
            .offers = inner.offers ? offers : nullptr,
            .in_degree = inner.in_degree ? in_degree : nullptr};
  }

  const Machine inner_;
  Machine machine_;
};

}  // namespace scrimp::testing
