// The path of a depth-first search. Neighbours on it differ in a few bytes, so only the last state is held in full; of
// every other there is what distinguishes its successor on the path from it, as a record of some four bytes:
//
//     record     changed word ... changed word | taken
//     changed    bytes that changed, as their exclusive or | number of the word | first byte, how many, whether first
//     taken      how many events of the earlier state were taken: one byte, or four and a mark
//
// Records are read backwards only, as the search retreats. The number of the word is left out where there is only one.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "core/machine.h"
#include "search/chunks.h"

namespace scrimp {

class Path {
 public:
  using Taken = std::uint32_t;
  /// In place of a number: the state has no further event, so that it need not be expanded again to find that out.
  static constexpr Taken all_taken = ~Taken{0};

  Path(Budget& budget, std::uint32_t words)
      : words_(words),
        number_bytes_(words == 1     ? 0
                      : words <= 256 ? 1
                                     : 2),
        pool_(budget, most_record_bytes(), 4),
        last_(words) {}

  bool empty() const { return size_ == 0; }
  std::uint64_t size() const { return size_; }
  std::uint64_t peak_bytes() const { return pool_.peak_bytes(); }

  /// The last state.
  const Word* top() const { return last_.data(); }

  /// Appends a state, other than the last, of which `taken` events were taken. Returns false, with nothing changed,
  /// where the budget is spent.
  [[nodiscard]] bool push(const Word* state, Taken taken) {
    if (chunks_.empty() || room() < most_record_bytes()) [[unlikely]] {
      if (!add_chunk()) return false;
    }
    std::uint8_t first = first_mark;
    for (std::uint32_t i = 0; i < words_; ++i) {
      const Word change = state[i] ^ last_[i];
      if (change == 0) continue;
      write_change(i, change, first);
      last_[i] = state[i];
      first = 0;
    }
    write_taken(taken);
    ++size_;
    return true;
  }

  /// Removes the last state; returns how many events of the one before it were taken.
  Taken pop() {
    --size_;
    const Taken taken = undo(end_, last_.data());
    if (end_ == chunks_.back().begin()) [[unlikely]]
      drop_chunk();
    return taken;
  }

  /// Calls `visit(state, taken)` for every state but the last, backwards.
  template <class Visit>
  void retrace(Visit visit) const {
    std::vector<Word> state = last_;
    const std::byte* end = end_;
    std::size_t chunk = chunks_.size() - 1;
    for (std::uint64_t left = size_; left > 1; --left) {
      const Taken taken = undo(end, state.data());
      visit(std::as_const(state).data(), taken);
      if (end == chunks_[chunk].begin()) {
        --chunk;
        end = chunks_[chunk].begin() + chunks_[chunk].used;
      }
    }
  }

 private:
  static constexpr std::uint8_t first_mark = 1 << 6;  // this changed word is the first of its record
  static constexpr Taken four_bytes_mark = 254, all_taken_mark = 255;

  struct Chunk {
    Region region;
    std::size_t used;  // once it is full

    std::byte* begin() const { return region.data(); }
  };

  /// Changes are written eight bytes at a time, whatever their length: a record may need that much more room.
  std::size_t most_record_bytes() const { return words_ * (sizeof(Word) + 3) + 5 + sizeof(Word); }
  std::size_t room() const { return pool_.chunk_bytes() - used(); }
  std::size_t used() const { return static_cast<std::size_t>(end_ - chunks_.back().begin()); }

  void write_change(std::uint32_t number, Word change, std::uint8_t first) {
    const auto low = static_cast<unsigned>(std::countr_zero(change)) / 8;
    const auto high = static_cast<unsigned>(63 - std::countl_zero(change)) / 8;
    const Word bytes = change >> 8 * low;
    std::memcpy(end_, &bytes, sizeof bytes);
    end_ += high - low + 1;
    std::memcpy(end_, &number, sizeof number);
    end_ += number_bytes_;
    *end_++ = static_cast<std::byte>(low | (high - low) << 3 | first);
  }

  void write_taken(Taken taken) {
    if (taken >= four_bytes_mark && taken != all_taken) [[unlikely]] {
      std::memcpy(end_, &taken, sizeof taken);
      end_ += sizeof taken;
      taken = four_bytes_mark;
    }
    *end_++ = static_cast<std::byte>(taken);  // all_taken becomes its mark
  }

  /// Reads the record that ends at `end` backwards and turns the state into the one before it.
  template <class Byte>
  Taken undo(Byte*& end, Word* state) const {
    Taken taken = std::to_integer<Taken>(*--end);
    if (taken == all_taken_mark) {
      taken = all_taken;
    } else if (taken == four_bytes_mark) [[unlikely]] {
      end -= sizeof taken;
      std::memcpy(&taken, end, sizeof taken);
    }
    for (bool first = false; !first;) first = undo_change(end, state);
    return taken;
  }

  template <class Byte>
  bool undo_change(Byte*& end, Word* state) const {
    const auto header = std::to_integer<unsigned>(*--end);
    const unsigned low = header & 7;
    const unsigned length = (header >> 3 & 7) + 1;
    end -= number_bytes_;
    const std::uint32_t number = read_number(end);
    end -= length;
    Word bytes;
    std::memcpy(&bytes, end, sizeof bytes);
    state[number] ^= (bytes & ~Word{0} >> (64 - 8 * length)) << 8 * low;
    return (header & first_mark) != 0;
  }

  std::uint32_t read_number(const std::byte* from) const {
    if (number_bytes_ == 0) return 0;
    const auto low = std::to_integer<std::uint32_t>(from[0]);
    return number_bytes_ == 1 ? low : low | std::to_integer<std::uint32_t>(from[1]) << 8;
  }

  bool add_chunk() {
    std::optional<Region> region = pool_.get();
    if (!region) return false;
    if (!chunks_.empty()) chunks_.back().used = used();
    chunks_.push_back({std::move(*region), 0});
    end_ = chunks_.back().begin();
    return true;
  }

  void drop_chunk() {
    pool_.put(std::move(chunks_.back().region));
    chunks_.pop_back();
    if (!chunks_.empty()) end_ = chunks_.back().begin() + chunks_.back().used;
  }

  const std::uint32_t words_;
  const std::uint32_t number_bytes_;  // of a word's number
  ChunkPool pool_;
  std::vector<Word> last_;
  std::vector<Chunk> chunks_;
  std::byte* end_ = nullptr;  // of the records, in the last chunk
  std::uint64_t size_ = 0;
};

}  // namespace scrimp
