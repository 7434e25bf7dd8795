// The path of a depth-first search: per depth a state and the ordinal of its next event. Grows and shrinks by chunks:
//
//     chunk: state state state ... | ordinal ordinal ordinal ...
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "core/machine.h"
#include "search/chunks.h"

namespace scrimp {

class Path {
 public:
  using Ordinal = std::uint32_t;
  /// In place of an ordinal: the state has no further event, so that it need not be expanded again to find that out.
  static constexpr Ordinal all_taken = ~Ordinal{0};

  Path(Budget& budget, std::uint32_t words)
      : words_(words), pool_(budget, frame_bytes()), chunk_frames_(pool_.chunk_bytes() / frame_bytes()) {}

  bool empty() const { return size_ == 0; }
  std::uint64_t size() const { return size_; }
  std::uint64_t peak_bytes() const { return pool_.peak_bytes(); }

  /// Puts a copy of the state on top; returns false, with nothing changed, where the budget is spent.
  [[nodiscard]] bool push(const Word* state) {
    if (last_ + 1 == chunk_frames_ || chunks_.empty()) [[unlikely]] {
      if (!add_chunk()) return false;
    } else {
      ++last_;
    }
    ++size_;
    Word* const to = states_ + last_ * words_;
    for (std::uint32_t i = 0; i < words_; ++i) to[i] = state[i];
    ordinals_[last_] = 0;
    return true;
  }

  void pop() {
    --size_;
    if (last_ == 0) [[unlikely]]
      drop_chunk();
    else
      --last_;
  }

  const Word* top() const { return states_ + last_ * words_; }
  Ordinal& top_ordinal() { return ordinals_[last_]; }

  const Word* state(std::uint64_t depth) const {
    return chunks_[depth / chunk_frames_].as<Word>() + depth % chunk_frames_ * words_;
  }
  Ordinal ordinal(std::uint64_t depth) const {
    return ordinals_of(chunks_[depth / chunk_frames_])[depth % chunk_frames_];
  }

 private:
  std::size_t frame_bytes() const { return words_ * sizeof(Word) + sizeof(Ordinal); }

  Ordinal* ordinals_of(const Region& chunk) const {
    return reinterpret_cast<Ordinal*>(chunk.as<Word>() + chunk_frames_ * words_);
  }

  bool add_chunk() {
    std::optional<Region> chunk = pool_.get();
    if (!chunk) return false;
    chunks_.push_back(std::move(*chunk));
    enter_last_chunk(0);
    return true;
  }

  void drop_chunk() {
    pool_.put(std::move(chunks_.back()));
    chunks_.pop_back();
    if (!chunks_.empty()) enter_last_chunk(chunk_frames_ - 1);
  }

  void enter_last_chunk(std::uint64_t last) {
    states_ = chunks_.back().as<Word>();
    ordinals_ = ordinals_of(chunks_.back());
    last_ = last;
  }

  const std::uint32_t words_;
  ChunkPool pool_;
  const std::uint64_t chunk_frames_;
  std::vector<Region> chunks_;
  std::uint64_t size_ = 0;
  Word* states_ = nullptr;       // of the last chunk
  Ordinal* ordinals_ = nullptr;  // of the last chunk
  std::uint64_t last_ = 0;       // the top frame's place in the last chunk
};

}  // namespace scrimp
