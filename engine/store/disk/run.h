// A sorted run: codes of states on disk, in the order of their keys.
//
//     key    [ shard | bucket | rest ]
//
//     file   | buckets of shard 0 | ... | buckets of shard 255 |      store/disk/bucket.h has the form of a bucket
//
// Codes by parts are written with the bits that mattered at the time; the others are derived from these (parts_code.h).
// How many bits choose the bucket depends on the number of codes, so that a bucket has some hundred. Keys are spread
// evenly, so that where a bucket lies is all that must be kept in memory: four bytes for each.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/region_vector.h"
#include "store/disk/bucket.h"
#include "store/disk/spill.h"
#include "store/disk/state_codes.h"

namespace scrimp {

/// A candidate for a fresh state: where its code is, and whether it was found to be known.
struct Candidate {
  Word key;
  std::uint32_t place;
  bool is_known;
};

class Run {
 public:
  using Counts = std::array<std::uint64_t, shard_count>;

  /// For so many codes of each shard. Throws std::bad_alloc or DiskFailure.
  Run(DiskSpace& space, Budget& budget, const StateCodes& codes, const Counts& counts);

  std::uint64_t size() const { return size_; }
  std::uint64_t count(std::uint32_t shard) const { return counts_[shard]; }
  std::uint64_t index_bytes() const { return offsets_.bytes(); }

  /// Writes the codes of a shard: `add` in order, then `finish`. One thread for each shard.
  class Writer {
   public:
    Writer(Run& run, std::uint32_t shard) : run_(run), shard_(shard) {}
    void add(const Word* code) {
      const std::uint64_t bucket = run_.bucket_of(*code);
      if (bucket != bucket_) end_bucket(bucket);
      pending_.insert(pending_.end(), code, code + run_.code_words_);
    }
    void finish();

   private:
    static constexpr std::size_t enough_words = std::size_t{1} << 13;
    void end_bucket(std::uint64_t next);
    void flush();

    Run& run_;
    const std::uint32_t shard_;
    std::uint64_t bucket_ = 0;
    std::uint64_t written_ = 0;  // words, with those in the buffer
    std::vector<Word> pending_;  // codes of the bucket
    std::vector<Word> buffer_;
  };

  /// Reads the codes of a shard in order: one of some readers that share the memory for it.
  class Reader {
   public:
    Reader(const Run& run, std::uint32_t shard, std::size_t readers = 1)
        : run_(run), shard_(shard), window_words_(Run::window_words / readers), end_(run.buckets()) {
      fill();
    }
    /// Of the buckets of a shard, only one of so many equal slices.
    struct Slice {
      std::uint64_t number, of;
    };
    Reader(const Run& run, std::uint32_t shard, Slice slice)
        : run_(run),
          shard_(shard),
          window_words_(Run::window_words),
          bucket_(run.buckets() * slice.number / slice.of),
          end_(run.buckets() * (slice.number + 1) / slice.of) {
      fill();
    }
    /// The next code, or null. It stays valid until `next`.
    const Word* front() const { return at_ < codes_.size() ? codes_.data() + at_ : nullptr; }
    void next() {
      at_ += run_.code_words_;
      if (at_ == codes_.size()) fill();
    }

   private:
    void fill();

    const Run& run_;
    const std::uint32_t shard_;
    const std::size_t window_words_;
    std::uint64_t bucket_ = 0;
    const std::uint64_t end_;
    std::vector<Word> window_, codes_;
    std::size_t at_ = 0;
  };

  /// Marks those of the sorted candidates of a shard that the run contains. Candidates that are known already are
  /// skipped. Reads only what may contain some; parts near each other are read together.
  void look_up(std::uint32_t shard, Candidate* candidates, std::uint32_t count, const Word* codes,
               std::vector<Word>& window) const;

  /// Frees the room of a shard on disk: it will not be read again.
  void release(std::uint32_t shard) { file_.release(begin_[shard], std::uint64_t{used(shard)} * sizeof(Word)); }

 private:
  static constexpr std::uint64_t usual_bucket = 512;  // words
  static constexpr std::size_t window_words = std::size_t{1} << 13;
  /// Reading so many words more takes less time than another call.
  static constexpr std::uint32_t gap_words = 512;

  std::uint64_t bucket_of(Word key) const { return bucket_bits_ == 0 ? 0 : key << shard_bits >> (64 - bucket_bits_); }
  Word common_bits(std::uint32_t shard, std::uint64_t bucket) const {
    const Word upper = Word{shard} << (64 - shard_bits);
    return bucket_bits_ == 0 ? upper : upper | bucket << (64 - shard_bits - bucket_bits_);
  }
  std::uint64_t buckets() const { return std::uint64_t{1} << bucket_bits_; }
  std::uint32_t* offsets(std::uint32_t shard) const { return offsets_.data() + shard * (buckets() + 1); }
  std::uint32_t used(std::uint32_t shard) const { return offsets(shard)[buckets()]; }
  Bucket bucket_at(const Word* words) const { return {words, shard_bits + bucket_bits_, rest_bits_, code_words_}; }
  void read(std::uint32_t shard, std::uint32_t from, std::uint32_t to, std::vector<Word>& window) const;
  /// A candidate that is known, or has numbers that did not occur yet when the run was written.
  bool is_settled(const Candidate& candidate) const {
    return candidate.is_known || (base_bits_ != 0 && !PartsCode::is_within(candidate.key, base_bits_, bits_));
  }

  std::size_t code_words_;
  unsigned base_bits_, bits_;  // of the codes; see StateCodes
  Counts counts_;
  std::uint64_t size_;
  unsigned bucket_bits_, rest_bits_;
  std::array<std::uint64_t, shard_count> begin_;  // of the shards in the file
  RegionVector<std::uint32_t> offsets_;           // of the buckets of a shard from its beginning, in words
  SpillFile file_;
};

}  // namespace scrimp
