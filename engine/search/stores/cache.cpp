// Records of states, coded or not, that may be forgotten or not.
#include "search/stores/full.h"
#include "search/stores/loops.h"
#include "search/stores/stores.h"
#include "store/cache_set.h"

namespace scrimp {

namespace {

template <std::uint32_t words>
struct OfWords {
  template <class... Annotations>
  using Set = CacheSet<words, Annotations...>;
};

template <template <class...> class Set, std::uint32_t words>
void search_records(SearchContext& search, const CacheOptions& options) {
  const bool forgets = options.cache != nullptr;
  switch (sleep_memory(search.options.method.reduction)) {
    case SleepMemory::none: return selective_depth_first<Set<>, words, NoSleep, Silent>(search, forgets, options);
    case SleepMemory::stored:
      return selective_depth_first<Set<SleepMark>, words, PathSleep, Silent>(search, forgets, options);
    default: return selective_depth_first<Set<>, words, PathSleep, Silent>(search, forgets, options);
  }
}

/// Writes an LTS: see number_plain.
template <template <class...> class Set>
void number_records(SearchContext& search, const CacheOptions& options) {
  selective_depth_first<Set<StateNumber>, 0, NoSleep, PathTranscript>(search, options.cache != nullptr, options);
}

StateCode state_code(const SearchContext& search, bool is_huffman) {
  return {is_huffman ? StateCode::Kind::huffman : StateCode::Kind::run_length, search.options.fields};
}

}  // namespace

void search_with(SearchContext& search, const strategy::Cache& store) {
  const CacheOptions options{&store, search.options.relations->kind.data(),
                             state_code(search, store.compress == Coding::huffman)};
  if (store.compress != Coding::none)
    return search.transcript ? number_records<CodedCacheSet>(search, options)
                             : search_records<CodedCacheSet, 0>(search, options);
  if (search.transcript) return number_records<OfWords<0>::Set>(search, options);
  with_words<1, 2>(search.machine().words, [&]<std::uint32_t words>() {
    search_records<OfWords<words>::template Set, words>(search, options);
  });
}

void keep_coded(SearchContext& search, const strategy::Full& store) {
  const CacheOptions options{nullptr, nullptr, state_code(search, store.compress == Compress::huffman)};
  if (search.options.audit || leaves_out(search.options.method.reduction))
    return search.transcript ? number_records<CodedCacheSet>(search, options)
                             : search_records<CodedCacheSet, 0>(search, options);
  if (search.transcript) return in_order<CodedCacheSet<StateNumber>, 0>(search, Nothing{}, options);
  in_order<CodedCacheSet<>, 0>(search, Nothing{}, options);
}

}  // namespace scrimp
