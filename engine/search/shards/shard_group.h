// The work of a sharded search, in steps that can be distributed over threads, or machines.
//
//     expand       states                ──▶ boxes: their successors, coded, by shard, but for some that are known
//     settle       the boxes of a shard  ──▶ which of them are fresh, but for a few that are left undecided
//     settle_late  those                 ──▶ which of them are fresh
//     gather       a piece               ──▶ its fresh states
//
// A piece holds the successors of some consecutive states of a level, in order. A shard takes its boxes in the order of
// the pieces, so that of equal states the first one is fresh: the one that a search state by state finds fresh.
// Gathered in the order of the pieces, the fresh states are the next level in the order of that search.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "core/machine.h"
#include "core/region_vector.h"
#include "observe/observer.h"
#include "search/breadth_first/block_expansion.h"
#include "search/breadth_first/last_successors.h"
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
        block(budget, machine, SuccessorBlock::Contents::states),
        codes(budget),
        uncoded(budget),
        shards(budget),
        boxes(budget),
        results(budget) {}

  std::uint64_t bytes() const {
    return block.bytes() + codes.bytes() + uncoded.bytes() + shards.bytes() + boxes.bytes() + results.bytes();
  }

  SuccessorBlock block;
  RegionVector<Word> codes;                            // of the successors
  RegionVector<std::uint32_t> uncoded;                 // places of those without a code yet
  RegionVector<Shard> shards;                          // to which they belong
  RegionVector<Word> boxes;                            // the codes, shard by shard
  std::array<std::uint32_t, shard_count + 1> begin{};  // of each shard's box
  RegionVector<Insertion> results;                     // of inserting the codes in the boxes
  alignas(128) std::atomic<std::uint32_t> fresh{0};    // apart, because threads write it that only read the rest
};

/// `fixed_words` is the machine's number of words if the loop is compiled for that number, else 0.
template <ShardableSet Set, std::uint32_t fixed_words>
class ShardGroup {
 public:
  /// The place of a code in the boxes of a piece.
  struct Late {
    Piece* piece;
    std::uint32_t place;
  };

  /// What one thread needs.
  struct Hand {
    Hand(const Machine& machine, const Sharing& sharing, Budget& budget)
        : expander(machine, sharing.shuffle_seed, budget),
          choice(sharing.choice(machine, budget)),
          last(budget, machine.words) {}
    Expander expander;
    std::unique_ptr<RankedChoice> choice;
    LastSuccessors<fixed_words> last;
    typename Set::Scratch scratch;
    std::vector<Word> states, codes;  // a few at a time
    std::vector<Late> late;           // codes that were left undecided, those of a shard in order
  };

  ShardGroup(Set& set, const Machine& machine) : set_(set), machine_(machine) {}

  void begin(Piece& piece) const {
    piece.observer.attach(piece.expanded);
    piece.block.count = 0;
    piece.fresh.store(0, std::memory_order_relaxed);
  }

  /// Adds the successors of states to the piece, but for those that the thread has met before. Any thread, the pieces
  /// of a thread in order.
  void expand(Hand& hand, Piece& piece, const Word* states, std::uint64_t count, bool at_limit) const {
    BlockExpansion<fixed_words> expansion(hand.expander, piece.observer, piece.block, nullptr, hand.choice.get());
    std::uint32_t kept = piece.block.count;
    const auto omit_repeated = [&] {
      const std::uint32_t end = hand.last.omit_repeated(piece.block.states(), kept, piece.block.count);
      piece.observer.counts.matched += piece.block.count - end;
      piece.block.count = kept = end;
    };
    for (std::uint64_t i = 0; i < count && piece.observer.running(); ++i, states += words()) {
      if (!piece.block.make_room(0)) return piece.observer.end(Reason::memory);
      expansion.expand(states, at_limit);
      if (piece.block.count - kept >= SuccessorBlock::enough) omit_repeated();
      if (i % expansions_per_check == 0) piece.observer.may_go_on();
    }
    omit_repeated();
  }

  /// Codes the successors and, if that is possible at once, puts them into boxes. Any thread.
  void code(Hand& hand, Piece& piece) const {
    const std::uint32_t count = piece.block.count;
    if (set_.codes_cheaply()) return code_twice(hand, piece);
    piece.codes.resize(count * set_.code_words());
    set_.look_up(piece.block.states(), count, piece.codes.data(), hand.scratch);
    if (set_.codes_at_once()) return fill_boxes(piece);
    piece.uncoded.clear();
    for (std::uint32_t i = 0; i < count; ++i)
      if (piece.codes[i * set_.code_words()] == 0) piece.uncoded.push(i);
  }

  /// For sets that do not code at once: the codes that are missing. One thread, the pieces in order. Returns false if
  /// there is no room.
  bool number(Hand& hand, Piece& piece) {
    for (std::size_t done = 0; done < piece.uncoded.size(); done += at_once)
      if (!number(hand, piece, done, std::min<std::size_t>(piece.uncoded.size() - done, at_once))) return false;
    return true;
  }

  /// Any thread, when all pieces are coded.
  void fill_boxes(Piece& piece) const {
    open_boxes(piece);
    set_.place(piece.codes.data(), piece.block.count, piece.shards.data());
    count_shards(piece);
    auto next = piece.begin;
    for (std::uint32_t i = 0; i < piece.block.count; ++i)
      copy(&piece.codes[i * set_.code_words()], &piece.boxes[next[piece.shards[i]]++ * set_.code_words()]);
  }

