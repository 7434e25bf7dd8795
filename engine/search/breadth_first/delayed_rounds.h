// Rounds of a breadth-first search whose states are on disk: several rounds of a level are settled in one pass.
//
//   1. While there is memory for candidates, take the next round of the level: workers take pieces of it, and collect
//      the codes of those successors that are not among the recent states, by shard.
//   2. Workers take shards, and settle all their candidates in one pass over the shard (store/disk/disk_set.h).
//   3. Round by round, piece by piece, append the fresh states to the next level, in the order of their sources.
//
// Rounds end as they do without delay: if a round ends the search, whatever was found after it does not count.
//
// If states are coded by parts, there may be no room for the number of a new part. Then the successor is a state that
// was never met before, and is set aside as it is. From then on no part gets a number, so that the same holds for all
// that are set aside. After the pass all states get other codes, and these states are inserted.
//
// A round whose candidates have no room is given up, and taken again when the rounds before it are settled. So is one
// in which a value does not fit; if there are no rounds before it, the search ends.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <optional>
#include <shared_mutex>
#include <vector>

#include "core/region_vector.h"
#include "search/breadth_first/block_expansion.h"
#include "search/breadth_first/breadth_first.h"
#include "search/breadth_first/levels.h"
#include "search/breadth_first/rounds.h"
#include "search/breadth_first/state_queue.h"
#include "search/shards/workers.h"
#include "store/disk/disk_set.h"

namespace scrimp {

/// The candidates among the successors of consecutive states.
struct Collection : RoundPart {
  Collection(const Machine& machine, const Observer& whole, Budget& budget)
      : RoundPart(whole, machine.words),
        codes(budget),
        places(budget),
        is_fresh(budget),
        aside(budget),
        asides(budget) {}

  std::uint64_t bytes() const {
    return codes.bytes() + places.bytes() + is_fresh.bytes() + aside.bytes() + asides.bytes();
  }
  void release() {
    codes.release();
    places.release();
    is_fresh.release();
  }

  RegionVector<Word> codes;            // in the order of their sources
  RegionVector<std::uint32_t> places;  // of the candidates, shard by shard
  std::array<std::uint32_t, shard_count + 1> begin{};
  RegionVector<std::uint8_t> is_fresh;  // of the candidates; a thread writes those of its shard
  std::uint32_t count = 0;

  RegionVector<Word> aside;  // states without a code
  struct Aside {
    std::uint32_t after;  // so many candidates
    bool is_fresh;
  };
  RegionVector<Aside> asides;
};

template <std::uint32_t fixed_words>
class DelayedRounds {
 public:
  /// How many states the next round takes of a level with so many left, if so many were expanded in rounds that are not
  /// completed yet, and so many events fired.
  using SourcesOfRound =
      std::function<std::uint64_t(std::uint64_t left, std::uint64_t expanded, std::uint64_t transitions)>;

  DelayedRounds(DiskSet& set, const Machine& machine, const Sharing& sharing, StateQueue& queue, Levels& levels,
                Observer& observer, Budget& budget)
      : set_(set),
        machine_(machine),
        queue_(queue),
        levels_(levels),
        observer_(observer),
        budget_(budget),
        worth_(sharing.worth),
        hands_(open_hands(machine, sharing, budget)),
        workers_(static_cast<unsigned>(hands_.size())),
        share_([this](std::uint32_t items, const auto& work) { workers_.share(items, work); }),
        completed_(Observer::PartOf{observer}) {
    open_near();
  }

  /// Takes as many rounds as it can from a level with so many states left, and calls `completed` with the number of
  /// states of each that counts.
  template <class Completed>
  void run(std::uint64_t left, bool at_limit, const SourcesOfRound& sources_of_round, Completed completed) {
    rounds_.clear();
    used_ = 0;
    make_room();
    std::uint64_t expanded = 0, transitions = 0;
    do {
      const std::uint64_t sources = sources_of_round(left - expanded, expanded, transitions);
      const std::uint32_t first = used_;
      if (!collect(sources, at_limit)) {  // L1
        if (!rounds_.empty()) break;
        return misfit_ ? observer_.misfit(misfit_->state.data(), misfit_->event) : spare_memory();
      }
      queue_.pop(sources);
      expanded += sources;
      rounds_.push_back({first, used_, sources});
      for (std::uint32_t i = first; i < used_; ++i) transitions += pieces_[i].observer.counts.transitions;
    } while (expanded != left && are_equal() && has_room() && is_running());
    is_spared_ = false;
    set_.make_room(candidates() * set_.codes().words());
    settle();  // L2
    settle_aside();
    set_.complete_pass(is_small() ? DiskSet::Share(share_with_nobody) : share_);
    for (const Round& round : rounds_) {  // L3
      complete(round);
      completed(round.sources);
      if (!observer_.running()) break;
    }
    if (is_full_ && observer_.running()) recode();
  }

