// The path of a depth-first search.
//
//     folded       taken taken taken ...        one byte each
//     ...
//     open         record record record ...     some five bytes each
//     open, last   record record ... |  free
//
// Neighbours on the path differ in a few bytes, so only the last state is held in full. Each step has a record of the
// bytes that changed and of how many events of the earlier state were taken:
//
//     record     changed word ... changed word | taken
//     changed    changed bytes, as exclusive or | number of the word | first byte, how many, whether first of the
//     record taken      one byte, or four and a mark
//
// Records are read backwards, as the search backtracks. The number of the word is omitted if states have only one word.
// Records are stored in chunks. All but the last two chunks are folded: a folded chunk keeps its start state and the
// numbers of taken events; when the search backtracks that far, the steps are reconstructed by expanding states.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "core/machine.h"
#include "search/chunks.h"
#include "search/depth_first/taken.h"
#include "search/expansion/expander.h"

namespace scrimp {

/// `fixed_words` is the machine's number of words if the loop is compiled for that number, else 0.
template <std::uint32_t fixed_words>
class Path {
 public:
  Path(Budget& budget, Expander& expander)
      : expander_(expander),
        budget_(budget),
        number_bytes_(words() == 1     ? 0
                      : words() <= 256 ? 1
                                       : 2),
        pool_(budget, most_record_bytes(), 4),
        last_(words()) {}

  bool empty() const { return size_ == 0; }
  std::uint64_t size() const { return size_; }
  std::uint64_t bytes() const { return pool_.bytes() + folded_bytes_; }
  std::uint64_t peak_bytes() const { return peak_; }

  /// The last state.
  const Word* top() const { return last_.data(); }
  /// The first one.
  const Word* root() const { return root_.data(); }

  /// Appends a state, after `taken` events of the last one were taken. Returns false, with nothing changed, if the
  /// budget is exhausted.
  [[nodiscard]] bool push(const Word* state, Taken taken) {
    if (chunks_.empty() || room() < most_record_bytes()) [[unlikely]] {
      if (!add_chunk()) return false;
    }
    if (size_ == 0) [[unlikely]]
      root_.assign(state, state + words());
    write_record(state, taken);
    ++size_;
    return true;
  }

  /// Removes the last state; returns how many events of the one before it were taken.
  Taken pop() {
    --size_;
    const Taken taken = undo_record();
    if (end_ == begin()) [[unlikely]]
      drop_chunk();
    return taken;
  }

  /// Calls `visit` with the number of events taken of every state but the last, from the first state on.
  template <class Visit>
  void for_each_taken(Visit visit) const {
    bool initial = true;  // the first record has no state before it
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
      for (const Taken taken : taken_in(i)) {
        if (!std::exchange(initial, false)) visit(taken);
      }
    }
  }

 private:
  static constexpr unsigned first_mark = 1 << 6;  // this changed word is the first of its record
  static constexpr std::size_t open_chunks = 2;

  struct Chunk {
    Region region;
    std::size_t used;         // bytes; not maintained for the last chunk, whose end is `end_`
    std::vector<Word> start;  // the state before the first step
    bool folded = false;
  };

  std::uint32_t words() const { return fixed_words != 0 ? fixed_words : expander_.machine().words; }
  /// Changes are written eight bytes at a time, whatever their length, so a record may need up to that much extra room.
  std::size_t most_record_bytes() const { return words() * (sizeof(Word) + 3) + taken_bytes + sizeof(Word); }
  std::byte* begin() const { return chunks_.back().region.data(); }
  std::size_t room() const { return pool_.chunk_bytes() - static_cast<std::size_t>(end_ - begin()); }

  /// Writes the step from the last state to `state`, which becomes the last.
  void write_record(const Word* state, Taken taken) {
    unsigned first = first_mark;
    for (std::uint32_t i = 0; i < words(); ++i) {
      const Word change = state[i] ^ last_[i];
      if (change == 0) continue;
      write_change(i, change, first);
      last_[i] = state[i];
      first = 0;
    }
    if (first != 0) [[unlikely]]
      write_change(0, 0, 0, first);  // the same state once more
    end_ = write_backwards(end_, taken);
  }

  void write_change(std::uint32_t number, Word change, unsigned first) {
    const auto low = static_cast<unsigned>(std::countr_zero(change)) / 8;
    const auto high = static_cast<unsigned>(63 - std::countl_zero(change)) / 8;
    write_change(number, change >> 8 * low, low | (high - low) << 3, first);
  }

