// Visited states on disk, with delayed duplicate detection (Stern & Dill 1998; Korf 2004; Evangelista, Westergaard &
// Kristensen 2009 collect candidates likewise, to reconstruct states in one pass).
//
//     successor ──▶ recent states ──▶ young states ──▶ sorted runs on disk
//                   lossy             sorted, since     each about three times as large as the next
//                                     the last run
//
// A successor that is not among the recent states is a candidate. Candidates are collected, and settled together, shard
// by shard:
//
//   1. Sort them. Of equal ones, all but the first are known.
//   2. Look them up among the young states, and in the runs: since they are sorted, that is one pass over those parts
//      of the runs that may contain some.
//   3. The others are fresh. Add them to the young states, and all candidates to the recent ones.
//   4. When the young states have filled their memory, write them as a new run. Merge runs of similar size.
//
// The more candidates there are, the less each of them costs.
//
// If states are coded by parts, their tables may run out of room. Then all runs are rewritten in other codes, or the
// tables get more room.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "core/machine.h"
#include "core/region_vector.h"
#include "store/disk/recent_states.h"
#include "store/disk/run.h"
#include "store/disk/spill.h"
#include "store/disk/state_codes.h"
#include "store/state_set.h"

namespace scrimp {

class DiskSet {
 public:
  /// Calls a function for every item below a number, possibly by several threads.
  using Share = std::function<void(std::uint32_t items, const std::function<void(unsigned worker, std::uint32_t)>&)>;

  DiskSet(Budget& budget, DiskSpace& space, StateCodes codes);

  StateCodes& codes() { return codes_; }
  RecentStates& recent() { return recent_; }

  /// Adds states that it does not have yet, before anything else: `buffer` is filled with their codes, and each time it
  /// is full, they become a run.
  class Loader {
   public:
    Loader(DiskSet& set, Region buffer);
    void add(const Word* state);
    /// The same by code: `code` writes it to the place that it is given.
    template <class Code>
    void add_code(Code code) {
      if (count_ == room_) write();
      code(buffer_.as<Word>() + count_++ * set_.codes_.words());
    }
    /// Once all states that a tree knew are added, and before any other is coded.
    void complete_coded();
    /// Returns the buffer.
    Region finish();

   private:
    void change_codes();
    void set_room();
    void keep_margin();
    void write();

    DiskSet& set_;
    Region buffer_;
    Region margin_;                   // for a run, if tables of parts have taken everything else
    std::uint64_t room_, count_ = 0;  // codes; if they have several words, their order comes after them
  };

  /// Before states are loaded: their parts may take a third of what is left.
  void begin_loading() { limit_numbers(); }

  /// Divides the budget's memory among the parts, once the states are loaded. `most_numbers` is for tests: a limit on
  /// the numbers of parts; 0 means that memory limits them.
  void open(std::uint64_t most_numbers = 0);
  /// How many bytes candidates may take.
  std::uint64_t candidate_bytes() const { return candidate_bytes_; }

  /// What a thread needs.
  struct Scratch {
    explicit Scratch(Budget& budget) : candidates(budget), places(budget), fresh(budget) {}
    RegionVector<Candidate> candidates;
    RegionVector<std::uint32_t> places;
    RegionVector<Word> fresh;
    std::vector<Word> window;
  };

  /// Says which of the codes of a shard are fresh, and adds them. One thread for each shard. Throws std::bad_alloc,
  /// with nothing added, or DiskFailure.
  void settle(std::uint32_t shard, const Word* codes, std::uint32_t count, Insertion* results, Scratch& scratch);

  /// Before candidates are settled: frees what it can do without until there is room for so many more words of young
  /// states, and for what settling needs besides.
  void make_room(std::uint64_t words);
  /// Frees what it can do without. Returns false if there is nothing. Not while candidates are settled.
  bool spare();

  /// Writes young states if they have filled their memory. Between two settlements.
  void complete_pass(const Share& share);

  /// Changes the codes, because some state has none. Between two passes; forgets recent states. Throws std::bad_alloc
  /// or DiskFailure.
  void recode();

  /// A few states at once.
  void insert(const Word* states, std::uint32_t count, Insertion* results);

  /// Calls `use(state)` for every state, between two passes. Keys of whole states are hashes that other sets have as
  /// well, so every beginning of the list is spread evenly: see store/scattered.h.
  template <class Use>
  void for_each_state(Use use) const {
    std::vector<Word> state(codes_.state_words());
    const auto use_code = [&](const Word* code) {
      codes_.state(code, state.data());
      use(static_cast<const Word*>(state.data()));
    };
    constexpr std::uint64_t slices = 64;
    for (std::uint64_t slice = 0; slice < slices; ++slice)
      for (std::uint32_t shard = 0; shard < shard_count; ++shard) {
        for (const auto& run : runs_)
          for (Run::Reader reader(*run, shard, {slice, slices}); reader.front() != nullptr; reader.next())
            use_code(reader.front());
        const std::uint64_t young = young_[shard].size() / codes_.words();
        for (std::uint64_t i = young * slice / slices; i != young * (slice + 1) / slices; ++i)
          use_code(young_[shard].begin() + i * codes_.words());
      }
  }

  std::uint64_t size() const;
  std::uint64_t bytes() const;
  std::uint64_t passes() const { return passes_; }
  std::uint64_t runs() const { return runs_.size(); }
  std::uint64_t merged() const { return merged_; }
  std::uint64_t recodings() const { return recodings_; }
  /// The bits of a code, before neighbours in a run share some.
  std::uint64_t code_bits() const { return codes_.bits() + 64 * (codes_.words() - 1); }

 private:
  static constexpr std::uint64_t ratio = 3;  // of the sizes of runs that follow each other
  static constexpr std::size_t most_runs = 8;
  static constexpr std::uint64_t least_young = (shard_count + 64) * small_page;

  static void sort(const Word* codes, std::size_t code_words, std::uint32_t count, Scratch& scratch);
  void look_up_young(std::uint32_t shard, const Word* codes, Scratch& scratch) const;
  void add_young(std::uint32_t shard, const RegionVector<Word>& fresh);
  std::uint64_t young_bytes() const;
  std::uint64_t room_for_numbers() const;
  void limit_numbers();
  std::uint64_t most_numbers() const;
  bool may_number_more() const;
  void settle_some(const Word* codes, std::uint32_t count, Insertion* results);
  Region rewrite(Region buffer);
  Region convert(Region buffer);
  void write_young(const Share& share);
  void merge_similar(const Share& share);
  void merge(std::size_t first, const Share& share);

  Budget& budget_;
  DiskSpace& space_;
  StateCodes codes_;
  RecentStates recent_;
  std::vector<RegionVector<Word>> young_;  // by shard, sorted
  std::uint64_t most_young_ = 0;           // bytes
  std::uint64_t recent_bytes_ = 0;         // that recent states may take
  std::uint64_t candidate_bytes_ = 0;
  std::uint64_t most_numbers_ = 0;
  std::vector<std::unique_ptr<Run>> runs_;
  std::uint64_t passes_ = 0, merged_ = 0, recodings_ = 0;
  Scratch scratch_;
};

/// Everything by the calling thread.
inline void share_with_nobody(std::uint32_t items, const std::function<void(unsigned, std::uint32_t)>& work) {
  for (std::uint32_t item = 0; item < items; ++item) work(0, item);
}

}  // namespace scrimp
