#include "store/disk/run.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace scrimp {

namespace {

unsigned bits_for_buckets(std::uint64_t words, unsigned key_bits, std::uint64_t usual_bucket) {
  const auto wanted = static_cast<unsigned>(std::bit_width(words / shard_count / usual_bucket));
  return key_bits <= shard_bits ? 0 : std::min(wanted, key_bits - shard_bits);
}

}  // namespace

Run::Run(DiskSpace& space, Budget& budget, const StateCodes& codes, const Counts& counts)
    : code_words_(codes.words()),
      base_bits_(codes.base_bits()),
      bits_(codes.bits()),
      counts_(counts),
      size_(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0})),
      bucket_bits_(bits_for_buckets(size_ * code_words_, bits_, usual_bucket)),
      rest_bits_(std::max(bits_, shard_bits + bucket_bits_) - shard_bits - bucket_bits_),
      offsets_(budget),
      file_(space) {
  offsets_.resize(shard_count * (buckets() + 1));
  std::uint64_t place = 0;
  for (std::uint32_t shard = 0; shard < shard_count; ++shard) {  // at least the room that the shard can need
    begin_[shard] = place;
    const std::uint64_t bits = counts[shard] * (rest_bits_ + 3 + 64 * (code_words_ - 1)) + buckets() * 4 * 64;
    place += round_up(bits / 8 + sizeof(Word), small_page);
  }
}

void Run::Writer::end_bucket(std::uint64_t next) {
  if (!pending_.empty())
    encode_bucket(pending_.data(), pending_.size() / run_.code_words_, run_.code_words_, shard_bits + run_.bucket_bits_,
                  run_.rest_bits_, buffer_);
  const std::uint64_t end = written_ + buffer_.size();
  pending_.clear();
  while (bucket_ != next) run_.offsets(shard_)[++bucket_] = static_cast<std::uint32_t>(end);
  if (buffer_.size() >= enough_words) flush();
}

void Run::Writer::flush() {
  const std::uint64_t place = run_.begin_[shard_] + written_ * sizeof(Word);
  run_.file_.write(place, buffer_.data(), buffer_.size() * sizeof(Word));
  written_ += buffer_.size();
  buffer_.clear();
}

void Run::Writer::finish() {
  run_.offsets(shard_)[0] = 0;
  end_bucket(run_.buckets());
  flush();
}

void Run::read(std::uint32_t shard, std::uint32_t from, std::uint32_t to, std::vector<Word>& window) const {
  if (window.size() < to - from) window.resize(to - from);
  file_.read(begin_[shard] + std::uint64_t{from} * sizeof(Word), window.data(), (to - from) * sizeof(Word));
}

void Run::Reader::fill() {
  codes_.clear();
  at_ = 0;
  const std::uint32_t* const offsets = run_.offsets(shard_);
  while (codes_.empty() && bucket_ != end_) {
    const std::uint32_t from = offsets[bucket_];
    std::uint64_t end = bucket_ + 1;
    while (end != end_ && offsets[end + 1] - from <= window_words_) ++end;
    if (offsets[end] != from) run_.read(shard_, from, offsets[end], window_);
    for (; bucket_ != end; ++bucket_)
      if (offsets[bucket_ + 1] != offsets[bucket_])
        run_.bucket_at(window_.data() + (offsets[bucket_] - from)).decode(run_.common_bits(shard_, bucket_), codes_);
    if (run_.base_bits_ == 0) continue;
    for (Word& code : codes_) code = PartsCode::extended(code, run_.base_bits_, run_.bits_);
  }
}

void Run::look_up(std::uint32_t shard, Candidate* candidates, std::uint32_t count, const Word* codes,
                  std::vector<Word>& window) const {
  const std::uint32_t* const offsets = this->offsets(shard);
  for (std::uint32_t i = 0; i < count;) {
    if (is_settled(candidates[i])) {
      ++i;
      continue;
    }
    std::uint64_t bucket = bucket_of(candidates[i].key);
    const std::uint32_t from = offsets[bucket];
    std::uint32_t to = offsets[bucket + 1], end = i + 1;
    for (; end < count; ++end) {
      if (is_settled(candidates[end])) continue;
      const std::uint64_t next = bucket_of(candidates[end].key);
      if (offsets[next] > to + gap_words || offsets[next + 1] - from > std::max<std::size_t>(window_words, to - from))
        break;
      to = std::max(to, offsets[next + 1]);
    }
    if (from != to) read(shard, from, to, window);
    while (i < end) {
      bucket = bucket_of(candidates[i].key);
      const bool is_empty = offsets[bucket] == offsets[bucket + 1];
      if (is_empty || is_settled(candidates[i])) {
        ++i;
        continue;
      }
      Bucket here = bucket_at(window.data() + (offsets[bucket] - from));
      for (; i < end && bucket_of(candidates[i].key) == bucket; ++i)
        if (!is_settled(candidates[i]))
          candidates[i].is_known = here.contains(codes + candidates[i].place * code_words_);
    }
  }
}

}  // namespace scrimp
