// Breadth-first search.
//
//   1. Enter the initial state: level 0.
//   2. While the level is not empty, take a round of its states (search/breadth_first/rounds.h):
//   3.   take states from the round and expand them until their successors fill a block;
//   4.   omit those met a moment ago, insert the others into the set of states; append the fresh ones to the next
//   level;
//   5.   when the level is used up, continue with the next one.
//
// A round that is large enough is shared by several threads, if there are any: search/shards/shared_rounds.h replaces
// lines 3 and 4. If the states are on disk, search/breadth_first/delayed_rounds.h does. If a value does not fit, what
// was found can be handed over to a search with wider fields: search/checkpoint/handover.h.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include "core/machine.h"
#include "core/region_vector.h"
#include "observe/observer.h"
#include "search/breadth_first/block_expansion.h"
#include "search/breadth_first/last_successors.h"
#include "search/breadth_first/levels.h"
#include "search/breadth_first/rounds.h"
#include "search/breadth_first/state_queue.h"
#include "search/breadth_first/successor_block.h"
#include "search/checkpoint/breadth_first_checkpoint.h"
#include "search/checkpoint/handover.h"
#include "search/expansion/expander.h"
#include "search/listeners/listener.h"
#include "search/shards/shared_rounds.h"
#include "store/shards.h"
#include "store/state_set.h"

namespace scrimp {

/// The rounds that threads share, as soon as there is one; nothing if the set cannot be split.
template <class Set, std::uint32_t fixed_words>
struct SharedBy {
  struct Rounds {};
};
template <ShardableSet Set, std::uint32_t fixed_words>
struct SharedBy<Set, fixed_words> {
  using Rounds = std::optional<SharedRounds<Set, fixed_words>>;
};

/// A set that changes its representation when memory runs out, and finally keeps its states on disk: store/auto_set.h.
template <class Set>
concept ChangingSet = requires(Set set) {
  { set.change() } -> std::same_as<bool>;
  { set.is_on_disk() } -> std::same_as<bool>;
};

/// The rounds of a search whose states are on disk; nothing if they never are. See delayed_rounds.h.
template <class Set, std::uint32_t fixed_words>
struct DelayedBy {
  struct Rounds {};
};

/// `fixed_words` is the machine's number of words if the loop is compiled for that number, else 0. The set is annotated
/// if the listener needs its entries.
template <StateSet Set, std::uint32_t fixed_words, class Listener = Silent>
class BreadthFirst {
 public:
  BreadthFirst(Expander& expander, Set& set, Levels& levels, Observer& observer, Budget& budget, Listener& listener,
               Transcript* labels = nullptr, const Sharing& sharing = {}, BreadthFirstCheckpoint* checkpoint = nullptr,
               Handover* handover = nullptr)
      : expander_(expander),
        set_(set),
        levels_(levels),
        observer_(observer),
        budget_(budget),
        listener_(listener),
        queue_(budget, expander.machine().words),
        block_(budget, expander.machine()),
        part_{RoundPart(observer, expander.machine().words)},
        choice_(sharing.choice(expander.machine(), budget)),
        expansion_(expander, part_[0].observer, block_, labels, choice_.get()),
        keys_(budget),
        sharing_(sharing),
        checkpoint_(checkpoint),
        handover_(handover) {
    part_[0].observer.attach(part_[0].expanded);
    if constexpr (omits_repeated) last_.emplace(budget, expander.machine().words);
    if constexpr (is_changing) set_.spare = [this] { return spill_queue(); };
  }

  void run() {
    if (!block_.has_room()) return observer_.end(Reason::memory);
    if (checkpoint_ != nullptr && checkpoint_->resumes())
      resume();
    else if (handover_ != nullptr && handover_->takes_over())
      take_over();
    else
      enter_initial();                                                    // L1
    while (observer_.running() && (level_left_ != 0 || begin_level())) {  // L2, L5
      if (checkpoint_ != nullptr && !leave_checkpoint()) break;
      run_round();
      observer_.pulse(levels_.current(), queue_.size(), budget_.held());
    }
    observer_.exhausted();
    if (handover_ != nullptr && observer_.reason() == Reason::misfit) hand_over();
    conclude();
  }

