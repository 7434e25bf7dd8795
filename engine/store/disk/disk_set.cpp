#include "store/disk/disk_set.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace scrimp {

namespace {

bool is_less(const Word* one, const Word* other, std::size_t words) {
  return std::lexicographical_compare(one, one + words, other, other + words);
}

bool is_same(const Word* one, const Word* other, std::size_t words) { return std::equal(one, one + words, other); }

/// The first code from `at` on that is not less than `code`: usually it is near.
const Word* first_not_before(const Word* at, const Word* end, const Word* code, std::size_t words) {
  std::size_t step = 1, count = static_cast<std::size_t>(end - at) / words;
  while (step <= count && is_less(at + (step - 1) * words, code, words)) {
    at += step * words;
    count -= step;
    step *= 2;
  }
  count = std::min(count, step);
  while (count != 0) {
    const std::size_t half = count / 2;
    const bool is_before = is_less(at + half * words, code, words);
    at += is_before ? (half + 1) * words : 0;
    count = is_before ? count - half - 1 : half;
  }
  return at;
}

}  // namespace

DiskSet::DiskSet(Budget& budget, DiskSpace& space, StateCodes codes)
    : budget_(budget), space_(space), codes_(std::move(codes)), recent_(budget), scratch_(budget) {
  for (std::uint32_t i = 0; i < shard_count; ++i) young_.emplace_back(budget);
}

DiskSet::Loader::Loader(DiskSet& set, Region buffer) : set_(set), buffer_(std::move(buffer)), margin_(set.budget_) {
  set_room();
  keep_margin();
}

void DiskSet::Loader::keep_margin() {
  for (std::uint64_t bytes = set_.budget_.limit() / 64; bytes != 0 && !margin_.resize(bytes);) bytes /= 2;
}

void DiskSet::Loader::set_room() {
  const std::size_t words = set_.codes_.words();
  room_ = buffer_.bytes() / (words * sizeof(Word) + (words == 1 ? 0 : sizeof(std::uint32_t)));
  if (room_ == 0) throw std::bad_alloc();
}

void DiskSet::Loader::add(const Word* state) {
  add_code([&](Word* place) {
    while (!set_.codes_.code(state, place)) {
      --count_;  // not this one
      change_codes();
      place = buffer_.as<Word>();
      ++count_;
    }
  });
}

void DiskSet::Loader::change_codes() {
  write();
  margin_.clear();
  buffer_ = set_.rewrite(std::move(buffer_));
  set_room();
  keep_margin();
}

void DiskSet::Loader::complete_coded() {
  if (!set_.codes_.complete_loading()) change_codes();
  set_.limit_numbers();
}

void DiskSet::Loader::write() {
  if (count_ == 0) return;
  margin_.clear();
  const std::size_t words = set_.codes_.words();
  Word* const codes = buffer_.as<Word>();
  Run::Counts counts{};
  for (std::uint64_t i = 0; i < count_; ++i) ++counts[StateCodes::shard_of(codes[i * words])];
  auto* const order = reinterpret_cast<std::uint32_t*>(codes + room_ * words);
  if (words == 1) {
    std::sort(codes, codes + count_);
  } else {
    std::iota(order, order + count_, 0u);
    std::sort(order, order + count_, [&](std::uint32_t one, std::uint32_t other) {
      return is_less(codes + one * words, codes + other * words, words);
    });
  }
  auto run = std::make_unique<Run>(set_.space_, set_.budget_, set_.codes_, counts);
  std::uint64_t next = 0;
  for (std::uint32_t shard = 0; shard < shard_count; ++shard) {
    Run::Writer writer(*run, shard);
    for (std::uint64_t end = next + counts[shard]; next != end; ++next)
      writer.add(codes + (words == 1 ? next : order[next] * words));
    writer.finish();
  }
  set_.runs_.push_back(std::move(run));
  count_ = 0;
  set_.merge_similar(share_with_nobody);
  keep_margin();
}

Region DiskSet::Loader::finish() {
  write();
  margin_.clear();
  return std::move(buffer_);
}

