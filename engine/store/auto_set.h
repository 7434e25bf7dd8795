// A set of states that changes its representation when memory runs out, and keeps every state through all changes.
//
//     plain     words in one table (store/plain_set.h)
//     cleary    what a quotient table needs of them, packed or by a tree, whichever is smaller (store/cleary_set.h)
//     disk      sorted runs (store/disk/disk_set.h)
//
// Plain words are drained into the quotient table, and their memory is freed on the way. If the quotient table has a
// tree, its tables are turned into smaller ones that can be read backwards, one by one. Then the states are read one by
// one into a buffer, and written from there. What these steps need before they free anything is reserved. A state that
// does not fit causes the change, and is inserted afterwards.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "observe/report.h"
#include "store/cleary_set.h"
#include "store/disk/disk_set.h"
#include "store/plain_set.h"
#include "store/shards.h"

namespace scrimp {

/// What a set that changes needs, and what became of it.
struct AutoPlan {
  DiskSpace* disk = nullptr;       // null: there is none
  std::uint64_t change_after = 0;  // for tests: states after which each change is due; 0: when memory runs out
  std::uint64_t cleary_at = 0, disk_at = 0, frontier_at = 0;  // how many states there were; 0: it did not happen

  void report_to(Report& report) const {
    report.set("auto.cleary_at", cleary_at);
    report.set("auto.frontier_at", frontier_at);
    report.set("auto.disk_at", disk_at);
    if (disk == nullptr) return;
    report.set("disk.limit", disk->limit());
    report.set("disk.bytes_peak", disk->peak());
    report.set("disk.bytes_written", disk->written());
    report.set("disk.bytes_read", disk->read());
    report.set("disk.exhausted", std::uint64_t{disk->has_failed()});
  }
};

/// `Words` is as in PlainSet.
template <std::uint32_t Words>
class AutoSet {
  using Plain = PlainSet<Words>;
  using Cleary = ClearySet<Words>;

 public:
  static constexpr std::size_t annotations = 0;
  static constexpr bool keys_are_hashes = false;
  using Entry = Visited;

  AutoSet(const Machine& machine, AutoPlan* plan, Budget& budget)
      : machine_(machine), plan_(*plan), budget_(budget), reserve_(budget) {
    plain_.emplace(machine, budget);
  }

  /// Frees other memory that can be spared; returns false if there is none. Called before states go to disk.
  std::function<bool()> spare;

  bool is_on_disk() const { return disk_.has_value(); }
  DiskSet& disk() { return *disk_; }
  DiskSpace* space() const { return plan_.disk; }

  /// From now on, until `complete_adding`, all states that are inserted are new: those that go to disk are sorted
  /// there, and not looked up.
  void begin_adding() { is_adding_ = true; }
  /// Throws std::bad_alloc or DiskFailure.
  void complete_adding() {
    is_adding_ = false;
    if (loader_) finish();
  }

  Insertion insert(const Word* state) {
    Insertion result;
    insert(state, 1, &result);
    return result;
  }
  void insert(const Word* states, std::uint32_t count, Insertion* results) {
    if (plain_) [[likely]]
      plain_->insert(states, count, results);
    else if (cleary_)
      cleary_->insert(states, count, results);
    else
      return insert_on_disk(states, count, results);
    settle_rest(states, count, results);
  }
  void prepare(const Word*, std::uint32_t count, Word* keys) { std::fill(keys, keys + count, 0); }
  Visited visit(const Word* state, Word) { return {insert(state)}; }

  /// Makes room by the next change. Returns false if there is none left, or if it failed: then states are lost.
  bool change() {
    if (plain_) return leave_plain();
    if (cleary_ && spare && spare()) {
      plan_.frontier_at = size();
      return true;
    }
    return cleary_ && plan_.disk != nullptr && leave_cleary();
  }

