// The holders of the states of a table: each state has a word with one bit per holder.
//
//     bit    0          1                      2 ... 63
//            for good   the backtracking set   levels
//
// A level has a bit as long as it is used: while it is collected and expanded, and as a snapshot. A level is forgotten
// by removing its bit from those that are alive. Its remains in the table are cleared by the next sweep; until then the
// bit cannot be reused for another level.
//
// A bit may stand for several levels, which are then forgotten together. That costs only memory, and is done if levels
// are small compared with the table, so that sweeps are rare, and if there are more snapshots than bits.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/machine.h"

namespace scrimp {

/// A set of holders.
using Holders = Word;

class LevelBits {
 public:
  static constexpr Holders for_good = 1, backtracking = 2;
  static constexpr unsigned first = 2, end = 64;  // bits of levels
  static constexpr std::uint32_t no_cache = ~std::uint32_t{0};

  struct Use {
    std::uint64_t level = 0;  // the newest level that it stands for
    std::uint64_t users = 0;
    std::uint64_t hits = 0;
    std::uint64_t last_hit = 0;      // a level; if there was no hit, the one it was taken for
    bool is_kept = false;            // for good, once it has no users
    std::uint32_t cache = no_cache;  // the cache into which a snapshot with it was last put
    std::uint64_t young = 0;         // snapshots with it in the first cache
  };

  using Renaming = std::array<unsigned, end>;

  static Holders only(unsigned bit) { return Holders{1} << bit; }

  Use& operator[](unsigned bit) { return uses_[bit]; }
  const Use& operator[](unsigned bit) const { return uses_[bit]; }

  Holders alive() const { return alive_; }
  /// Bits that are no longer used, but kept; the next sweep makes them part of `for_good`.
  Holders settling() const { return settling_; }
  /// Bits of snapshots that are not in the first cache.
  Holders of_later_caches() const {
    Holders bits = 0;
    for (unsigned bit = first; bit < end; ++bit)
      if (uses_[bit].cache != no_cache && uses_[bit].young == 0) bits |= only(bit);
    return bits & alive_;
  }
  /// Whether a sweep would find anything to clear.
  bool has_dead() const { return spoilt_ != alive_; }
  bool has_free() const { return ~spoilt_ != 0; }

  /// A free bit, with one user.
  unsigned take(std::uint64_t level) {
    const auto bit = static_cast<unsigned>(std::countr_one(spoilt_));
    spoilt_ |= only(bit);
    alive_ |= only(bit);
    uses_[bit] = {.level = level, .users = 1, .last_hit = level};
    return bit;
  }

  /// One more user.
  void hold(unsigned bit) { ++uses_[bit].users; }
  void let_go(unsigned bit) {
    if (--uses_[bit].users != 0) return;
    if (uses_[bit].is_kept) {
      settling_ |= only(bit);
      moves_.push_back({only(bit), for_good});
    } else {
      alive_ &= ~only(bit);
    }
  }

  /// Makes neighbouring levels share a bit, those with the fewest users first, until at most `most` bits of levels are
  /// used besides those of `apart`. Returns the new bit of each bit.
  Renaming merge(Holders apart, std::size_t most) {
    Renaming renaming;
    for (unsigned bit = 0; bit < end; ++bit) renaming[bit] = bit;
    std::vector<unsigned> bits = used_by_level(apart);
    const auto users = [&](std::size_t i) { return uses_[bits[i]].users + uses_[bits[i + 1]].users; };
    while (bits.size() > std::max<std::size_t>(most, 1)) {
      std::size_t best = 0;
      for (std::size_t i = 1; i + 1 < bits.size(); ++i)
        if (users(i) < users(best)) best = i;
      join(bits[best], bits[best + 1]);
      std::replace(renaming.begin(), renaming.end(), bits[best], bits[best + 1]);
      bits.erase(bits.begin() + static_cast<std::ptrdiff_t>(best));
    }
    return renaming;
  }

  /// Whether a sweep does more than remove dead bits.
  bool has_moves() const { return !moves_.empty(); }
  /// The holders of a state after a sweep; none: the state is forgotten.
  Holders renewed(Holders holders) const {
    holders &= alive_;
    for (const Move& move : moves_)
      if (holders & move.from) holders = (holders & ~move.from) | move.to;
    return holders;
  }

  /// Called when all holders were renewed.
  void swept() {
    for (const Move& move : moves_) alive_ &= ~move.from;
    moves_.clear();
    settling_ = 0;
    spoilt_ = alive_;
  }

 private:
  struct Move {
    Holders from, to;
  };

  std::vector<unsigned> used_by_level(Holders apart) const {
    std::vector<unsigned> bits;
    for (unsigned bit = first; bit < end; ++bit)
      if (alive_ & ~settling_ & ~apart & only(bit)) bits.push_back(bit);
    std::sort(bits.begin(), bits.end(), [&](unsigned a, unsigned b) { return uses_[a].level < uses_[b].level; });
    return bits;
  }

  void join(unsigned from, unsigned to) {
    Use& use = uses_[to];
    use.users += uses_[from].users;
    use.hits += uses_[from].hits;
    use.last_hit = std::max(use.last_hit, uses_[from].last_hit);
    use.is_kept = use.is_kept || uses_[from].is_kept;
    use.young += uses_[from].young;
    uses_[from].users = 0;
    moves_.push_back({only(from), only(to)});
  }

  std::array<Use, end> uses_;
  Holders alive_ = for_good | backtracking;
  Holders spoilt_ = alive_;  // bits that some state may have
  Holders settling_ = 0;
  std::vector<Move> moves_;  // to be done by the next sweep, in this order
};

}  // namespace scrimp
