#include "store/cuts.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/hash.h"
#include "store/bit_ranges.h"

namespace scrimp {
namespace {

constexpr unsigned candidates = 16;

/// Counts distinct words with a small hash table.
class Distinct {
 public:
  explicit Distinct(std::size_t most) : slots_(std::bit_ceil(2 * most + 1)) {}

  std::size_t operator()(const std::vector<Word>& words) {
    std::fill(slots_.begin(), slots_.end(), 0);
    std::size_t count = 0;
    for (const Word word : words) {
      const Word key = word | 1;  // it is a hash: losing a bit is harmless
      std::size_t slot = scale(key, slots_.size());
      while (slots_[slot] != 0 && slots_[slot] != key) slot = (slot + 1) % slots_.size();
      count += slots_[slot] == 0;
      slots_[slot] = key;
    }
    return count;
  }

 private:
  std::vector<Word> slots_;
};

/// The number of distinct values, if `draws` draws showed `shown` of them: n draws of d equally likely values show d(1
/// - exp(-n/d)).
double estimate(std::size_t shown, std::size_t draws) {
  const double most = double(draws) * double(draws);
  double low = double(shown), high = most;
  while (high > low * 1.01) {
    const double middle = std::sqrt(low * high);
    const double expected = middle * -std::expm1(-double(draws) / middle);
    (expected < double(shown) ? low : high) = middle;
  }
  return high;
}

/// Folds the used bits [from, to) of every state into its hash.
void add_bits(const Machine& machine, const std::vector<Word>& states, unsigned from, unsigned to,
              std::vector<Word>& hashes) {
  for (; from < to; from = std::min(from + 64, to)) {
    const BitRange range(machine, from, std::min(from + 64, to));
    for (std::size_t i = 0; i < hashes.size(); ++i)
      hashes[i] = mix(hashes[i] ^ mix(range(states.data() + i * machine.words) ^ odd_constants[3]));
  }
}

/// The number of tables that a range needs if its leaves are as long as possible.
unsigned tables(unsigned bits) { return 2 * ((bits + 63) / 64) - 1; }

std::vector<unsigned> positions_within(unsigned from, unsigned to) {
  std::vector<unsigned> positions;
  for (unsigned i = 1; i < candidates; ++i) {
    const unsigned position = from + (to - from) * i / candidates;
    if (position > (positions.empty() ? from : positions.back())) positions.push_back(position);
  }
  return positions;
}

/// For each position, the number of distinct values before it plus that after it, within the range.
std::vector<double> values_around(const std::vector<unsigned>& positions, const Machine& machine,
                                  const std::vector<Word>& states, unsigned from, unsigned to) {
  const std::size_t count = states.size() / machine.words;
  Distinct distinct(count);
  std::vector<double> values(positions.size());
  std::vector<Word> hashes(count);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    add_bits(machine, states, i == 0 ? from : positions[i - 1], positions[i], hashes);
    values[i] = estimate(distinct(hashes), count);
  }
  std::fill(hashes.begin(), hashes.end(), 0);
  for (std::size_t i = positions.size(); i-- > 0;) {
    add_bits(machine, states, positions[i], i + 1 == positions.size() ? to : positions[i + 1], hashes);
    values[i] += estimate(distinct(hashes), count);
  }
  return values;
}

}  // namespace

Cuts::Cuts(const Machine& machine, const std::vector<Word>& states) { choose(machine, states, 0, used_bits(machine)); }

void Cuts::choose(const Machine& machine, const std::vector<Word>& states, unsigned from, unsigned to) {
  const std::vector<unsigned> positions = positions_within(from, to);
  const std::vector<double> values = values_around(positions, machine, states, from, to);
  const auto cost = [&](std::size_t i) {  // a tenth more values is a fair price for one table look-up less
    return values[i] * (10 + tables(positions[i] - from) + tables(to - positions[i]));
  };
  std::size_t best = 0;
  for (std::size_t i = 1; i < positions.size(); ++i)
    if (cost(i) < cost(best)) best = i;
  const unsigned cut = positions[best];
  chosen_[{from, to}] = cut;
  if (cut - from > 64) choose(machine, states, from, cut);
  if (to - cut > 64) choose(machine, states, cut, to);
}

std::uint64_t Cuts::parts(const Machine& machine, const std::vector<Word>& states) const {
  const unsigned bits = used_bits(machine), cut = at(0, bits);
  return parts_within(machine, states, 0, cut) + parts_within(machine, states, cut, bits);
}

std::uint64_t Cuts::parts_within(const Machine& machine, const std::vector<Word>& states, unsigned from,
                                 unsigned to) const {
  std::vector<Word> hashes(states.size() / machine.words);
  add_bits(machine, states, from, to, hashes);
  const std::uint64_t parts = Distinct(hashes.size())(hashes);
  if (to - from <= 64) return parts;
  const unsigned cut = at(from, to);
  return parts + parts_within(machine, states, from, cut) + parts_within(machine, states, cut, to);
}

}  // namespace scrimp