  /// Between rounds: the change that tests ask for, and the memory that the next change will need.
  void complete_round() {
    const std::uint64_t after = plan_.change_after;
    const bool is_filling = plain_ && reserve_.bytes() == 0 && budget_.left() < budget_.limit() / 4 * 3;
    if (is_filling && !keep_reserve()) failed_ = !change();
    if (after != 0 && plain_ && size() >= after) failed_ = !change();
    if (after != 0 && cleary_ && plan_.disk != nullptr && size() >= 2 * after) failed_ = !leave_cleary();
    if (cleary_ && plan_.disk != nullptr && !keep_reserve()) failed_ = !leave_cleary();
  }
  /// Whether a change between rounds has failed.
  bool has_failed() const { return failed_; }

  std::size_t row_words() const { return words(); }
  /// Every state, between rounds. Returns false if there is no room to read them.
  template <class Use>
  bool for_each_row(Use use) const {
    if (plain_) return plain_->for_each_row(use);
    if (cleary_) return cleary_->for_each_row(use);
    disk_->for_each_state(use);
    return true;
  }

  std::uint64_t size() const { return plain_ ? plain_->size() : cleary_ ? cleary_->size() : disk_->size(); }
  std::uint64_t bytes() const { return plain_ ? plain_->bytes() : cleary_ ? cleary_->bytes() : disk_->bytes(); }
  std::uint64_t state_bytes() const {
    return plain_ ? plain_->state_bytes() : cleary_ ? cleary_->state_bytes() : disk_->bytes();
  }

  /// While the search runs.
  void describe(Report& report) const {
    plan_.report_to(report);
    if (plan_.disk != nullptr) report.set("disk.bytes", plan_.disk->held());
  }

  struct Scratch {
    typename Plain::Scratch plain;
    typename Cleary::Scratch cleary;
  };
  struct Section {
    typename Plain::Section plain;
    typename Cleary::Section cleary;
  };
  bool can_share() const { return plain_ ? plain_->can_share() : cleary_ && cleary_->can_share(); }
  void review_if_due() {
    if (cleary_) cleary_->review_if_due();
  }
  std::size_t code_words() const { return plain_ ? plain_->code_words() : cleary_->code_words(); }
  bool codes_at_once() const { return plain_ ? plain_->codes_at_once() : cleary_->codes_at_once(); }
  bool codes_cheaply() const { return plain_ ? plain_->codes_cheaply() : cleary_->codes_cheaply(); }
  void look_up(const Word* states, std::uint32_t count, Word* codes, Scratch& scratch) const {
    plain_ ? plain_->look_up(states, count, codes, scratch.plain)
           : cleary_->look_up(states, count, codes, scratch.cleary);
  }
  bool number(const Word* states, std::uint32_t count, Word* codes) { return cleary_->number(states, count, codes); }
  void place(Word* codes, std::uint32_t count, Shard* shards) const {
    plain_ ? plain_->place(codes, count, shards) : cleary_->place(codes, count, shards);
  }
  bool make_room(std::uint64_t codes, const Crew& crew) {
    return plain_ ? plain_->make_room(codes, crew) : cleary_->make_room(codes, crew);
  }
  Section section(std::uint32_t shard) const {
    if (plain_) return {plain_->section(shard), {}};
    return {{}, cleary_->section(shard)};
  }
  void fetch(const Section& section, Codes codes) const {
    plain_ ? plain_->fetch(section.plain, codes) : cleary_->fetch(section.cleary, codes);
  }
  void insert(const Section& section, Codes codes, Insertion* results, Codes next) {
    plain_ ? plain_->insert(section.plain, codes, results, next)
           : cleary_->insert(section.cleary, codes, results, next);
  }
  void count_inserted(std::uint64_t fresh) { plain_ ? plain_->count_inserted(fresh) : cleary_->count_inserted(fresh); }
  Insertion insert_late(const Word* code) { return plain_ ? plain_->insert_late(code) : cleary_->insert_late(code); }

 private:
  std::size_t words() const { return Words == 0 ? machine_.words : Words; }