  /// Keeps what was found before the search ended. The set need not be intact.
  void conclude() {
    leave_shared();
    absorb_fired();
    if (checkpoint_ != nullptr) checkpoint_->save_at_end();
  }

  std::uint64_t queue_bytes() const { return queue_.bytes(); }
  std::uint64_t queue_peak_bytes() const { return queue_.peak_bytes(); }
  std::uint64_t block_bytes() const {
    std::uint64_t bytes = block_.bytes() + expander_.passage().bytes();
    if constexpr (is_shareable) bytes += shared_ ? shared_->bytes() : 0;
    if constexpr (is_changing) bytes += delayed_ ? delayed_->bytes() : 0;
    return bytes;
  }

 private:
  static constexpr bool is_shareable = ShardableSet<Set> && std::is_same_v<Listener, Silent>;
  static constexpr bool is_changing = ChangingSet<Set>;
  static constexpr bool omits_repeated = std::is_same_v<Listener, Silent> && !is_annotated<Set> && !ForgettingSet<Set>;
  // So that a level full of dead ends can be interrupted too.
  static constexpr std::uint32_t expansions_per_block = 4096;

  void enter_initial() {
    expander_.machine().initial(block_.states());
    block_.count = 1;
    insert_block();
    complete_round(part_, 1, observer_, levels_);
    complete_set();
  }

  /// Returns false if there is none, or no room for it.
  bool begin_level() {
    if (queue_.size() == 0) return false;
    level_left_ = queue_.size();
    if (!levels_.begin_next()) return observer_.end(Reason::memory), false;
    observer_.deeper(levels_.current());
    at_limit_ = observer_.at_depth_limit(levels_.current());
    return true;
  }

  /// Between rounds. Returns false, and the search has ended, if what was found since the last checkpoint could be
  /// lost.
  bool leave_checkpoint() {
    bool is_safe = checkpoint_->mark(expanded_, level_left_);
    if (is_safe && checkpoint_->is_due()) {
      leave_shared();
      absorb_fired();
      is_safe = checkpoint_->save();
    }
    if (!is_safe) observer_.end(Reason::disk);
    return is_safe;
  }

  /// Goes on from a checkpoint: see search/checkpoint/breadth_first_checkpoint.h.
  void resume() {
    if (!checkpoint_->restore()) return observer_.end(Reason::disk);
    begin_in_level(checkpoint_->resumed().expanded, checkpoint_->resumed().level_left);
    if constexpr (is_changing) set_.begin_adding();
    std::uint64_t known = checkpoint_->resumed().log_states - level_left_ - levels_.next_states();
    const bool is_read = checkpoint_->read_states(block_.states(), SuccessorBlock::enough, [&](std::uint64_t count) {
      const std::uint64_t expanded = std::min(known, count);
      known -= expanded;
      return enter_again(static_cast<std::uint32_t>(count), static_cast<std::uint32_t>(expanded));
    });
    if constexpr (is_changing) set_.complete_adding();
    if (!is_read) observer_.end(Reason::disk);
  }

  /// Where another search was; its observer and levels are restored.
  void begin_in_level(std::uint64_t expanded, std::uint64_t level_left) {
    expanded_ = expanded;
    level_left_ = level_left;
    at_limit_ = observer_.at_depth_limit(levels_.current());
    complete_round(part_, 1, observer_, levels_);  // so that the part knows what the whole has found
  }

  /// Goes on from where a search with narrower fields has ended. If that fails, the handover is lost.
  void take_over() {
    if (!handover_->restore()) return observer_.end(Reason::disk);
    begin_in_level(handover_->numbers().expanded, handover_->numbers().level_left);
    rest_of_round_ = handover_->numbers().round_left;
    handover_->restore(part_[0]);
    if constexpr (is_changing) set_.begin_adding();
    bool is_read = read_handed_over(Section::states, [&](std::uint32_t count) {
      if (levels_.log() != nullptr) levels_.log()->append(block_.states(), count);
      return enter_again(count, count);
    });
    if constexpr (is_changing) set_.complete_adding();
    is_read = is_read && observer_.running() && read_handed_over(Section::frontier, [&](std::uint32_t count) {
                if (!append(block_.states(), count)) observer_.end(Reason::memory);
                return observer_.running();
              });
    if (!is_read) observer_.end(Reason::disk);
    if (observer_.running()) handover_->complete();
  }
  template <class Use>
  bool read_handed_over(Section kind, Use use) {
    return handover_->read(kind, block_.states(), SuccessorBlock::enough,
                           [&](std::uint64_t count) { return use(static_cast<std::uint32_t>(count)); });
  }