/// Fresh states of a pass may take as much again as its candidates before they are written. A third of what is left is
/// for numbers of parts. The blocks of threads, and the part of the queue that is loaded, have their room beside that.
void DiskSet::open(std::uint64_t most_numbers) {
  constexpr std::uint64_t for_rounds = std::uint64_t{1} << 20;
  if (most_numbers != 0) most_numbers_ = most_numbers;
  std::uint64_t left = budget_.left();
  left -= std::min(left / 3, for_rounds);
  limit_numbers();
  if (codes_.is_by_parts()) left -= left / 3;
  most_young_ = std::max(left / 8, least_young);
  candidate_bytes_ = left / 5;
  recent_bytes_ = left / 5;
  recent_.open(recent_bytes_, codes_.words());
}

/// A third of what is left, until tables have half of everything.
std::uint64_t DiskSet::room_for_numbers() const {
  const std::uint64_t half = budget_.limit() / 2;
  return std::min(budget_.left() / 3, half - std::min(codes_.bytes(), half));
}

std::uint64_t DiskSet::most_numbers() const {
  return (codes_.bytes() + room_for_numbers()) / CodeTree::bytes_per_number;
}

void DiskSet::limit_numbers() { codes_.allow(most_numbers_ != 0 ? most_numbers_ : most_numbers()); }

void DiskSet::recode() {
  recent_.close();
  Region buffer(budget_);
  const std::uint64_t enough = codes_.state_words() * sizeof(Word);
  for (std::uint64_t bytes = budget_.limit() / 16; !buffer.resize(bytes); bytes /= 2)
    if (bytes < enough) throw std::bad_alloc();
  if (young_bytes() != 0) write_young(share_with_nobody);
  rewrite(std::move(buffer));
  open();
}

/// Whole states would take many times the room of codes by parts. So if no part can be split, tables get more room as
/// often as that is worth it; the memory for candidates and recent states shrinks accordingly.
bool DiskSet::may_number_more() const {
  return most_numbers_ == 0 && codes_.needs_more_numbers() && room_for_numbers() >= budget_.limit() / 64 &&
         most_numbers() > codes_.numbers() + codes_.numbers() / 64;
}

/// After this, another state can be coded, unless tables are full again at once.
Region DiskSet::rewrite(Region buffer) {
  if (may_number_more()) {
    codes_.go_on();
    limit_numbers();
    return buffer;
  }
  do buffer = convert(std::move(buffer));
  while (!codes_.complete_change());
  limit_numbers();
  return buffer;
}

/// Every run in other codes. The room of the old runs is freed shard by shard.
Region DiskSet::convert(Region buffer) {
  ++recodings_;
  const std::vector<std::unique_ptr<Run>> old = std::exchange(runs_, {});
  codes_.change();
  Loader loader(*this, std::move(buffer));
  std::vector<Word> state(codes_.state_words());
  for (const auto& run : old)
    for (std::uint32_t shard = 0; shard < shard_count; ++shard) {
      for (Run::Reader reader(*run, shard); reader.front() != nullptr; reader.next())
        loader.add_code([&](Word* code) { codes_.convert(*reader.front(), state.data(), code); });
      run->release(shard);
    }
  return loader.finish();
}

/// Distributes the candidates over about as many groups as there are, in the order of their keys, and sorts each group:
/// keys are spread evenly, so that groups are small.
void DiskSet::sort(const Word* codes, std::size_t code_words, std::uint32_t count, Scratch& scratch) {
  const auto bits = std::min(static_cast<unsigned>(std::bit_width(count)), 20u);
  const auto group_of = [&](std::uint32_t i) { return codes[i * code_words] << shard_bits >> (64 - bits); };
  RegionVector<std::uint32_t>& ends = scratch.places;
  ends.resize((std::size_t{1} << bits) + 1);
  std::fill(ends.begin(), ends.end(), 0u);
  scratch.candidates.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) ++ends[group_of(i) + 1];
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  for (std::uint32_t i = 0; i < count; ++i) scratch.candidates[ends[group_of(i)]++] = {codes[i * code_words], i, false};
  const auto is_before = [&](const Candidate& one, const Candidate& other) {
    if (one.key != other.key) return one.key < other.key;
    const Word *const a = codes + one.place * code_words, *const b = codes + other.place * code_words;
    return code_words == 1 || is_same(a, b, code_words) ? one.place < other.place : is_less(a, b, code_words);
  };
  Candidate* const first = scratch.candidates.begin();
  for (std::size_t group = 0, begin = 0; begin != count; begin = ends[group++])
    if (ends[group] - begin > 1) std::sort(first + begin, first + ends[group], is_before);
}

