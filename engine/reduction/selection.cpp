#include "reduction/selection.h"

#include "reduction/local.h"
#include "reduction/overman.h"
#include "reduction/stubborn.h"

namespace scrimp {

namespace {

using Made = std::unique_ptr<Selection>;

Made make_selection(const ReductionPart& part, const Relations& relations) {
  return std::visit(
      Match{[&](const strategy::Local&) -> Made { return std::make_unique<Local>(true, relations); },
            [&](const strategy::Overman& overman) -> Made { return std::make_unique<Overman>(overman, relations); },
            [&](const strategy::Stubborn& stubborn) -> Made {
              return std::make_unique<Stubborn>(stubborn.proviso, relations);
            },
            [](const strategy::NoReduction&) -> Made { return nullptr; },
            [](const strategy::Sleep&) -> Made { return nullptr; },
            [](const strategy::Conflict&) -> Made { return nullptr; }},
      part);
}

}  // namespace

std::unique_ptr<Selection> make_selection(const Reduction& reduction, const Relations& relations) {
  const ReductionPart* const part = selecting_part(reduction);
  return part == nullptr ? nullptr : make_selection(*part, relations);
}

}  // namespace scrimp
