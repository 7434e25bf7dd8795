// Every order with every store, as options of a search that visits everything.
#pragma once

#include <cstdint>

#include "run.h"

namespace scrimp::testing {

constexpr Order orders[] = {Order::breadth_first, Order::depth_first};
constexpr Compress compressions[] = {Compress::none, Compress::tree, Compress::cleary};

inline Options options_for(Order order, Compress compress = Compress::none) {
  Options options;
  options.order = order;
  options.compress = compress;
  options.budget = std::uint64_t{256} << 20;
  options.question.deadlock_is_violation = false;
  options.question.stop_after = 0;
  options.question.traces = 1000;
  return options;
}

inline Outcome explore(const Machine& machine, const Options& options) {
  Signals signals;
  return run(machine, options, signals);
}

/// With little room for descriptors.
inline Options comback_options_for(Order order, bool delays) {
  Options options = options_for(order);
  options.comback.emplace();
  options.comback->cache.states = 20;
  options.comback->parts = {{Keeping::fifo, 50}, {Keeping::distance, 50}};
  options.comback->delays = delays;
  options.comback->queues_numbers = delays;
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