void DiskSet::settle(std::uint32_t shard, const Word* codes, std::uint32_t count, Insertion* results,
                     Scratch& scratch) {
  if (count == 0) return;
  const std::size_t words = codes_.words();
  sort(codes, words, count, scratch);  // L1
  Candidate* const candidates = scratch.candidates.data();
  std::fill(results, results + count, Insertion::known);
  for (std::uint32_t i = 1; i < count; ++i)
    candidates[i].is_known =
        candidates[i].key == candidates[i - 1].key &&
        is_same(codes + candidates[i].place * words, codes + candidates[i - 1].place * words, words);
  for (std::uint32_t i = 0; i < count; ++i)  // L3
    if (!candidates[i].is_known) recent_.add(codes + candidates[i].place * words);
  look_up_young(shard, codes, scratch);  // L2
  for (auto run = runs_.rbegin(); run != runs_.rend(); ++run)
    (*run)->look_up(shard, candidates, count, codes, scratch.window);
  scratch.fresh.clear();
  for (std::uint32_t i = 0; i < count; ++i) {  // L3
    if (candidates[i].is_known) continue;
    results[candidates[i].place] = Insertion::fresh;
    scratch.fresh.resize(scratch.fresh.size() + words);
    std::copy_n(codes + candidates[i].place * words, words, scratch.fresh.end() - words);
  }
  add_young(shard, scratch.fresh);
}

/// Both lists are sorted.
void DiskSet::look_up_young(std::uint32_t shard, const Word* codes, Scratch& scratch) const {
  const std::size_t words = codes_.words();
  const Word *at = young_[shard].begin(), *const end = young_[shard].end();
  if (at == end) return;
  for (Candidate& candidate : scratch.candidates) {
    if (candidate.is_known) continue;
    const Word* const code = codes + candidate.place * words;
    at = first_not_before(at, end, code, words);
    if (at == end) return;
    candidate.is_known = is_same(at, code, words);
  }
}

/// Merges sorted codes into the sorted young ones, from the end.
void DiskSet::add_young(std::uint32_t shard, const RegionVector<Word>& fresh) {
  const std::size_t words = codes_.words();
  RegionVector<Word>& young = young_[shard];
  const std::size_t before = young.size();
  young.resize(before + fresh.size());
  const Word* old = young.begin() + before;
  const Word* added = fresh.data() + fresh.size();
  Word* to = young.end();
  while (added != fresh.data()) {
    const bool takes_old = old != young.begin() && is_less(added - words, old - words, words);
    const Word*& from = takes_old ? old : added;
    from -= words;
    to -= words;
    std::copy(from, from + words, to);
  }
}

std::uint64_t DiskSet::young_bytes() const {
  std::uint64_t bytes = 0;
  for (const RegionVector<Word>& young : young_) bytes += young.bytes();
  return bytes;
}

/// Young states may take half as much again, and a page for each shard.
void DiskSet::make_room(std::uint64_t words) {
  const std::uint64_t needed = words * sizeof(Word) / 2 * 3 + shard_count * small_page;
  while (budget_.left() < needed && spare()) {
  }
}

/// Recent states last: each of them saves a look-up.
bool DiskSet::spare() {
  if (young_bytes() != 0) return write_young(share_with_nobody), true;
  if (recent_.bytes() == 0) return false;
  recent_bytes_ = recent_.bytes() / 2;
  recent_.close();
  return true;
}

void DiskSet::complete_pass(const Share& share) {
  ++passes_;
  if (recent_.bytes() == 0 && budget_.left() / 4 > recent_bytes_) recent_.open(recent_bytes_, codes_.words());
  if (young_bytes() > most_young_) write_young(share);  // L4
}

void DiskSet::write_young(const Share& share) {
  const std::size_t words = codes_.words();
  Run::Counts counts{};
  for (std::uint32_t shard = 0; shard < shard_count; ++shard) counts[shard] = young_[shard].size() / words;
  auto run = std::make_unique<Run>(space_, budget_, codes_, counts);
  share(shard_count, [&](unsigned, std::uint32_t shard) {
    Run::Writer writer(*run, shard);
    for (const Word* code = young_[shard].begin(); code != young_[shard].end(); code += words) writer.add(code);
    writer.finish();
    young_[shard].release();
  });
  runs_.push_back(std::move(run));
  merge_similar(share);
}

