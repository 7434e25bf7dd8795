// Depth-first searches with a reduction or a store that may forget, instantiated once per store, each in a file of its
// own.
#pragma once

#include "search/search.h"
#include "store/cache_set.h"
#include "store/cleary_set.h"
#include "store/marked_set.h"

namespace scrimp {

/// A set with marks is one for sleep sets.
template <class Set>
inline constexpr bool is_marked = false;
template <class Set>
inline constexpr bool is_marked<MarkedSet<Set>> = true;

template <class Set, std::uint32_t fixed_words>
void asleep_or_not(Search& search, Set& set, const Budget& table) {
  if constexpr (!is_marked<Set>)
    if (sleeping(search.options.method.reduction) == Sleeping::none)
      return selective_depth_first<Set, fixed_words, false>(search, set, table);
  return selective_depth_first<Set, fixed_words, true>(search, set, table);
}

template <class Set, std::uint32_t fixed_words>
void reduced_depth_first(Search& search) {
  Budget table(Budget::PartOf{search.budget});
  Set set = make_set<Set>(search, table);
  asleep_or_not<Set, fixed_words>(search, set, table);
}

inline Coding coding(const Store& store) {
  if (const auto* const cache = std::get_if<strategy::Cache>(&store)) return cache->compress;
  switch (std::get<strategy::Full>(store).compress) {
    case Compress::huffman: return Coding::huffman;
    case Compress::rle: return Coding::rle;
    default: return Coding::none;
  }
}

inline StateCode state_code(const Options& options) {
  const bool is_huffman = coding(options.method.store) == Coding::huffman;
  return {is_huffman ? StateCode::Kind::huffman : StateCode::Kind::run_length, options.fields};
}

/// Where states are `numbered`, their marks are their numbers.
template <class Set, std::uint32_t fixed_words, bool numbered = false>
void cached_depth_first(Search& search) {
  const Options& options = search.options;
  Budget table(Budget::PartOf{search.budget});
  const CacheOptions cache{.cache = std::get_if<strategy::Cache>(&options.method.store),
                           .code = state_code(options),
                           .keeps_marks = numbered || sleeping(options.method.reduction) == Sleeping::stored};
  Set set(search.expander.machine(), cache, table);
  if constexpr (numbered) {
    selective_depth_first<Set, fixed_words, false, true>(search, set, table);
  } else {
    asleep_or_not<Set, fixed_words>(search, set, table);
  }
}

/// Records of states, coded or not, that may be forgotten or not.
void search_with_records(Search& search);

template <template <std::uint32_t> class Set>
void reduce_with(Search& search) {
  switch (search.expander.machine().words) {
    case 1: return reduced_depth_first<Set<1>, 1>(search);
    case 2: return reduced_depth_first<Set<2>, 2>(search);
    case 3: return reduced_depth_first<Set<3>, 3>(search);
    default: return reduced_depth_first<Set<0>, 0>(search);
  }
}

template <std::uint32_t Words>
using UnmarkedPlainSet = UnmarkedSet<PlainSet<Words>>;
template <std::uint32_t Words>
using UnmarkedTreeSet = UnmarkedSet<TreeSet<Words>>;
template <std::uint32_t Words>
using UnmarkedClearySet = UnmarkedSet<ClearySet<Words>>;
template <std::uint32_t Words>
using MarkedPlainSet = MarkedSet<PlainSet<Words, 1>>;
template <std::uint32_t Words>
using MarkedTreeSet = MarkedSet<TreeSet<Words, 1>>;

}  // namespace scrimp
