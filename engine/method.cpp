#include "method.h"

namespace scrimp {

namespace {

Sleeping sleeping(const ReductionPart& part) {
  using namespace strategy;
  return std::visit(
      Match{[](const Sleep& sleep) { return sleep.mode == Mode::exact ? Sleeping::stored : Sleeping::on_path; },
            [](const Conflict& conflict) {
              return conflict.mode == Mode::exact ? Sleeping::stored : Sleeping::unconditional;
            },
            [](const NoReduction&) { return Sleeping::none; }, [](const Local&) { return Sleeping::none; },
            [](const Overman&) { return Sleeping::none; }, [](const Stubborn&) { return Sleeping::none; }},
      part);
}

bool selects(const ReductionPart& part) {
  using namespace strategy;
  return std::visit(Match{[](const NoReduction&) { return false; }, [](const Local&) { return true; },
                          [](const Overman&) { return true; }, [](const Stubborn&) { return true; },
                          [](const Sleep&) { return false; }, [](const Conflict&) { return false; }},
                    part);
}

}  // namespace

Sleeping sleeping(const Reduction& reduction) {
  for (const ReductionPart& part : reduction)
    if (const Sleeping how = sleeping(part); how != Sleeping::none) return how;
  return Sleeping::none;
}

const ReductionPart* selecting_part(const Reduction& reduction) {
  for (const ReductionPart& part : reduction)
    if (selects(part)) return &part;
  return nullptr;
}

bool leaves_out(const Reduction& reduction) {
  return selecting_part(reduction) != nullptr || sleeping(reduction) != Sleeping::none;
}

bool has_proviso(const Reduction& reduction) {
  const ReductionPart* const part = selecting_part(reduction);
  if (part == nullptr) return true;
  return std::visit(
      [](const auto& selecting) {
        if constexpr (requires { selecting.proviso; }) return selecting.proviso;
        return true;
      },
      *part);
}

}  // namespace scrimp
