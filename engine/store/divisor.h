// Division by a number known at run time.
#pragma once

#include <cstdint>

#include "core/hash.h"

namespace scrimp {

/// Divides by multiplication with the reciprocal.
class Divisor {
 public:
  explicit Divisor(Word divisor) : divisor_(divisor), reciprocal_(~Word{0} / divisor) {}

  struct Quotient {
    std::uint64_t quotient;
    Word remainder;
  };
  Quotient divide(Word number) const {
    Quotient result;
    result.quotient = high_product(number, reciprocal_);
    result.remainder = number - result.quotient * divisor_;
    while (result.remainder >= divisor_) [[unlikely]] {  // the estimate is at most two too low
      result.remainder -= divisor_;
      ++result.quotient;
    }
    return result;
  }
  Word value() const { return divisor_; }

 private:
  Word divisor_, reciprocal_;
};

}  // namespace scrimp
