#include "store/pseudoroot/edge_counters.h"

#include <algorithm>
#include <tuple>

namespace scrimp {

EdgeCounters::EdgeCounters(const strategy::Pseudoroot& options, Budget& budget)
    : counters_(options.counters),
      bits_(options.bits),
      functions_(options.functions),
      full_((1u << options.bits) - 1),
      region_(budget) {
  std::ignore = region_.resize(counters_ / (8 / std::min(bits_, 8u)) * std::max(bits_ / 8, 1u) + sizeof(Word));
}

void EdgeCounters::add(Word hash) {
  const std::uint32_t now = least(hash);
  if (now == full_) return;
  for (unsigned function = 0; function < functions_; ++function)
    if (const std::uint64_t at = place(hash, function); read(at) == now) write(at, now + 1);
}

std::uint32_t EdgeCounters::count(Word hash) const {
  const std::uint32_t found = least(hash);
  return found == full_ ? saturated : found;
}

std::uint64_t EdgeCounters::place(Word hash, unsigned function) const {
  return scale(mix(hash + function * odd_constants[2]), counters_);
}

std::uint32_t EdgeCounters::least(Word hash) const {
  std::uint32_t found = full_;
  for (unsigned function = 0; function < functions_; ++function) found = std::min(found, read(place(hash, function)));
  return found;
}

std::uint32_t EdgeCounters::read(std::uint64_t place) const {
  if (bits_ == 16) return region_.as<std::uint16_t>()[place];
  const std::uint64_t bit = place * bits_;
  return region_.as<std::uint8_t>()[bit / 8] >> bit % 8 & full_;
}

void EdgeCounters::write(std::uint64_t place, std::uint32_t value) {
  if (bits_ == 16) {
    region_.as<std::uint16_t>()[place] = static_cast<std::uint16_t>(value);
    return;
  }
  const std::uint64_t bit = place * bits_;
  std::uint8_t& byte = region_.as<std::uint8_t>()[bit / 8];
  byte = static_cast<std::uint8_t>((byte & ~(full_ << bit % 8)) | value << bit % 8);
}

}  // namespace scrimp