  /// Inserts the boxes of a shard. One thread for each shard.
  template <class Pieces>
  void settle(Hand& hand, std::uint32_t shard, Pieces& pieces, std::uint32_t count) {
    const typename Set::Section section = set_.section(shard);
    set_.fetch(section, box(shard, pieces[0]));
    for (std::uint32_t i = 0; i < count; ++i)
      settle(hand, shard, section, pieces[i], i + 1 < count ? box(shard, pieces[i + 1]) : Codes{});
  }

  /// Inserts what a thread has left undecided. One thread. Returns false if there was no room for a state.
  bool settle_late(Hand& hand) {
    bool has_room = true;
    for (const Late& late : hand.late) {
      Insertion& result = late.piece->results[late.place];
      result = set_.insert_late(&late.piece->boxes[late.place * set_.code_words()]);
      if (result == Insertion::fresh) late.piece->fresh.fetch_add(1, std::memory_order_relaxed);
      has_room = has_room && result != Insertion::no_room;
    }
    hand.late.clear();
    return has_room;
  }

  /// Puts all successors of a piece into one box, undecided.
  void undo(Piece& piece) const {
    piece.shards.resize(piece.block.count);
    piece.results.resize(piece.block.count);
    std::fill(piece.shards.begin(), piece.shards.end(), Shard{0});
    std::fill(piece.results.begin(), piece.results.end(), Insertion::no_room);
    count_shards(piece);
  }

  /// Inserts the successors for which there was no room, state by state. One thread, the pieces in order. Returns false
  /// if there still is none.
  bool insert_rest(Piece& piece) {
    auto next = piece.begin;
    for (std::uint32_t i = 0; i < piece.block.count; ++i) {
      Insertion& result = piece.results[next[piece.shards[i]]++];
      if (result != Insertion::no_room) continue;
      result = set_.insert(piece.block.states() + i * words());
      if (result == Insertion::no_room) return false;
      if (result == Insertion::fresh) piece.fresh.fetch_add(1, std::memory_order_relaxed);
    }
    return true;
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
  static constexpr std::uint32_t at_once = 256;  // codes

  std::size_t words() const { return fixed_words != 0 ? fixed_words : machine_.words; }

  /// Some of the codes that are missing.
  bool number(Hand& hand, Piece& piece, std::size_t first, std::size_t count) {
    const std::size_t code_words = set_.code_words();
    const std::uint32_t* const places = &piece.uncoded[first];
    hand.states.resize(count * words());
    hand.codes.resize(count * code_words);
    for (std::size_t i = 0; i < count; ++i)
      std::copy_n(piece.block.states() + places[i] * words(), words(), &hand.states[i * words()]);
    if (!set_.number(hand.states.data(), static_cast<std::uint32_t>(count), hand.codes.data())) return false;
    for (std::size_t i = 0; i < count; ++i)
      std::copy_n(&hand.codes[i * code_words], code_words, &piece.codes[places[i] * code_words]);
    return true;
  }

  void open_boxes(Piece& piece) const {
    piece.shards.resize(piece.block.count);
    piece.boxes.resize(piece.block.count * set_.code_words());
    piece.results.resize(piece.block.count);
  }

  static void count_shards(Piece& piece) {
    piece.begin.fill(0);
    for (std::uint32_t i = 0; i < piece.block.count; ++i) ++piece.begin[piece.shards[i] + 1u];
    std::partial_sum(piece.begin.begin(), piece.begin.end(), piece.begin.begin());
  }

  /// Fills the boxes without keeping the codes elsewhere: they are made once to count them, and once more to be stored.
  void code_twice(Hand& hand, Piece& piece) const {
    hand.codes.resize(at_once * set_.code_words());
    Word* const codes = hand.codes.data();
    open_boxes(piece);
    const auto for_each_part = [&](auto use) {
      for (std::uint32_t done = 0; done < piece.block.count; done += at_once) {
        const std::uint32_t count = std::min(at_once, piece.block.count - done);
        set_.look_up(piece.block.states() + done * words(), count, codes, hand.scratch);
        set_.place(codes, count, &piece.shards[done]);
        use(&piece.shards[done], count);
      }
    };
    for_each_part([](const Shard*, std::uint32_t) {});
    count_shards(piece);
    auto next = piece.begin;
    for_each_part([&](const Shard* shards, std::uint32_t count) {
      for (std::uint32_t i = 0; i < count; ++i)
        copy(codes + i * set_.code_words(), &piece.boxes[next[shards[i]]++ * set_.code_words()]);
    });
  }

  void copy(const Word* from, Word* to) const {
    for (std::size_t i = 0; i < set_.code_words(); ++i) to[i] = from[i];
  }

  Codes box(std::uint32_t shard, const Piece& piece) const {
    const std::uint32_t begin = piece.begin[shard];
    return {&piece.boxes[begin * set_.code_words()], piece.begin[shard + 1] - begin};
  }

  void settle(Hand& hand, std::uint32_t shard, const typename Set::Section& section, Piece& piece, Codes next) {
    const Codes codes = box(shard, piece);
    Insertion* const results = &piece.results[piece.begin[shard]];
    set_.insert(section, codes, results, next);
    std::uint32_t fresh = 0, undecided = 0;
    for (std::uint32_t i = 0; i < codes.count; ++i) {
      fresh += results[i] == Insertion::fresh;
      undecided += results[i] == Insertion::no_room;
    }
    if (fresh != 0) piece.fresh.fetch_add(fresh, std::memory_order_relaxed);
    for (std::uint32_t i = 0; undecided != 0; ++i) {
      if (results[i] != Insertion::no_room) continue;
      hand.late.push_back({&piece, piece.begin[shard] + i});
      --undecided;
    }
  }

  Set& set_;
  const Machine& machine_;
};

}  // namespace scrimp
