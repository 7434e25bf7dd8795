// Rounds of a breadth-first search that several threads work on.
//
//   1. expand   workers take pieces of the round, and put the successors into boxes, one for each shard;
//   2. number   for some sets, one worker numbers parts of states that are new; then the boxes are filled;
//   3. settle   after the table was given room, workers take shards, and insert their boxes in the order of the pieces;
//               then, after the table was given room again, one worker inserts the few states that were left undecided;
//   4. gather   workers take pieces, and write those of their states that are fresh to the next level.
//
// Between the steps all wait for each other. No data is used by two threads within a step, so there are no locks. Until
// the table is given room, nothing has changed but what is in the pieces: if they have no room, or if a value does not
// fit, the round is given up. One thread takes it then.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <new>
#include <optional>

#include "search/breadth_first/levels.h"
#include "search/breadth_first/rounds.h"
#include "search/breadth_first/state_queue.h"
#include "search/shards/shard_group.h"
#include "search/shards/workers.h"

namespace scrimp {

template <ShardableSet Set, std::uint32_t fixed_words>
class SharedRounds {
  using Group = ShardGroup<Set, fixed_words>;

 public:
  SharedRounds(Set& set, const Machine& machine, const Sharing& sharing, StateQueue& queue, Levels& levels,
               Observer& observer, Budget& budget)
      : set_(set),
        machine_(machine),
        queue_(queue),
        levels_(levels),
        observer_(observer),
        budget_(budget),
        group_(set, machine),
        least_piece_(std::max<std::uint64_t>(sharing.worth / 2, 1)),
        workers_(sharing.threads) {
    for (unsigned i = 0; i < workers_.count(); ++i) hands_.emplace_back(machine, sharing, budget);
  }

  /// Expands the first `sources` states of the queue, whose successors will be about `successors`. Returns false, with
  /// nothing done, if there is no room for them.
  bool run(std::uint64_t sources, std::uint64_t successors, bool at_limit) {
    if (!collect(sources, successors, at_limit)) return give_up_round(), false;
    if (is_running()) {
      if (make_room(successors_found()) ? settle() : insert_one_by_one())
        gather();
      else
        observer_.end(Reason::memory);
    }
    queue_.pop(sources);
    complete_round(pieces_, count_, observer_, levels_);
    return true;
  }

  /// Appends to the log what the last round left to the next one, but for what was written already.
  void complete_log() {
    if (unlogged_ != 0 && levels_.log() != nullptr) append_unlogged();
    unlogged_ = written_ = 0;
  }

  void absorb_fired() {
    for (const Piece& piece : pieces_) observer_.absorb_fired(piece.observer);
  }

  std::uint64_t bytes() const {
    std::uint64_t total = 0;
    for (const Piece& piece : pieces_) total += piece.bytes();
    return total;
  }

 private:
  static constexpr std::uint64_t most_pieces = 128, pieces_per_worker = 3;

  void open_pieces(std::uint64_t sources, std::uint64_t successors) {
    const std::uint64_t least = std::max<std::uint64_t>(least_piece_, machine_.max_successors);
    const std::uint64_t wanted = std::min({successors / least, sources, pieces_per_worker * workers_.count()});
    count_ = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(wanted, 1, most_pieces));
    while (pieces_.size() < count_) pieces_.emplace_back(machine_, observer_, budget_);
  }

  /// Fills the pieces. Returns false if a value does not fit, or if there is no room for the successors or for numbers
  /// of their parts.
  bool collect(std::uint64_t sources, std::uint64_t successors, bool at_limit) {
    try {
      open_pieces(sources, successors);
      expand(sources, at_limit);
      return !has_ended_for(Reason::memory) && !has_ended_for(Reason::misfit) && (!is_running() || number());
    } catch (const std::bad_alloc&) {
      return false;
    }
  }

  /// Events of this round stay noted, and its successors as those met last, which does no harm: one thread will fire
  /// them again, and insert these, before any state behind them is expanded.
  void give_up_round() {
    complete_log();
    absorb_fired();
    pieces_.clear();
  }

  bool is_running() const {
    return std::all_of(pieces_.begin(), pieces_.begin() + count_,
                       [](const Piece& piece) { return piece.observer.running(); });
  }
  bool has_ended_for(Reason reason) const {
    return std::any_of(pieces_.begin(), pieces_.begin() + count_,
                       [&](const Piece& piece) { return piece.observer.reason() == reason; });
  }

  void expand(std::uint64_t sources, bool at_limit) {  // L1
    const bool logs = begin_logging();
    workers_.share(count_ + logs, [&](unsigned worker, std::uint32_t item) {
      if (logs && item == 0) return write_unlogged();
      const std::uint32_t i = item - logs;
      Piece& piece = pieces_[i];
      const std::uint64_t first = sources * i / count_, end = sources * (i + 1) / count_;
      group_.begin(piece);
      queue_.for_each_run(first, end - first, [&](const Word* states, std::uint64_t count) {
        group_.expand(hands_[worker], piece, states, count, at_limit);
      });
      group_.code(hands_[worker], piece);
    });
    complete_log();
  }

