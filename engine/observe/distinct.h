// Estimates how many distinct states were seen, from their hashes: HyperLogLog (Flajolet, Fusy, Gandouet, Meunier 2007)
// with 2^14 registers; its error is about 0.8%.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "core/hash.h"

namespace scrimp {

class Distinct {
 public:
  void add(Word hash) {
    const Word mixed = mix(hash);
    std::uint8_t& place = registers_[mixed >> (64 - index_bits)];
    const auto rank =
        static_cast<std::uint8_t>(std::countl_zero(mixed << index_bits | Word{1} << (index_bits - 1)) + 1);
    if (rank > place) place = rank;
  }

  double estimate() const {
    constexpr double size = std::size_t{1} << index_bits;
    std::array<std::uint32_t, 66> registers_of_rank{};
    for (const std::uint8_t rank : registers_) ++registers_of_rank[rank];
    double sum = 0;
    for (int rank = 0; rank < 66; ++rank) sum += std::ldexp(registers_of_rank[static_cast<std::size_t>(rank)], -rank);
    const double empty = registers_of_rank[0];
    const double raw = 0.7213 / (1 + 1.079 / size) * size * size / sum;
    return raw <= 2.5 * size && empty > 0 ? size * std::log(size / empty) : raw;
  }

 private:
  static constexpr int index_bits = 14;
  std::array<std::uint8_t, std::size_t{1} << index_bits> registers_{};
};

}  // namespace scrimp