  void absorb_fired() { observer_.absorb_fired(completed_); }
  std::uint64_t bytes() const {
    std::uint64_t total = 0;
    for (const Collection& piece : pieces_) total += piece.bytes();
    return total;
  }

 private:
  static constexpr std::uint64_t few = 2048;  // sources or candidates: not worth waking other threads for
  static constexpr std::uint32_t pieces_per_worker = 4;
  static constexpr std::uint32_t at_once = 512;

  /// What one thread needs. The candidates that it collected last are not collected again: it takes pieces in order, so
  /// that the first of equal candidates stays.
  struct Hand {
    Hand(const Machine& machine, const Sharing& sharing, Budget& budget)
        : expander(machine, sharing.shuffle_seed, budget),
          choice(sharing.choice(machine, budget)),
          block(budget, machine),
          near(budget),
          codes(budget),
          results(budget),
          scratch(budget) {}
    Expander expander;
    std::unique_ptr<RankedChoice> choice;
    SuccessorBlock block;
    RecentStates near;
    RegionVector<Word> codes;
    RegionVector<Insertion> results;
    DiskSet::Scratch scratch;
    StateCodes::Scratch parts;
  };
  struct Round {
    std::uint32_t first, end;  // pieces
    std::uint64_t sources;
  };

  /// One for each thread, or for as many as leave enough room for candidates. Throws std::bad_alloc if there is none
  /// for a single one.
  static std::deque<Hand> open_hands(const Machine& machine, const Sharing& sharing, Budget& budget) {
    std::deque<Hand> hands;
    hands.emplace_back(machine, sharing, budget);
    if (!hands.back().block.has_room()) throw std::bad_alloc();
    while (hands.size() < sharing.threads && hands.back().block.bytes() <= budget.left() / 4)
      hands.emplace_back(machine, sharing, budget);
    if (!hands.back().block.has_room()) hands.pop_back();
    return hands;
  }

  std::size_t words() const { return fixed_words != 0 ? fixed_words : machine_.words; }

  /// Whether the size of the next rounds does not depend on how many states are fresh in this one.
  bool are_equal() const {
    const auto size = [&](std::uint64_t states) {
      return successors_of_round(states, budget_.limit(), worth_, machine_.words);
    };
    return size(observer_.counts.states) == size(~std::uint64_t{0});
  }

  /// For another round like the average one.
  bool has_room() const { return !is_full_ && bytes() + bytes() / rounds_.size() <= set_.candidate_bytes(); }

  /// Memory that other pieces need is given back.
  void make_room() {
    if (bytes() > set_.candidate_bytes() / 2) release_candidates();
  }
  void release_candidates() {
    for (Collection& piece : pieces_) piece.release();
  }
  void open_near() {
    const std::uint64_t bytes = std::min<std::uint64_t>(budget_.limit() / 64, std::uint64_t{256} << 10);
    for (Hand& hand : hands_) hand.near.open(bytes, set_.codes().words());
  }
  bool is_running() const {
    return std::all_of(pieces_.begin(), pieces_.begin() + used_,
                       [](const Collection& piece) { return piece.observer.running(); });
  }
  std::uint64_t candidates() const {
    return std::accumulate(pieces_.begin(), pieces_.begin() + used_, std::uint64_t{0},
                           [](std::uint64_t sum, const Collection& piece) { return sum + piece.count; });
  }
  bool is_small() const { return candidates() < few; }

  void share(bool is_little, std::uint32_t items, const std::function<void(unsigned, std::uint32_t)>& work) {
    is_little || workers_.count() == 1 ? share_with_nobody(items, work) : workers_.share(items, work);
  }

  /// Collects the candidates of a round. Returns false, with nothing collected, if there is no room for them or a value
  /// does not fit.
  bool collect(std::uint64_t sources, bool at_limit) {
    const std::uint32_t first = used_;
    misfit_.reset();
    try {
      if (!queue_.load(sources)) throw std::bad_alloc();
      expand(sources, at_limit);
      misfit_ = first_misfit(first);
    } catch (const std::bad_alloc&) {
      drop_pieces(first);
      return false;
    }
    if (misfit_) drop_pieces(first);
    return !misfit_;
  }

