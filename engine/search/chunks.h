// Chunks of equal size, charged to the budget, for structures that grow at one end and shrink at either.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/memory.h"

namespace scrimp {

/// Hands out chunks and takes them back. Keeps a few spare chunks, so that a structure that grows and shrinks
/// repeatedly makes no system calls.
class ChunkPool {
 public:
  /// A chunk has room for at least `least` items of `item_bytes`. Most are larger, but small compared with the budget.
  ChunkPool(Budget& budget, std::size_t item_bytes, std::size_t least = 1)
      : budget_(budget),
        chunk_bytes_(round_up(std::max(std::min<std::size_t>(budget.limit() / 64, usual_bytes), item_bytes * least),
                              small_page)) {}

  std::size_t chunk_bytes() const { return chunk_bytes_; }

  /// Empty if the budget is exhausted.
  std::optional<Region> get() {
    if (!spares_.empty()) {
      Region spare = std::move(spares_.back());
      spares_.pop_back();
      ++in_use_;
      return spare;
    }
    Region fresh(budget_);
    if (!fresh.resize(chunk_bytes_)) return std::nullopt;
    ++in_use_;
    peak_ = std::max(peak_, in_use_ + spares_.size());
    return fresh;
  }

  void put(Region chunk) {
    --in_use_;
    if (spares_.size() <= in_use_ / 16) spares_.push_back(std::move(chunk));
  }

  std::uint64_t bytes() const { return (in_use_ + spares_.size()) * chunk_bytes_; }
  std::uint64_t peak_bytes() const { return peak_ * chunk_bytes_; }

 private:
  static constexpr std::size_t usual_bytes = std::size_t{256} << 10;

  Budget& budget_;
  const std::size_t chunk_bytes_;
  std::vector<Region> spares_;
  std::size_t in_use_ = 0;
  std::size_t peak_ = 0;
};

}  // namespace scrimp