  /// Leaves everything to a search with wider fields, if that is possible. The queue is empty afterwards.
  void hand_over() {
    if (has_lost_states_) return;
    const std::uint64_t states = observer_.counts.states + part_[0].observer.counts.states;
    std::uint64_t bytes = (states + queue_.size()) * expansion_.words() * sizeof(Word);
    if constexpr (is_changing) bytes += set_.space() != nullptr ? set_.space()->held() : 0;
    if (!handover_->is_worth_it(states, bytes)) return;
    leave_shared();
    absorb_fired();
    if constexpr (is_shareable) shared_.reset();
    if constexpr (is_changing) delayed_.reset();
    HandedOver numbers;
    numbers.expanded = expanded_;
    numbers.level_left = level_left_;
    numbers.round_left = rest_of_round_;
    numbers.states = states;
    numbers.frontier = queue_.size();
    try {
      handover_->leave(
          numbers, part_[0], [&](const Handover::Write& write) { return list_visited(states, write); },
          [&](const Handover::Write& write) { return list_frontier(write); });
    } catch (const std::bad_alloc&) {  // then nothing is left, and the search starts again
    } catch (const DiskFailure&) {
    }
  }

  bool list_visited(std::uint64_t states, const Handover::Write& write) {
    if (levels_.log() != nullptr) return list_log(states, write);
    if constexpr (requires { set_.for_each_row([](const Word*) {}); })
      return set_.row_words() == expansion_.words() && set_.for_each_row([&](const Word* state) { write(state, 1); });
    return false;
  }

  bool list_log(std::uint64_t states, const Handover::Write& write) {
    LevelLog& log = *levels_.log();
    log.flush();
    for (std::uint64_t first = 0, count = 0; first != states; first += count) {
      const std::uint64_t wanted = std::min<std::uint64_t>(states - first, SuccessorBlock::enough);
      count = log.read(first, wanted, block_.states());
      if (count == 0) return false;
      write(block_.states(), count);
    }
    return true;
  }

  bool list_frontier(const Handover::Write& write) {
    while (queue_.size() != 0) {
      const std::uint64_t count = std::min(queue_.size(), queue_.contiguous(0));
      write(queue_.front(), count);
      queue_.pop(count);
    }
    return true;
  }

  /// Inserts states of the log, all of which are fresh; all but the first `expanded` are still to be expanded.
  bool enter_again(std::uint32_t count, std::uint32_t expanded) {
    set_.insert(block_.states(), count, block_.results());
    if (std::count(block_.results(), block_.results() + count, Insertion::fresh) != count ||
        !append(block_.states() + std::size_t{expanded} * expansion_.words(), count - expanded))
      observer_.end(Reason::memory);
    complete_set();
    observer_.pulse(levels_.current(), queue_.size(), budget_.held());
    return observer_.running();
  }

  void run_round() {
    if (rest_of_round_ != 0) return count_expanded(expand_directly(std::exchange(rest_of_round_, 0)));
    if constexpr (is_changing)
      if (set_.is_on_disk()) return run_delayed();
    const std::uint64_t per_state = successors_per_state(0, 0), sources = sources_of_round(level_left_, per_state);
    count_expanded(share(sources, sources * per_state) ? sources : expand_directly(sources));
  }

  void count_expanded(std::uint64_t sources) {
    complete_set();
    level_left_ -= sources;
    expanded_ += sources;
  }

