// The work of a sharded search, in steps that whoever drives it can distribute as they like.
//
//     expand   states                ──▶ boxes: their successors, coded, by shard
//     settle   the boxes of a shard  ──▶ which of them are fresh
//     gather   a piece               ──▶ its fresh states
//
// A piece holds the successors of some consecutive states of a level, in order. A shard takes its boxes in the order of
// the pieces, so that of equal states the first one is fresh: the one that a search state by state finds fresh.
// Gathered in the order of the pieces, the fresh states are the next level in the order of that search.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <numeric>
#include <optional>

#include "core/machine.h"
#include "core/region_vector.h"
#include "observe/observer.h"
#include "search/breadth_first/block_expansion.h"
#include "search/breadth_first/rounds.h"
#include "search/breadth_first/successor_block.h"
#include "search/expansion/expander.h"
#include "store/saved_set.h"
#include "store/shards.h"

namespace scrimp {

/// The successors of consecutive states, and everything observed about them.
struct alignas(64) Piece : RoundPart {
  Piece(const Machine& machine, const Observer& whole, Budget& budget)
      : RoundPart(whole, machine.words),
        block(budget, machine),
        codes(budget),
        shards(budget),
        boxes(budget),
        results(budget) {}

  std::uint64_t bytes() const {
    return block.bytes() + codes.bytes() + shards.bytes() + boxes.bytes() + results.bytes();
  }

  SuccessorBlock block;
  RegionVector<Word> codes;                            // of the successors
  RegionVector<Shard> shards;                          // to which they belong
  RegionVector<Word> boxes;                            // the codes, shard by shard
  std::array<std::uint32_t, shard_count + 1> begin{};  // of each shard's box
  RegionVector<Insertion> results;                     // of inserting the codes in the boxes
  std::atomic<std::uint32_t> fresh{0};
};

/// `fixed_words` is the machine's number of words if the loop is compiled for that number, else 0.
template <ShardableSet Set, std::uint32_t fixed_words>
class ShardGroup {
 public:
  /// What one thread needs.
  struct Hand {
    Hand(const Machine& machine, std::optional<std::uint64_t> shuffle_seed, Budget& budget)
        : expander(machine, shuffle_seed, budget) {}
    Expander expander;
    typename Set::Scratch scratch;
  };

  ShardGroup(Set& set, const Machine& machine) : set_(set), machine_(machine) {}

  void begin(Piece& piece) const {
    piece.observer.attach(piece.expanded);
    piece.block.count = 0;
    piece.fresh.store(0, std::memory_order_relaxed);
  }

  /// Adds the successors of states to the piece. Any thread.
  void expand(Hand& hand, Piece& piece, const Word* states, std::uint64_t count, bool at_limit) const {
    BlockExpansion<fixed_words> expansion(hand.expander, piece.observer, piece.block);
    for (std::uint64_t i = 0; i < count && piece.observer.running(); ++i, states += words()) {
      if (!piece.block.make_room(0)) return piece.observer.end(Reason::memory);
      expansion.expand(states, at_limit);
      if (i % expansions_per_check == 0) piece.observer.may_go_on();
    }
  }

  /// Codes the successors and, if that is possible at once, puts them into boxes. Any thread.
  void code(Hand& hand, Piece& piece) const {
    const std::uint32_t count = piece.block.count;
    piece.codes.resize(count * set_.code_words());
    set_.look_up(piece.block.states(), count, piece.codes.data(), hand.scratch);
    if (set_.codes_at_once()) fill_boxes(piece);
  }

  /// For sets that do not code at once: the codes that are missing. One thread, the pieces in order. Returns false if
  /// there is no room.
  bool number(Piece& piece) { return set_.number(piece.block.states(), piece.block.count, piece.codes.data()); }

  /// Any thread, when all pieces are coded.
  void fill_boxes(Piece& piece) const {
    const std::uint32_t count = piece.block.count;
    piece.shards.resize(count);
    piece.boxes.resize(count * set_.code_words());
    piece.results.resize(count);
    set_.place(piece.codes.data(), count, piece.shards.data());
    piece.begin.fill(0);
    for (std::uint32_t i = 0; i < count; ++i) ++piece.begin[piece.shards[i] + 1u];
    std::partial_sum(piece.begin.begin(), piece.begin.end(), piece.begin.begin());
    auto next = piece.begin;
    for (std::uint32_t i = 0; i < count; ++i)
      copy(&piece.codes[i * set_.code_words()], &piece.boxes[next[piece.shards[i]]++ * set_.code_words()]);
  }

  /// Inserts the boxes of a shard. One thread for each shard. Returns false if there was no room for a state.
  template <class Pieces>
  bool settle(std::uint32_t shard, Pieces& pieces, std::uint32_t count) {
    bool has_room = true;
    fetch(shard, pieces[0]);
    for (std::uint32_t i = 0; i < count; ++i) {
      if (i + 1 < count) fetch(shard, pieces[i + 1]);
      has_room = settle(shard, pieces[i]) && has_room;
    }
    return has_room;
  }

  /// Moves the fresh states of a settled piece to the front of its block, and observes them. Returns their number. Any
  /// thread.
  std::uint32_t gather(Piece& piece) const {
    Word* const states = piece.block.states();
    auto next = piece.begin;
    std::uint32_t fresh = 0, known = 0;
    for (std::uint32_t i = 0; i < piece.block.count; ++i) {  // branch-free: which states are fresh is unpredictable
      for (std::size_t w = 0; w < words(); ++w) states[fresh * words() + w] = states[i * words() + w];
      const Insertion result = piece.results[next[piece.shards[i]]++];
      fresh += result == Insertion::fresh;
      known += result == Insertion::known;
    }
    piece.observer.counts.states += fresh;
    piece.observer.counts.matched += known;
    piece.observer.attach(piece.entered);
    if (piece.observer.watching())
      for (std::uint32_t i = 0; i < fresh; ++i) piece.observer.entered(states + i * words());
    return fresh;
  }

  /// See store/saved_set.h.
  template <class Write>
  bool save(Write write) const {
    return scrimp::save(set_, write);
  }
  template <class Read>
  bool load(Read read) {
    return scrimp::load(set_, read);
  }

 private:
  static constexpr std::uint64_t expansions_per_check = 256;

  std::size_t words() const { return fixed_words != 0 ? fixed_words : machine_.words; }

  void copy(const Word* from, Word* to) const {
    for (std::size_t i = 0; i < set_.code_words(); ++i) to[i] = from[i];
  }

  void fetch(std::uint32_t shard, const Piece& piece) const {
    const std::uint32_t begin = piece.begin[shard];
    set_.fetch(shard, &piece.boxes[begin * set_.code_words()], piece.begin[shard + 1] - begin);
  }

  bool settle(std::uint32_t shard, Piece& piece) {
    const std::uint32_t begin = piece.begin[shard], size = piece.begin[shard + 1] - begin;
    Insertion* const results = &piece.results[begin];
    set_.insert(shard, &piece.boxes[begin * set_.code_words()], size, results);
    std::uint32_t fresh = 0, lost = 0;
    for (std::uint32_t i = 0; i < size; ++i) {
      fresh += results[i] == Insertion::fresh;
      lost += results[i] == Insertion::no_room;
    }
    if (fresh != 0) piece.fresh.fetch_add(fresh, std::memory_order_relaxed);
    return lost == 0;
  }

  Set& set_;
  const Machine& machine_;
};

}  // namespace scrimp
