// Numbers a quotiented table's entries, once no more are inserted: each by how many come before it in the table.
//
//     before_     0                 61                118                            one for every few parts
//     parts       [19] [20] [22]    [20] [18] [19]    ...                            how many entries each has
//
// What lies between is counted: parts know how many they have.
#pragma once

#include <cstdint>

#include "core/region_vector.h"
#include "store/quotient_table.h"

namespace scrimp {

class QuotientRanks {
 public:
  /// Throws std::bad_alloc where the budget is spent.
  QuotientRanks(const QuotientTable& table, Budget& budget) : table_(table), before_(budget) {
    std::uint64_t count = 0;
    for (std::uint64_t part = 0; part < table.parts(); ++part) {
      if (part % spacing == 0) before_.push(count);
      count += table.count_in(part);
    }
  }

  /// Of a number that is there.
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
