#include "method.h"

namespace scrimp {

namespace {

SleepMemory sleep_memory(const ReductionPart& part) {
  using namespace strategy;
  return std::visit(
      Match{[](const Sleep& sleep) { return sleep.mode == Mode::exact ? SleepMemory::stored : SleepMemory::on_path; },
            [](const Conflict& conflict) {
              return conflict.mode == Mode::exact ? SleepMemory::stored : SleepMemory::unconditional;
            },
            [](const NoReduction&) { return SleepMemory::none; }, [](const Local&) { return SleepMemory::none; },
            [](const Overman&) { return SleepMemory::none; }, [](const Stubborn&) { return SleepMemory::none; }},
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

SleepMemory sleep_memory(const Reduction& reduction) {
  for (const ReductionPart& part : reduction)
    if (const SleepMemory how = sleep_memory(part); how != SleepMemory::none) return how;
  return SleepMemory::none;
}

const ReductionPart* selecting_part(const Reduction& reduction) {
  for (const ReductionPart& part : reduction)
    if (selects(part)) return &part;
  return nullptr;
}

bool leaves_out(const Reduction& reduction) {
  return selecting_part(reduction) != nullptr || sleep_memory(reduction) != SleepMemory::none;
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