  void write_change(std::uint32_t number, Word bytes, unsigned extent, unsigned first) {
    std::memcpy(end_, &bytes, sizeof bytes);
    end_ += (extent >> 3) + 1;
    std::memcpy(end_, &number, sizeof number);
    end_ += number_bytes_;
    *end_++ = static_cast<std::byte>(extent | first);
  }

  /// Reads the last record; the state before it becomes the last.
  Taken undo_record() {
    const Taken taken = read_backwards(end_);
    while (!undo_change(end_, last_.data())) {
    }
    return taken;
  }

  /// Reads the changed word that ends at `end`; returns whether it is the first of its record.
  template <class Byte>
  bool undo_change(Byte*& end, Word* state) const {
    const auto header = std::to_integer<unsigned>(*--end);
    const unsigned low = header & 7;
    const unsigned length = (header >> 3 & 7) + 1;
    end -= number_bytes_;
    std::uint32_t number = 0;
    if (number_bytes_ != 0) number = std::to_integer<std::uint32_t>(end[0]);
    if (number_bytes_ == 2) number |= std::to_integer<std::uint32_t>(end[1]) << 8;
    end -= length;
    Word bytes;
    std::memcpy(&bytes, end, sizeof bytes);
    state[number] ^= (bytes & ~Word{0} >> (64 - 8 * length)) << 8 * low;
    return (header & first_mark) != 0;
  }

  [[gnu::noinline]] bool add_chunk() {
    std::optional<Region> region = pool_.get();
    if (!region) return false;
    if (!chunks_.empty()) chunks_.back().used = static_cast<std::size_t>(end_ - begin());
    chunks_.push_back({std::move(*region), 0, last_});
    end_ = begin();
    note_peak();
    if (chunks_.size() > open_chunks) fold(chunks_.size() - 1 - open_chunks);
    return true;
  }

  [[gnu::noinline]] void drop_chunk() {
    pool_.put(std::move(chunks_.back().region));
    chunks_.pop_back();
    if (chunks_.empty()) return;
    if (chunks_.back().folded) return unfold();
    end_ = begin() + chunks_.back().used;
  }

  void fold(std::size_t index) {
    Chunk& chunk = chunks_[index];
    if (chunk.folded) return;
    const std::vector<std::byte> bytes = forwards(taken_in(index));
    Region folded(budget_);
    if (!folded.resize(bytes.size())) return;  // it stays open
    std::memcpy(folded.data(), bytes.data(), bytes.size());
    folded_bytes_ += folded.bytes();
    pool_.put(std::exchange(chunk.region, std::move(folded)));
    chunk.used = bytes.size();
    chunk.folded = true;
  }

  /// Rewrites the records of the last chunk. The pool has room for them: it holds the chunk that was just dropped.
  void unfold() {
    const std::vector<Taken> steps = taken_in(chunks_.size() - 1);
    Chunk& chunk = chunks_.back();
    folded_bytes_ -= chunk.region.bytes();
    chunk.region = *pool_.get();
    chunk.folded = false;
    end_ = begin();
    last_ = chunk.start;
    std::size_t rest = 0;
    if (chunks_.size() == 1) write_record(root_.data(), steps[rest++]);  // it has no state before it
    Replay replay(expander_);
    for (; rest < steps.size(); ++rest) write_record(replay.step(last_.data(), steps[rest]), steps[rest]);
  }

  /// The numbers of taken events of a chunk's steps, in order.
  std::vector<Taken> taken_in(std::size_t index) const {
    const Chunk& chunk = chunks_[index];
    const std::byte* const start = chunk.region.data();
    const std::byte* end = index + 1 == chunks_.size() && !chunk.folded ? end_ : start + chunk.used;
    if (chunk.folded) return read_forwards(start, end);
    std::vector<Taken> steps;
    std::vector<Word> ignored(words());
    while (end != start) {
      steps.push_back(read_backwards(end));
      while (!undo_change(end, ignored.data())) {
      }
    }
    std::reverse(steps.begin(), steps.end());
    return steps;
  }

  void note_peak() { peak_ = std::max(peak_, bytes()); }

  Expander& expander_;
  Budget& budget_;
  const std::uint32_t number_bytes_;  // of a word's number
  ChunkPool pool_;
  std::vector<Word> root_;
  std::vector<Word> last_;
  std::vector<Chunk> chunks_;
  std::byte* end_ = nullptr;  // of the records, in the last chunk
  std::uint64_t size_ = 0;
  std::uint64_t folded_bytes_ = 0;
  std::uint64_t peak_ = 0;
};

}  // namespace scrimp
