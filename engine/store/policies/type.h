// Type-oriented replacement (GHP92, section 5): inspects a few states, in turn, and evicts one that is tagged with the
// highest type; or, if a type is to be kept, one that is not tagged with it or, if there is none, any of them.
#pragma once

#include "store/policies/random.h"
#include "store/policies/unordered.h"

namespace scrimp {

class TypePolicy final : public Unordered {
 public:
  TypePolicy(const strategy::Cache& cache, const Traits& traits, Budget& budget)
      : Unordered(budget),
        traits_(traits),
        scan_(std::max(cache.scan, 1u)),
        kept_type_(cache.type.value_or(0)),
        random_(cache.seed) {}

  Slot choose() override { return kept_type_ == 0 ? choose_highest() : choose_another(); }

 private:
  static constexpr std::uint8_t highest_type = 5;  // no need to look further

  Slot look() {
    const Slot slot = bits_.next(turn_);
    turn_ = slot + 1;
    return slot;
  }

  Slot choose_highest() {
    Slot highest = look();
    for (std::uint32_t i = 1; i < scan_ && traits_.kind[highest] < highest_type; ++i) {
      const Slot slot = look();
      if (traits_.kind[slot] > traits_.kind[highest]) highest = slot;
    }
    return highest;
  }

  Slot choose_another() {
    Slot any = look();
    if (traits_.kind[any] != kept_type_) return any;
    for (std::uint32_t looked_at = 2; looked_at <= scan_; ++looked_at) {
      const Slot slot = look();
      if (traits_.kind[slot] != kept_type_) return slot;
      if (random_.below(looked_at) == 0) any = slot;
    }
    return any;
  }

  const Traits& traits_;
  std::uint32_t scan_;
  std::uint8_t kept_type_;
  RandomNumbers random_;
  Slot turn_ = 0;
};

}  // namespace scrimp