void DiskSet::merge_similar(const Share& share) {
  std::size_t first = runs_.size() - 1;
  std::uint64_t size = runs_[first]->size();
  while (first != 0 && (runs_[first - 1]->size() <= ratio * size || runs_.size() - first > most_runs))
    size += runs_[--first]->size();
  if (first + 1 < runs_.size()) merge(first, share);
}

/// Merges the runs from the `first` on. The room of each shard is free as soon as the shard is merged.
void DiskSet::merge(std::size_t first, const Share& share) {
  Run::Counts counts{};
  for (std::size_t i = first; i < runs_.size(); ++i)
    for (std::uint32_t shard = 0; shard < shard_count; ++shard) counts[shard] += runs_[i]->count(shard);
  auto merged = std::make_unique<Run>(space_, budget_, codes_, counts);
  share(shard_count, [&](unsigned, std::uint32_t shard) {
    Run::Writer writer(*merged, shard);
    std::vector<Run::Reader> readers;
    for (std::size_t i = first; i < runs_.size(); ++i) readers.emplace_back(*runs_[i], shard, runs_.size() - first);
    const auto is_after = [&](const Run::Reader& one, const Run::Reader& other) {
      if (one.front() == nullptr || other.front() == nullptr) return other.front() != nullptr;
      return is_less(other.front(), one.front(), codes_.words());
    };
    for (std::uint64_t left = counts[shard]; left != 0; --left) {
      Run::Reader* least = &readers.front();
      for (Run::Reader& reader : readers)
        if (is_after(*least, reader)) least = &reader;
      writer.add(least->front());
      least->next();
    }
    writer.finish();
    for (std::size_t i = first; i < runs_.size(); ++i) runs_[i]->release(shard);
  });
  merged_ += merged->size();
  runs_.resize(first);
  runs_.push_back(std::move(merged));
}

void DiskSet::insert(const Word* states, std::uint32_t count, Insertion* results) {
  constexpr std::uint32_t at_once = 512;
  std::vector<Word> codes;
  for (std::uint32_t done = 0, coded; done < count; done += coded) {
    const std::uint32_t here = std::min(count - done, at_once);
    codes.resize(here * codes_.words());
    for (coded = 0; coded < here; ++coded)
      if (!codes_.code(states + (done + coded) * codes_.state_words(), &codes[coded * codes_.words()])) break;
    settle_some(codes.data(), coded, results + done);
    if (coded < here) recode();
  }
  complete_pass(share_with_nobody);
}

void DiskSet::settle_some(const Word* codes, std::uint32_t count, Insertion* results) {
  const std::size_t words = codes_.words();
  std::vector<Word> together;
  std::vector<std::uint32_t> order(count);
  std::vector<Insertion> settled;
  const auto shard_at = [&](std::uint32_t i) { return StateCodes::shard_of(codes[order[i] * words]); };
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t one, std::uint32_t other) {
    return StateCodes::shard_of(codes[one * words]) < StateCodes::shard_of(codes[other * words]);
  });
  for (std::uint32_t i = 0, end; i < count; i = end) {
    together.clear();
    for (end = i; end < count && shard_at(end) == shard_at(i); ++end)
      together.insert(together.end(), &codes[order[end] * words], &codes[order[end] * words] + words);
    settled.resize(end - i);
    settle(shard_at(i), together.data(), end - i, settled.data(), scratch_);
    for (std::uint32_t j = i; j < end; ++j) results[order[j]] = settled[j - i];
  }
}

std::uint64_t DiskSet::size() const {
  std::uint64_t states = 0;
  for (const RegionVector<Word>& young : young_) states += young.size() / codes_.words();
  for (const auto& run : runs_) states += run->size();
  return states;
}

std::uint64_t DiskSet::bytes() const {
  std::uint64_t total = codes_.bytes() + recent_.bytes() + young_bytes();
  for (const auto& run : runs_) total += run->index_bytes();
  return total;
}

}  // namespace scrimp