  /// In the order of the states, if that is what ended the first piece that has ended.
  std::optional<Misfit> first_misfit(std::uint32_t first) const {
    const auto ended = std::find_if(pieces_.begin() + first, pieces_.begin() + used_,
                                    [](const Collection& piece) { return !piece.observer.running(); });
    return ended == pieces_.begin() + used_ ? std::nullopt : ended->observer.first_misfit();
  }
  void drop_pieces(std::uint32_t first) {
    used_ = first;
    while (pieces_.size() > used_) pieces_.pop_back();
    open_near();  // it knows candidates that were dropped
  }

  /// When not even a single round has room: changes codes if there is none for parts, or does without what can be
  /// spared. Throws std::bad_alloc if that was tried before.
  void spare_memory() {
    if (is_full_) return recode();
    if (is_spared_) throw std::bad_alloc();
    is_spared_ = true;
    for (Hand& hand : hands_) hand.near.close();
    set_.spare();
  }

  void expand(std::uint64_t sources, bool at_limit) {
    const bool is_little = sources < few || workers_.count() == 1;
    const std::uint32_t count = is_little ? 1 : pieces_per_worker * workers_.count();
    const std::uint32_t first = used_;
    used_ += count;
    while (pieces_.size() < used_) pieces_.emplace_back(machine_, observer_, budget_);
    share(is_little, count, [&](unsigned worker, std::uint32_t i) {
      Collection& piece = pieces_[first + i];
      piece.observer.attach(piece.expanded);
      piece.codes.clear();
      piece.count = 0;
      piece.aside.clear();
      piece.asides.clear();
      const std::uint64_t begin = sources * i / count, end = sources * (i + 1) / count;
      queue_.for_each_run(begin, end - begin, [&](const Word* states, std::uint64_t run) {
        collect(hands_[worker], piece, states, run, at_limit);
      });
      sort_by_shard(piece);
    });
  }

  void collect(Hand& hand, Collection& piece, const Word* states, std::uint64_t count, bool at_limit) {
    BlockExpansion<fixed_words> expansion(hand.expander, piece.observer, hand.block, nullptr, hand.choice.get());
    hand.block.count = 0;
    for (std::uint64_t i = 0; i < count && piece.observer.running(); ++i, states += words()) {
      expansion.expand(states, at_limit);
      if (!hand.block.has_enough()) continue;
      keep_candidates(hand, piece);
      piece.observer.may_go_on();
    }
    keep_candidates(hand, piece);
  }

  /// Empties the block into the piece, but for recent states.
  void keep_candidates(Hand& hand, Collection& piece) {
    const std::uint32_t count = hand.block.count;
    const std::size_t code_words = set_.codes().words();
    code_block(hand);
    for (std::uint32_t i = 0; i < count; ++i) set_.recent().fetch(hand.codes[i * code_words]);
    const std::uint32_t before = piece.count;
    piece.codes.resize((before + std::size_t{count}) * code_words);
    Word* to = piece.codes.data() + before * code_words;
    auto missing = hand.parts.missing.begin();
    for (std::uint32_t i = 0; i < count; ++i) {
      const Word* const code = &hand.codes[i * code_words];
      if (missing != hand.parts.missing.end() && *missing == i) {
        ++missing;
        set_aside(hand.block.states() + i * words(), piece);
        continue;
      }
      if (hand.near.contains(code) || set_.recent().contains(code)) continue;
      hand.near.add(code);
      to = std::copy(code, code + code_words, to);
      ++piece.count;
    }
    piece.codes.resize(piece.count * code_words);
    piece.observer.counts.matched += count - hand.parts.missing.size() - (piece.count - before);
    hand.block.count = 0;
  }