  bool number() {  // L2
    if (set_.codes_at_once()) return true;
    bool has_room = true;
    for (std::uint32_t i = 0; i < count_ && has_room; ++i) has_room = group_.number(hands_[0], pieces_[i]);
    if (!has_room) return false;
    workers_.share(count_, [&](unsigned, std::uint32_t i) { group_.fill_boxes(pieces_[i]); });
    return true;
  }

  std::uint64_t successors_found() const {
    std::uint64_t total = 0;
    for (std::uint32_t i = 0; i < count_; ++i) total += pieces_[i].block.count;
    return total;
  }

  bool make_room(std::uint64_t successors) {
    return set_.make_room(successors, [&](std::uint32_t items, const std::function<void(std::uint32_t)>& work) {
      workers_.share(items, [&](unsigned, std::uint32_t item) { work(item); });
    });
  }

  bool settle() {  // L3
    workers_.share(shard_count, [&](unsigned worker, std::uint32_t shard) {
      group_.settle(hands_[worker], shard, pieces_, count_);
    });
    set_.count_inserted(fresh());
    make_room(0);  // all threads enlarge a table that is full, rather than the one that inserts what is left
    bool has_room = true;
    for (auto& hand : hands_) has_room = group_.settle_late(hand) && has_room;
    return has_room || insert_rest();
  }

  std::uint64_t fresh() const {
    std::uint64_t total = 0;
    for (std::uint32_t i = 0; i < count_; ++i) total += pieces_[i].fresh.load(std::memory_order_relaxed);
    return total;
  }

  /// Inserts the successors that had no room, state by state: a set that can change its representation makes room.
  bool insert_rest() {
    bool has_room = true;
    for (std::uint32_t i = 0; i < count_ && has_room; ++i) has_room = group_.insert_rest(pieces_[i]);
    return has_room;
  }

  /// The table should take no more.
  bool insert_one_by_one() {
    for (std::uint32_t i = 0; i < count_; ++i) group_.undo(pieces_[i]);
    return insert_rest();
  }

  void gather() {  // L4
    std::uint64_t total = 0;
    const std::uint64_t before = queue_.size();
    std::array<std::uint64_t, most_pieces> place;
    for (std::uint32_t i = 0; i < count_; ++i) {
      place[i] = before + total;
      total += pieces_[i].fresh.load(std::memory_order_relaxed);
    }
    if (!extend_queue(total)) return observer_.end(Reason::memory);
    workers_.share(count_, [&](unsigned, std::uint32_t i) {
      const std::uint32_t fresh = group_.gather(pieces_[i]);
      queue_.write(place[i], pieces_[i].block.states(), fresh);
    });
    levels_.count_appended(total);
    unlogged_ = total;
  }

  /// A set that can change its representation does so before the queue gets places that are not written yet.
  bool extend_queue(std::uint64_t count) {
    if constexpr (requires { set_.change(); }) {
      while (budget_.left() < queue_.bytes_for(count) && set_.change()) {
      }
    }
    return queue_.extend(count);
  }

  /// The states of the last round, which are the last ones in the queue, are written to the log by one worker while
  /// others expand. Returns whether that is possible.
  bool begin_logging() {
    LevelLog* const log = levels_.log();
    if (unlogged_ == 0 || log == nullptr) return false;
    log->flush();
    if (!log->writes_file()) return complete_log(), false;
    return true;
  }

  void write_unlogged() {
    queue_.for_each_run(queue_.size() - unlogged_, unlogged_, [&](const Word* states, std::uint64_t count) {
      const std::uint64_t words = count * machine_.words;
      if (levels_.log()->writes_file()) written_ += levels_.log()->write_words(states, words);
    });
  }

  void append_unlogged() {
    std::uint64_t written = written_;
    queue_.for_each_run(queue_.size() - unlogged_, unlogged_, [&](const Word* states, std::uint64_t count) {
      const std::uint64_t words = count * machine_.words, skipped = std::min(words, written);
      levels_.log()->append_words(states + skipped, words - skipped);
      written -= skipped;
    });
  }

  Set& set_;
  const Machine& machine_;
  StateQueue& queue_;
  Levels& levels_;
  Observer& observer_;
  Budget& budget_;
  Group group_;
  std::deque<typename Group::Hand> hands_;
  std::deque<Piece> pieces_;
  std::uint32_t count_ = 0;          // of the pieces of this round
  std::uint64_t unlogged_ = 0;       // states at the end of the queue
  std::uint64_t written_ = 0;        // words of theirs
  const std::uint64_t least_piece_;  // successors
  Workers workers_;
};

}  // namespace scrimp