  /// Inserts those that had no room, after as many changes as it takes.
  void settle_rest(const Word* states, std::uint32_t count, Insertion* results) {
    static_assert(sizeof(Insertion) == 1);
    if (std::memchr(results, static_cast<int>(Insertion::no_room), count) == nullptr) [[likely]]
      return;
    std::uint32_t next = 0;
    const auto is_undecided = [](Insertion result) { return result == Insertion::no_room; };
    while (true) {
      next = static_cast<std::uint32_t>(std::find_if(results + next, results + count, is_undecided) - results);
      if (next == count || !change()) return;
      for (std::uint32_t i = next; i < count; ++i)
        if (is_undecided(results[i])) results[i] = insert_once(states + i * words());
    }
  }
  Insertion insert_once(const Word* state) {
    Insertion result;
    if (disk_)
      insert_on_disk(state, 1, &result);
    else
      result = cleary_->insert(state);
    return result;
  }
  void insert_on_disk(const Word* states, std::uint32_t count, Insertion* results) {
    if (!loader_) return disk_->insert(states, count, results);
    for (std::uint32_t i = 0; i < count; ++i) loader_->add(states + i * words());
    std::fill(results, results + count, Insertion::fresh);
  }

  /// Of what the next change needs before it frees anything: so many bytes, and the words of a tree's largest table.
  bool keep_reserve(std::uint64_t bytes) {
    const Tree* const tree = cleary_ ? cleary_->tree() : nullptr;
    const std::uint64_t wanted = bytes + (tree != nullptr ? tree->largest_words() : 0);
    return reserve_.bytes() >= wanted || reserve_.resize(wanted + (cleary_ ? wanted / 4 : 0)) ||
           reserve_.resize(wanted);
  }
  bool keep_reserve() { return keep_reserve(buffer_bytes()); }

  bool leave_plain() {
    plan_.cleary_at = plain_->size();
    if (plan_.disk == nullptr || !reserve_.resize(least_reserve / 2)) reserve_.clear();
    cleary_.emplace(machine_, budget_, Growth::ample, plain_->size(), sample());
    const bool complete = drain_plain();
    plain_.reset();
    if (loader_) loaded();
    if (cleary_ && complete && plan_.disk != nullptr && !keep_reserve()) return leave_cleary();
    return complete;
  }
  /// Some of the plain states. They are as good as chosen at random, because words lie in the order of their hashes.
  std::vector<Word> sample() const {
    std::vector<Word> states;
    plain_->for_each_of_last(sample_states,
                             [&](const Word* state) { states.insert(states.end(), state, state + words()); });
    return states;
  }

  /// Moves all plain states to the quotient table or to disk: one by one until it is known that they stay packed, then
  /// all others at once, if there is room for that. Returns false if there is no room for them.
  bool drain_plain() {
    std::vector<Word> block(block_states * words());
    std::uint32_t count = 0;
    bool complete = true;
    const auto add = [&](const Word* state) {
      if (!complete) return;
      std::copy_n(state, words(), &block[count * words()]);
      if (++count == block_states) complete = compress(block.data(), std::exchange(count, 0));
    };
    const auto add_rest = [&] { return complete = complete && compress(block.data(), std::exchange(count, 0)); };
    const auto is_open = [&] { return !cleary_ || !cleary_->stays_packed(); };
    const std::uint64_t left = plain_->drain(plain_->buckets(), add, is_open);
    if (!add_rest() || left == 0) return complete;
    if constexpr (Words == 1)
      if (const std::size_t bytes = bytes_to_absorb(); bytes != 0) return absorb_plain(left, bytes);
    plain_->drain(left, add, [] { return true; });
    return add_rest();
  }
  /// The size of the quotient table if it gets the plain states at once; zero if that is not possible.
  std::size_t bytes_to_absorb() const {
    if (!cleary_) return 0;
    const std::uint64_t kept = plan_.disk != nullptr ? buffer_bytes() : 0;
    const std::uint64_t memory = budget_.left() + plain_->bytes() + cleary_->bytes();
    return memory > kept ? cleary_->bytes_to_absorb(plan_.cleary_at, memory - kept) : 0;
  }
  bool absorb_plain(std::uint64_t buckets, std::size_t bytes)
    requires(Words == 1)
  {
    auto packed = plain_->convert(buckets, [&](Word state) { return cleary_->packed(&state); });
    return cleary_->absorb(std::move(packed.words), packed.count, bytes);
  }