  /// The codes of the states in the block, but for those that have none.
  void code_block(Hand& hand) {
    const std::uint32_t count = hand.block.count;
    StateCodes& coding = set_.codes();
    hand.codes.resize(count * coding.words());
    hand.parts.missing.clear();
    if (coding.is_by_parts()) return code_by_parts(hand);
    for (std::uint32_t i = 0; i < count; ++i)
      coding.code_directly(hand.block.states() + i * words(), &hand.codes[i * coding.words()]);
  }
  void code_by_parts(Hand& hand) {
    {
      const std::shared_lock lock(numbering_);
      set_.codes().find(hand.block.states(), hand.block.count, hand.codes.data(), hand.parts);
    }
    if (hand.parts.missing.empty()) return;
    const std::unique_lock lock(numbering_);
    std::erase_if(hand.parts.missing, [&](std::uint32_t i) {
      return set_.codes().code(hand.block.states() + i * words(), &hand.codes[i]);
    });
    is_full_ = is_full_ || !hand.parts.missing.empty();
  }
  void set_aside(const Word* state, Collection& piece) {
    const std::size_t before = piece.aside.size();
    piece.aside.resize(before + words());
    std::copy_n(state, words(), piece.aside.data() + before);
    piece.asides.push({piece.count, false});
  }

  void sort_by_shard(Collection& piece) const {
    const std::size_t code_words = set_.codes().words();
    const auto shard_at = [&](std::uint32_t i) { return StateCodes::shard_of(piece.codes[i * code_words]); };
    piece.places.resize(piece.count);
    piece.is_fresh.resize(piece.count);
    piece.begin.fill(0);
    for (std::uint32_t i = 0; i < piece.count; ++i) ++piece.begin[shard_at(i) + 1];
    std::partial_sum(piece.begin.begin(), piece.begin.end(), piece.begin.begin());
    auto next = piece.begin;
    for (std::uint32_t i = 0; i < piece.count; ++i) piece.places[next[shard_at(i)]++] = i;
  }

  /// What has no room in a shard is settled when the young states of all others have become a run.
  void settle() {
    std::vector<std::uint32_t> late;
    std::mutex late_mutex;
    share(is_small(), shard_count, [&](unsigned worker, std::uint32_t shard) {
      try {
        settle(hands_[worker], shard);
      } catch (const std::bad_alloc&) {
        const std::lock_guard lock(late_mutex);
        late.push_back(shard);
      }
    });
    if (late.empty()) return;
    for (Hand& hand : hands_) hand.near.close();  // a run needs memory to be written
    for (const std::uint32_t shard : late) settle_late(shard);
    open_near();
  }

  /// By the only thread. Throws std::bad_alloc if nothing can be spared any more.
  void settle_late(std::uint32_t shard) {
    while (true) {
      try {
        return settle(hands_[0], shard);
      } catch (const std::bad_alloc&) {
        if (!set_.spare()) throw;
      }
    }
  }

  void settle(Hand& hand, std::uint32_t shard) {
    const std::size_t code_words = set_.codes().words();
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < used_; ++i) count += pieces_[i].begin[shard + 1] - pieces_[i].begin[shard];
    if (count == 0) return;
    hand.codes.resize(count * code_words);
    hand.results.resize(count);
    Word* to = hand.codes.data();
    for_each_of(shard, [&](const Collection& piece, std::uint32_t place) {
      to = std::copy_n(&piece.codes[place * code_words], code_words, to);
    });
    set_.settle(shard, hand.codes.data(), count, hand.results.data(), hand.scratch);
    const Insertion* result = hand.results.data();
    for_each_of(shard, [&](const Collection& piece, std::uint32_t place) {
      piece.is_fresh[place] = *result++ == Insertion::fresh;
    });
  }

  /// The candidates of a shard in the order of their sources.
  template <class Use>
  void for_each_of(std::uint32_t shard, Use use) const {
    for (std::uint32_t i = 0; i < used_; ++i)
      for (std::uint32_t j = pieces_[i].begin[shard]; j < pieces_[i].begin[shard + 1]; ++j)
        use(pieces_[i], pieces_[i].places[j]);
  }

  /// Of equal states that were set aside, the first is fresh.
  void settle_aside() {
    if (!is_full_) return;
    struct Place {
      std::uint32_t piece, index;
    };
    RegionVector<Place> places(budget_);
    for (std::uint32_t i = 0; i < used_; ++i)
      for (std::uint32_t j = 0; j < pieces_[i].asides.size(); ++j) places.push({i, j});
    const auto state = [&](const Place& place) { return pieces_[place.piece].aside.data() + place.index * words(); };
    std::sort(places.begin(), places.end(), [&](const Place& a, const Place& b) {
      const int order = compare(state(a), state(b));
      return order != 0 ? order < 0 : std::pair(a.piece, a.index) < std::pair(b.piece, b.index);
    });
    for (std::size_t i = 0; i < places.size(); ++i)
      pieces_[places[i].piece].asides[places[i].index].is_fresh =
          i == 0 || compare(state(places[i]), state(places[i - 1])) != 0;
  }
  /// Negative, zero or positive.
  int compare(const Word* one, const Word* other) const {
    const auto [a, b] = std::mismatch(one, one + words(), other);
    return a == one + words() ? 0 : *a < *b ? -1 : 1;
  }