  /// On average so far, with so many states expanded and events fired that are not counted yet.
  std::uint64_t successors_per_state(std::uint64_t more_expanded, std::uint64_t more_fired) const {
    const std::uint64_t fired = std::max<std::uint64_t>(observer_.counts.transitions + more_fired, 1);
    const std::uint64_t expanded = std::max<std::uint64_t>(expanded_ + more_expanded, 1);
    return std::max<std::uint64_t>((fired + expanded / 2) / expanded, 1);
  }
  /// More if a state takes but a few bytes.
  static constexpr std::uint64_t states_per_successor() {
    if constexpr (requires { Set::is_compressed; })
      return 64;
    else
      return 16;
  }
  std::uint64_t sources_of_round(std::uint64_t left, std::uint64_t per_state) const {
    const std::uint64_t wanted = successors_of_round(observer_.counts.states, budget_.limit(), sharing_.worth,
                                                     expander_.machine().words, states_per_successor());
    return std::min(left, std::max<std::uint64_t>(wanted / per_state, 1));
  }

  /// Several rounds at once.
  void run_delayed()
    requires is_changing
  {
    leave_shared();
    if (!delayed_) {
      if (shared_) shared_->absorb_fired();
      shared_.reset();
      delayed_.emplace(set_.disk(), expander_.machine(), sharing_, queue_, levels_, observer_, budget_);
    }
    const auto next_round = [&](std::uint64_t left, std::uint64_t expanded, std::uint64_t fired) {
      return sources_of_round(left, successors_per_state(expanded, fired));
    };
    delayed_->run(level_left_, at_limit_, next_round, [&](std::uint64_t sources) {
      level_left_ -= sources;
      expanded_ += sources;
    });
  }

  /// Writes the frontier to disk, if that frees enough memory to be worth it.
  bool spill_queue()
    requires is_changing
  {
    const bool is_worth_it = set_.is_on_disk() || queue_.bytes() >= budget_.limit() / 16;
    if (set_.space() == nullptr || queue_.is_spilled() || !is_worth_it) return false;
    leave_shared();  // the log takes the states of the last round from the queue
    queue_.spill(spilled_.emplace(*set_.space()));
    return true;
  }

  void complete_set() {
    if constexpr (requires { set_.complete_round(); }) set_.complete_round();
    if constexpr (is_changing)
      if (set_.has_failed()) {
        has_lost_states_ = true;
        observer_.end(Reason::memory);
      }
  }

  /// Returns how many states were expanded: all, unless a value does not fit. Then the search ends within the round.
  std::uint64_t expand_directly(std::uint64_t sources) {
    round_left_ = sources;
    misfit_.reset();
    while (round_left_ != 0 && !misfit_ && observer_.running() && part_[0].observer.may_go_on()) {
      expand_some();   // L3
      insert_block();  // L4
    }
    if (misfit_) {
      observer_.misfit(misfit_->state.data(), misfit_->event);
      rest_of_round_ = round_left_;
      return sources - rest_of_round_;
    }
    complete_round(part_, 1, observer_, levels_);
    return sources;
  }

  void expand_some() {
    block_.count = 0;
    for (std::uint32_t left = expansions_per_block; left != 0 && round_left_ != 0 && !block_.has_enough(); --left) {
      expansion_.expand(queue_.front(), at_limit_);
      const bool goes_on = part_[0].observer.running();
      if (!goes_on && (misfit_ = part_[0].observer.take_misfit())) break;  // the state counts as not expanded
      queue_.pop();
      --round_left_;
      listener_.expanded(block_.count);
      if (!goes_on) break;
    }
    if (last_) omit_repeated();
  }

  void omit_repeated() {
    const std::uint32_t kept = last_->omit_repeated(block_.states(), 0, block_.count);
    part_[0].observer.counts.matched += block_.count - kept;
    block_.count = kept;
  }

  /// Lets all threads work on a round of about so many successors, if they can and it is worth it.
  bool share(std::uint64_t sources, std::uint64_t successors) {
    if constexpr (is_shareable) {
      if (!is_worth_sharing(successors)) return leave_shared(), false;
      set_.review_if_due();
      if (!set_.can_share()) return leave_shared(), false;
      if (!shared_) shared_.emplace(set_, expander_.machine(), sharing_, queue_, levels_, observer_, budget_);
      return shared_->run(sources, successors, at_limit_);
    }
    return false;
  }

