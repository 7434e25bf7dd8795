// Records of states, coded or not, that may be forgotten or not.
#include "search/stores/full.h"
#include "search/stores/loops.h"
#include "search/stores/stores.h"
#include "store/cache_set.h"

namespace scrimp {

namespace {

/// A code has no use for the number of words.
template <std::uint32_t, class... Annotations>
using Coded = CodedCacheSet<Annotations...>;

template <std::uint32_t words, class... Annotations>
using Uncoded = CacheSet<words, Annotations...>;

/// For states of each of `widths`, but for searches that need not be quick: see full.h.
template <template <std::uint32_t, class...> class Set, std::uint32_t... widths>
void search_records(SearchContext& search, const CacheOptions& options) {
  const bool forgets = options.cache != nullptr;
  const std::uint32_t words = search.machine().words;
  if (search.transcript)
    return selective_depth_first<Set<0, StateNumber>, 0, NoSleep, PathTranscript>(search, forgets, options);
  switch (sleep_memory(search.options.method.reduction)) {
    case SleepMemory::none:
      return with_words<widths...>(words, [&]<std::uint32_t fixed>() {
        selective_depth_first<Set<fixed>, fixed, NoSleep, Silent>(search, forgets, options);
      });
    case SleepMemory::stored:
      return with_words<widths...>(words, [&]<std::uint32_t fixed>() {
        selective_depth_first<Set<fixed, SleepMark>, fixed, PathSleep, Silent>(search, forgets, options);
      });
    case SleepMemory::on_path:
    case SleepMemory::unconditional:
      return selective_depth_first<Set<0>, 0, PathSleep, Silent>(search, forgets, options);
  }
}

StateCode state_code(const SearchContext& search, bool is_huffman) {
  return {is_huffman ? StateCode::Kind::huffman : StateCode::Kind::run_length, search.options.fields};
}

}  // namespace

void search_with(SearchContext& search, const strategy::Cache& store) {
  const CacheOptions options{&store, search.options.relations->kind.data(),
                             state_code(search, store.compress == Coding::huffman)};
  if (store.compress != Coding::none) return search_records<Coded>(search, options);
  search_records<Uncoded, 1, 2>(search, options);
}

void keep_coded(SearchContext& search, const strategy::Full& store) {
  const CacheOptions options{nullptr, nullptr, state_code(search, store.compress == Compress::huffman)};
  const bool has_path = std::holds_alternative<strategy::DepthFirst>(search.options.method.order);
  if (has_path && (search.options.audit || leaves_out(search.options.method.reduction)))
    return search_records<Coded>(search, options);
  if (search.transcript) return in_order<CodedCacheSet<StateNumber>, 0>(search, Nothing{}, options);
  in_order<CodedCacheSet<>, 0>(search, Nothing{}, options);
}

}  // namespace scrimp