  /// Other codes for all states, and then one for those that were set aside.
  void recode() {
    release_candidates();
    for (Hand& hand : hands_) hand.near.close();
    set_.recode();
    for (std::uint32_t i = 0; i < used_; ++i) {
      Collection& piece = pieces_[i];
      hands_[0].results.resize(piece.asides.size());
      set_.insert(piece.aside.data(), static_cast<std::uint32_t>(piece.asides.size()), hands_[0].results.data());
      piece.aside.release();
      piece.asides.release();
    }
    open_near();
    is_full_ = false;
  }

  void complete(const Round& round) {
    for (std::uint32_t i = round.first; i < round.end; ++i) gather(pieces_[i]);
    complete_round(Part{pieces_, round.first}, round.end - round.first, observer_, levels_);
    for (std::uint32_t i = round.first; i < round.end; ++i) completed_.absorb_fired(pieces_[i].observer);
  }
  struct Part {
    std::deque<Collection>& pieces;
    std::uint32_t first;
    Collection& operator[](std::uint32_t i) const { return pieces[first + i]; }
  };

  /// Appends the fresh states of a piece in order.
  void gather(Collection& piece) {
    const std::size_t code_words = set_.codes().words();
    piece.observer.attach(piece.entered);
    states_.resize(at_once * words());
    Gathering gathering{piece};
    std::size_t aside = 0;
    const auto add_asides = [&](std::uint32_t before) {
      for (; aside < piece.asides.size() && piece.asides[aside].after <= before; ++aside)
        if (piece.asides[aside].is_fresh)
          std::copy_n(piece.aside.data() + aside * words(), words(), next_state(gathering)), enter(gathering);
    };
    for (std::uint32_t i = 0; i < piece.count; ++i) {
      add_asides(i);
      if (!piece.is_fresh[i]) continue;
      set_.codes().state(&piece.codes[i * code_words], next_state(gathering));
      enter(gathering);
    }
    add_asides(piece.count);
    append(gathering.waiting);
    piece.observer.counts.states += gathering.fresh;
    piece.observer.counts.matched += piece.count + piece.asides.size() - gathering.fresh;
  }
  struct Gathering {
    Collection& piece;
    std::uint32_t waiting = 0, fresh = 0;
  };
  Word* next_state(const Gathering& gathering) { return &states_[gathering.waiting * words()]; }
  void enter(Gathering& gathering) {
    if (gathering.piece.observer.watching()) gathering.piece.observer.entered(next_state(gathering));
    ++gathering.fresh;
    if (++gathering.waiting == at_once) append(std::exchange(gathering.waiting, 0));
  }

  void append(std::uint32_t count) {
    levels_.append(states_.data(), count);
    const std::uint64_t end = queue_.size() + count;
    const auto missing = [&] { return end - queue_.size(); };
    while (!queue_.append(states_.data() + (count - missing()) * words(), missing()))
      if (!set_.spare()) return observer_.end(Reason::memory);
  }

  DiskSet& set_;
  const Machine& machine_;
  StateQueue& queue_;
  Levels& levels_;
  Observer& observer_;
  Budget& budget_;
  const std::uint64_t worth_;
  std::deque<Hand> hands_;
  Workers workers_;
  DiskSet::Share share_;
  std::deque<Collection> pieces_;
  std::uint32_t used_ = 0;  // pieces
  std::vector<Round> rounds_;
  Observer completed_;  // has seen the events of completed rounds
  std::vector<Word> states_;
  std::shared_mutex numbering_;   // of parts
  bool is_full_ = false;          // there is no room for the number of a part
  bool is_spared_ = false;        // memory that can be spared was given up for the next round
  std::optional<Misfit> misfit_;  // of the round that was given up
};

template <ChangingSet Set, std::uint32_t fixed_words>
struct DelayedBy<Set, fixed_words> {
  using Rounds = std::optional<DelayedRounds<fixed_words>>;
};

}  // namespace scrimp
