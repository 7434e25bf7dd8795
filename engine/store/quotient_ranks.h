// Numbers the entries of a quotient table, once no more are inserted: each by the number of entries before it.
//
//     before_     0                 61                118                            one for every few parts
//     parts       [19] [20] [22]    [20] [18] [19]    ...                            the number of entries of each
//
// The entries between are counted part by part: each part knows its number of entries.
#pragma once

#include <cstdint>

#include "core/region_vector.h"
#include "store/quotient_table.h"

namespace scrimp {

class QuotientRanks {
 public:
  /// Throws std::bad_alloc if the budget is exhausted.
  QuotientRanks(const QuotientTable& table, Budget& budget) : table_(table), before_(budget) {
    std::uint64_t count = 0;
    for (std::uint64_t part = 0; part < table.parts(); ++part) {
      if (part % spacing == 0) before_.push(count);
      count += table.count_in(part);
    }
  }

  /// The rank of a number that is in the table.
  std::uint64_t operator()(Word number) const {
    const QuotientTable::Position position = table_.find(number);
    std::uint64_t rank = before_[position.part / spacing] + position.others;
    for (std::uint64_t part = position.part / spacing * spacing; part < position.part; ++part)
      rank += table_.count_in(part);
    return rank;
  }

 private:
  static constexpr std::uint64_t spacing = 4;

  const QuotientTable& table_;
  RegionVector<std::uint64_t> before_;
};

}  // namespace scrimp
