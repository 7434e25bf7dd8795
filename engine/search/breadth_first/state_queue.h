// The frontier of a breadth-first search: a FIFO queue of states.
//
//     taken | chunk: ....states | chunk: states.... | chunk: states.... | free
//           ^ front                                                    ^ back
//
// Chunks are released as they are consumed, so the level being expanded and the next one share memory. A queue that is
// spilled keeps its ends in memory, and writes the chunks between them to a file.
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <new>
#include <utility>

#include "core/machine.h"
#include "search/chunks.h"
#include "store/disk/spill.h"

namespace scrimp {

class StateQueue {
 public:
  StateQueue(Budget& budget, std::uint32_t words)
      : words_(words),
        pool_(budget, words * sizeof(Word)),
        chunk_states_(pool_.chunk_bytes() / (words * sizeof(Word))) {}

  std::uint64_t size() const { return size_; }
  std::uint64_t bytes() const { return pool_.bytes(); }
  std::uint64_t peak_bytes() const { return pool_.peak_bytes(); }

  /// From now on, only the ends stay in memory. The file is the queue's own. Throws DiskFailure.
  void spill(SpillFile& file) {
    file_ = &file;
    write_middle();
  }
  bool is_spilled() const { return file_ != nullptr; }
  /// Brings the first `count` states into memory. Returns false if there is no room for them.
  [[nodiscard]] bool load(std::uint64_t count) {
    const std::uint64_t chunks = count <= front_left_ ? 0 : 1 + (count - front_left_ - 1) / chunk_states_;
    for (std::uint64_t i = 1; i <= chunks; ++i)
      if (!bring_back(i)) return false;
    return true;
  }

  /// Returns false, with some of the states appended, if the budget is exhausted.
  [[nodiscard]] bool append(const Word* states, std::uint64_t count) {
    while (count != 0) {
      if (back_room_ == 0) {
        if (is_spilled()) write_middle();
        if (!add_chunk()) return false;
      }
      const std::uint64_t piece = std::min(count, back_room_);
      std::memcpy(back_, states, piece * words_ * sizeof(Word));
      back_ += piece * words_;
      states += piece * words_;
      back_room_ -= piece;
      size_ += piece;
      count -= piece;
    }
    return true;
  }

  /// The oldest state; it stays readable until `pop`.
  const Word* front() const { return front_; }
  /// The state with `place` states before it.
  const Word* at(std::uint64_t place) const {
    if (place < front_left_) return front_ + place * words_;
    place -= front_left_;
    return chunks_[1 + place / chunk_states_].as<Word>() + place % chunk_states_ * words_;
  }

  /// How many states lie one after the other from there on; some of them may still be missing.
  std::uint64_t contiguous(std::uint64_t place) const {
    return place < front_left_ ? front_left_ - place : chunk_states_ - (place - front_left_) % chunk_states_;
  }
  /// Calls `use(states, count)` for the states [first, first + count), in contiguous runs.
  template <class Use>
  void for_each_run(std::uint64_t first, std::uint64_t count, Use use) const {
    while (count != 0) {
      const std::uint64_t piece = std::min(count, contiguous(first));
      use(at(first), piece);
      first += piece;
      count -= piece;
    }
  }

  /// At most what it takes to make room for so many.
  std::uint64_t bytes_for(std::uint64_t count) const {
    return count <= back_room_ ? 0 : (1 + (count - back_room_ - 1) / chunk_states_) * pool_.chunk_bytes();
  }
  /// Makes room for states behind the last one; `write` fills it. Returns false if the budget is exhausted.
  [[nodiscard]] bool extend(std::uint64_t count) {
    while (count != 0) {
      if (back_room_ == 0 && !add_chunk()) return false;
      const std::uint64_t piece = std::min(count, back_room_);
      back_ += piece * words_;
      back_room_ -= piece;
      size_ += piece;
      count -= piece;
    }
    return true;
  }
  /// Several threads may write to different places.
  void write(std::uint64_t place, const Word* states, std::uint64_t count) {
    for_each_run(place, count, [&](const Word* target, std::uint64_t piece) {
      std::memcpy(const_cast<Word*>(target), states, piece * words_ * sizeof(Word));
      states += piece * words_;
    });
  }

  void pop(std::uint64_t count) {
    while (count != 0) {
      const std::uint64_t piece = std::min(count, front_left_);
      size_ -= piece;
      front_ += piece * words_;
      front_left_ -= piece;
      count -= piece;
      if (front_left_ == 0) drop_front_chunk();
    }
  }

  void pop() {
    --size_;
    front_ += words_;
    if (--front_left_ == 0) [[unlikely]]
      drop_front_chunk();
  }

 private:
  bool add_chunk() {
    std::optional<Region> chunk = pool_.get();
    if (!chunk) return false;
    back_ = chunk->as<Word>();
    back_room_ = chunk_states_;
    chunks_.push_back(std::move(*chunk));
    if (chunks_.size() == 1) enter_front_chunk();
    return true;
  }

  void drop_front_chunk() {
    pool_.put(std::move(chunks_.front()));
    chunks_.pop_front();
    ++passed_;
    if (!chunks_.empty()) enter_front_chunk();
  }

  /// The chunk dropped last has left room for this one.
  void enter_front_chunk() {
    if (!bring_back(0)) throw std::bad_alloc();
    front_ = chunks_.front().as<Word>();
    front_left_ = chunk_states_;
  }

  /// All chunks but the first and the last, from the back to those that were written before.
  void write_middle() {
    for (std::size_t i = chunks_.size(); i-- > 2 && chunks_[i - 1].bytes() != 0;) {
      Region& chunk = chunks_[i - 1];
      file_->write((passed_ + i - 1) * pool_.chunk_bytes(), chunk.data(), pool_.chunk_bytes());
      pool_.put(std::exchange(chunk, Region(chunk.budget())));
    }
  }

  bool bring_back(std::size_t index) {
    if (chunks_[index].bytes() != 0) return true;
    std::optional<Region> chunk = pool_.get();
    if (!chunk) return false;
    const std::uint64_t place = (passed_ + index) * pool_.chunk_bytes();
    file_->read(place, chunk->data(), pool_.chunk_bytes());
    file_->release(place, pool_.chunk_bytes());
    chunks_[index] = std::move(*chunk);
    return true;
  }

  const std::uint32_t words_;
  ChunkPool pool_;
  const std::uint64_t chunk_states_;
  std::deque<Region> chunks_;  // empty ones are in the file
  std::uint64_t passed_ = 0;   // chunks dropped
  SpillFile* file_ = nullptr;
  std::uint64_t size_ = 0;
  Word* back_ = nullptr;
  std::uint64_t back_room_ = 0;  // states that still fit into the last chunk
  const Word* front_ = nullptr;
  // States of the first chunk not yet popped, including those still to be appended to it.
  std::uint64_t front_left_ = 0;
};

}  // namespace scrimp
