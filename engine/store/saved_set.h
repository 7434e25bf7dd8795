// Saves the contents of a set of states, and loads them into a set of the same kind, of any size and under any budget.
//
//     | words of a row | rows | row | row | ...      64 bits each; a row: the stored state, then its annotations
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "store/state_set.h"

namespace scrimp {

/// `write(words, count)` takes words and returns false if it fails. Returns whether everything was written.
template <EnumerableSet Set, class Write>
bool save(const Set& set, Write write) {
  const std::size_t row_words = set.row_words();
  const Word header[] = {row_words, set.size()};
  bool is_written = write(static_cast<const Word*>(header), std::size_t{2});
  return set.for_each_row([&](const Word* row) { is_written = is_written && write(row, row_words); }) && is_written;
}

/// `read(words, count)` fills words and returns false if there are too few. Returns false, with some states added, if
/// the rows are not those of such a set, or if there is no room.
template <EnumerableSet Set, class Read>
bool load(Set& set, Read read) {
  Word header[2];
  if (!read(header, 2) || header[0] != set.row_words()) return false;
  std::vector<Word> row(set.row_words());
  for (Word left = header[1]; left != 0; --left)
    if (!read(row.data(), row.size()) || !set.add_row(row.data())) return false;
  return true;
}

}  // namespace scrimp
