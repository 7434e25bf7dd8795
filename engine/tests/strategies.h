// Every order with every store, as options of a search that visits everything.
#pragma once

#include <cstdint>
#include <variant>

#include "run.h"

namespace scrimp::testing {

constexpr Order orders[] = {strategy::BreadthFirst{}, strategy::DepthFirst{}};
constexpr Compress compressions[] = {Compress::none, Compress::tree, Compress::cleary};

inline Options options_for(Order order, Compress compress = Compress::none) {
  Options options;
  options.method.order = order;
  options.method.store = strategy::Full{compress};
  options.budget = std::uint64_t{256} << 20;
  options.question.deadlock_is_violation = false;
  options.question.stop_after = 0;
  options.question.traces = 1000;
  return options;
}

inline bool is_depth_first(const Options& options) {
  return std::holds_alternative<strategy::DepthFirst>(options.method.order);
}

const ReductionPart local = strategy::Local{};
const ReductionPart overman = strategy::Overman{};
const ReductionPart overman_refined = strategy::Overman{.refined = true};
const ReductionPart overman_original = strategy::Overman{.original = true};
const ReductionPart overman_original_refined = strategy::Overman{.refined = true, .original = true};
const ReductionPart stubborn = strategy::Stubborn{};

/// The part of a reduction with this kind of sleep sets.
inline ReductionPart sleep_sets(SleepMemory how) {
  switch (how) {
    case SleepMemory::none: return strategy::NoReduction{};
    case SleepMemory::stored: return strategy::Sleep{};
    case SleepMemory::on_path: return strategy::Sleep{Mode::paper};
    case SleepMemory::unconditional: return strategy::Conflict{Mode::paper};
  }
  return {};
}

inline Outcome explore(const Machine& machine, const Options& options) {
  Signals signals;
  return run(machine, options, signals);
}

/// With little room for descriptors.
inline Options comback_options_for(Order order, bool delays) {
  Options options = options_for(order);
  strategy::Comback comback;
  comback.cache = Capacity{.states = 20};
  comback.strategy = {{Keeping::fifo, 50}, {Keeping::distance, 50}};
  comback.delay = delays;
  comback.queue = delays ? strategy::Comback::Queue::numbers : strategy::Comback::Queue::states;
  options.method.store = comback;
  return options;
}

template <class Check>
void for_every_strategy(Check check) {
  for (const Order order : orders) {
    for (const Compress compress : compressions) check(options_for(order, compress));
    for (const bool delays : {false, true}) check(comback_options_for(order, delays));
  }
}

}  // namespace scrimp::testing