  /// A search that has little memory left goes on by one thread.
  bool is_worth_sharing(std::uint64_t successors) const
    requires is_shareable
  {
    if (sharing_.threads == 1 || successors < sharing_.worth || queue_.is_spilled()) return false;
    if (observer_.counts.states < 4 * sharing_.worth) return false;
    const std::uint64_t words = expander_.machine().words + set_.code_words() + 2;  // and half as much again to grow
    const std::uint64_t needed = successors * words * sizeof(Word) / 2 * 3;
    return needed <= budget_.left() + (shared_ ? shared_->bytes() : 0);
  }

  void leave_shared() {
    if constexpr (is_shareable)
      if (shared_) shared_->complete_log();
  }

  void absorb_fired() {
    observer_.absorb_fired(part_[0].observer);
    if constexpr (is_shareable)
      if (shared_) shared_->absorb_fired();
    if constexpr (is_changing)
      if (delayed_) delayed_->absorb_fired();
  }

  void insert_block() {
    visit_block();
    listener_.settled(block_);
    std::uint32_t fresh = 0;
    std::uint32_t known = 0;
    for (std::uint32_t i = 0; i < block_.count; ++i) {  // branch-free: which states are fresh is unpredictable
      const Insertion result = block_.results()[i];
      expansion_.move(i, fresh);
      fresh += result == Insertion::fresh;
      known += result == Insertion::known;
    }
    Observer& observer = part_[0].observer;
    observer.counts.states += fresh;
    observer.counts.matched += known;
    levels_.append(block_.states(), fresh);
    if (observer.watching()) {
      observer.attach(part_[0].entered);
      for (std::uint32_t i = 0; i < fresh; ++i) observer.entered(expansion_.successor(i));
      observer.attach(part_[0].expanded);
    }
    if (fresh + known == block_.count && append(block_.states(), fresh)) return;
    has_lost_states_ = true;
    observer.end(Reason::memory);
  }

  /// A set that can change its representation makes room for the queue, too.
  bool append(const Word* states, std::uint64_t count) {
    const std::uint64_t end = queue_.size() + count;
    while (!queue_.append(states + (count - (end - queue_.size())) * expansion_.words(), end - queue_.size())) {
      if constexpr (is_changing)
        if (set_.change()) continue;
      return false;
    }
    return true;
  }

  void visit_block() {
    if constexpr (is_annotated<Set>) {
      keys_.resize(block_.count);
      const auto meet = [&](std::uint32_t place, const auto& entry) {
        block_.results()[place] = entry.insertion;
        listener_.met(entry);
        return true;
      };
      visit_all(set_, block_.states(), block_.count, expansion_.words(), keys_.data(), meet);
    } else {
      set_.insert(block_.states(), block_.count, block_.results());
    }
  }

  Expander& expander_;
  Set& set_;
  Levels& levels_;
  Observer& observer_;
  Budget& budget_;
  Listener& listener_;
  StateQueue queue_;
  SuccessorBlock block_;
  std::array<RoundPart, 1> part_;
  const std::unique_ptr<RankedChoice> choice_;
  BlockExpansion<fixed_words> expansion_;
  std::uint64_t level_left_ = 0, round_left_ = 0;  // states still to be expanded
  std::uint64_t rest_of_round_ = 0;                // of a round that another search began, or that ends this one
  std::uint64_t expanded_ = 0;                     // states so far
  std::optional<Misfit> misfit_;                   // that ended the round
  bool at_limit_ = false;
  bool has_lost_states_ = false;  // for want of room
  RegionVector<Word> keys_;       // of the successors, if the set is annotated
  std::optional<LastSuccessors<fixed_words>> last_;
  const Sharing sharing_;
  BreadthFirstCheckpoint* const checkpoint_;
  Handover* const handover_;
  typename SharedBy<Set, fixed_words>::Rounds shared_;
  std::optional<SpillFile> spilled_;  // states of the queue
  typename DelayedBy<Set, fixed_words>::Rounds delayed_;
};

}  // namespace scrimp
