#include "search/stores/full.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "reduction/sleep_sets.h"
#include "search/stores/loops.h"
#include "search/stores/stores.h"
#include "store/plain_set.h"

namespace scrimp {

namespace {

/// Whether the part of a reduction that selects may ever leave an event out.
bool may_select(const Options& options) {
  const ReductionPart* const selecting = selecting_part(options.method.reduction);
  if (selecting == nullptr) return false;
  const std::vector<std::uint8_t>& safe = options.relations->safe;
  return !std::holds_alternative<strategy::Local>(*selecting) || std::find(safe.begin(), safe.end(), 1) != safe.end();
}

}  // namespace

bool may_reduce(const Options& options) {
  if (!std::holds_alternative<strategy::DepthFirst>(options.method.order)) return false;
  if (options.audit) return true;
  const bool sleeps = sleep_memory(options.method.reduction) != SleepMemory::none;
  return (sleeps && are_any_independent(*options.relations)) || may_select(options);
}

std::unique_ptr<const Reducing> reducing(SearchContext& search) {
  const Options& options = search.options;
  if (!may_select(options)) return nullptr;
  return std::make_unique<const Reducing>(options.method.reduction, *options.relations, search.machine(), options.audit,
                                          search.budget);
}

void search_with(SearchContext& search, const strategy::Full& store) {
  const bool numbers = search.transcript.has_value(), reduces = may_reduce(search.options);
  switch (store.compress) {
    case Compress::none: return (numbers ? number_plain : reduces ? reduce_plain : keep_plain)(search);
    case Compress::tree: return (numbers ? number_tree : reduces ? reduce_tree : keep_tree)(search);
    case Compress::cleary: return (numbers ? number_cleary : reduces ? reduce_cleary : keep_cleary)(search);
    case Compress::huffman:
    case Compress::rle: return keep_coded(search, store);
  }
}

void keep_plain(SearchContext& search) {
  with_words<1, 2, 3>(search.machine().words,
                      [&]<std::uint32_t words>() { in_order<PlainSet<words>, words>(search, Nothing{}); });
}

void reduce_plain(SearchContext& search) {
  const std::uint32_t words = search.machine().words;
  switch (sleep_memory(search.options.method.reduction)) {
    case SleepMemory::none:
      return with_words<1, 2>(words, [&]<std::uint32_t fixed>() { reduce<PlainSet<fixed>, fixed, NoSleep>(search); });
    case SleepMemory::stored:
      return with_words<1, 2>(
          words, [&]<std::uint32_t fixed>() { reduce<PlainSet<fixed, SleepMark>, fixed, PathSleep>(search); });
    case SleepMemory::on_path:
    case SleepMemory::unconditional: return reduce<PlainSet<0>, 0, PathSleep>(search);
  }
}

void number_plain(SearchContext& search) { in_order<PlainSet<0, StateNumber>, 0>(search, Nothing{}); }

}  // namespace scrimp
