// A random state (GHP92, section 5).
#pragma once

#include "core/hash.h"
#include "store/policies/unordered.h"

namespace scrimp {

/// Pseudo-random numbers, determined by a seed.
class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : state_(mix(seed + 1)) {}

  std::uint64_t below(std::uint64_t range) { return scale(mix(state_ += odd_constants[0]), range); }

 private:
  Word state_;
};

/// All candidates are equally likely, unless they are so few among the slots that many draws hit none.
class RandomPolicy final : public Unordered {
 public:
  RandomPolicy(std::uint64_t seed, Budget& budget) : Unordered(budget), random_(seed) {}

  Slot choose() override {
    Slot slot = draw();
    for (int i = 1; i < most_draws && !bits_.contains(slot); ++i) slot = draw();
    return bits_.next(slot);
  }

 private:
  static constexpr int most_draws = 64;

  Slot draw() { return static_cast<Slot>(random_.below(slots_)); }

  RandomNumbers random_;
};

}  // namespace scrimp