  /// Moves states to the quotient table; as soon as that has no room for all, other memory is spared, and then they go
  /// to disk. Returns false if there is none.
  bool compress(const Word* states, std::uint32_t count) {
    Insertion results[block_states];
    std::fill_n(results, count, Insertion::no_room);
    while (!loader_ && !insert_compressed(states, count, results) && spare && spare()) plan_.frontier_at = size();
    for (std::uint32_t i = 0; i < count; ++i) {
      if (results[i] != Insertion::no_room) continue;
      if (plan_.disk == nullptr) return false;
      if (!loader_) load();
      loader_->add(states + i * words());
    }
    return true;
  }
  /// Returns whether there was room for all.
  bool insert_compressed(const Word* states, std::uint32_t count, Insertion* results) {
    std::fill_n(results, count, Insertion::no_room);
    if (plan_.disk == nullptr || keep_reserve(least_reserve / 2)) cleary_->insert(states, count, results);
    return std::find(results, results + count, Insertion::no_room) == results + count;
  }

  bool leave_cleary() {
    load();
    loaded();
    return true;
  }

  /// Moves the states of the quotient table to disk. Throws std::bad_alloc or DiskFailure.
  void load() {
    plan_.disk_at = std::max(cleary_->size(), plan_.cleary_at);  // the rest may still be drained
    reserve_.clear();
    std::unique_ptr<CodeTree> tree;
    if (cleary_->tree() != nullptr) tree = std::make_unique<CodeTree>(machine_, *cleary_->tree(), budget_);
    const bool is_by_tree = tree != nullptr;
    const std::uint64_t most_numbers = budget_.limit() / 4 / CodeTree::bytes_per_number;
    disk_.emplace(budget_, *plan_.disk, StateCodes(machine_, std::move(tree), most_numbers));
    if (!reserve_.resize(std::min(buffer_bytes(), budget_.left() / 2))) throw std::bad_alloc();
    disk_->begin_loading();
    loader_.emplace(*disk_, std::move(reserve_));
    if (is_by_tree) {
      std::vector<Word> state(words());
      cleary_->for_each_pair([&](Tree::Pair pair) {
        loader_->add_code([&](Word* code) { disk_->codes().code(pair, state.data(), code); });
      });
    } else {
      cleary_->for_each_row([&](const Word* row) { loader_->add(row); });
    }
    cleary_.reset();
    loader_->complete_coded();
  }
  /// All states are on disk now, or in the loader's buffer.
  void loaded() {
    if (spare) spare();
    if (!is_adding_) finish();
  }
  void finish() {
    loader_->finish().clear();
    loader_.reset();
    disk_->open(8 * plan_.change_after);
  }

  std::uint64_t buffer_bytes() const {
    return std::clamp<std::uint64_t>(budget_.limit() / 16, least_reserve, most_reserve);
  }
  static constexpr std::uint32_t block_states = 256, sample_states = 1024;
  static constexpr std::uint64_t least_reserve = std::uint64_t{512} << 10, most_reserve = std::uint64_t{64} << 20;

  const Machine& machine_;
  AutoPlan& plan_;
  Budget& budget_;
  Region reserve_;
  std::optional<Plain> plain_;
  std::optional<Cleary> cleary_;
  std::optional<DiskSet> disk_;
  std::optional<DiskSet::Loader> loader_;  // while states are added without being looked up
  bool is_adding_ = false;
  bool failed_ = false;
};

static_assert(ShardableSet<AutoSet<0>>);

}  // namespace scrimp
