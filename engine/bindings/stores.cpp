#include "bindings/stores.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/names.h"

namespace nb = nanobind;

namespace scrimp {

namespace {

template <class Value>
void read(const nb::dict& dict, const char* key, Value& value) {
  value = nb::cast<Value>(dict[key]);
}

std::vector<std::pair<std::string, std::uint32_t>> parts_of(const nb::dict& dict) {
  return nb::cast<std::vector<std::pair<std::string, std::uint32_t>>>(dict["parts"]);
}

Capacity capacity_of(const nb::dict& dict) {
  Capacity capacity;
  read(dict, "states", capacity.states);
  read(dict, "bytes", capacity.bytes);
  read(dict, "share", capacity.share);
  return capacity;
}

unsigned hash_bits_of(const nb::dict& dict, unsigned least) {
  const auto bits = nb::cast<unsigned>(dict["hash_bits"]);
  if (bits < least || bits > 64) throw std::invalid_argument("a hash must have 1 to 64 bits");
  return bits;
}

}  // namespace

Replacement replacement_of(const nb::dict& cache) {
  Replacement replacement;
  read(cache, "states", replacement.states);
  read(cache, "bytes", replacement.bytes);
  read(cache, "scan", replacement.scan);
  read(cache, "kept_type", replacement.kept_type);
  read(cache, "seed", replacement.seed);
  for (const auto& [policy, percent] : parts_of(cache))
    replacement.parts.push_back({named("policy", policy, policies), percent});
  return replacement;
}

ComBack comback_of(const nb::dict& comback) {
  ComBack chosen;
  chosen.hash_bits = hash_bits_of(comback, 0);
  chosen.cache = capacity_of(nb::cast<nb::dict>(comback["cache"]));
  for (const auto& [keeping, percent] : parts_of(comback))
    chosen.parts.push_back({named("keeping", keeping, keepings), percent});
  read(comback, "distance", chosen.distance);
  read(comback, "delays", chosen.delays);
  chosen.candidates = capacity_of(nb::cast<nb::dict>(comback["candidates"]));
  read(comback, "queues_numbers", chosen.queues_numbers);
  chosen.group = capacity_of(nb::cast<nb::dict>(comback["group"]));
  read(comback, "as_printed", chosen.as_printed);
  read(comback, "seed", chosen.seed);
  return chosen;
}

Snapshots snapshots_of(const nb::dict& snapshots) {
  using Cache = std::tuple<std::uint64_t, std::uint64_t, std::string, std::uint64_t>;
  Snapshots chosen;
  for (const auto& [period, growth, leaving, count] : nb::cast<std::vector<Cache>>(snapshots["caches"])) {
    if (period == 0 || count == 0) throw std::invalid_argument("a cache must take levels and have room for one");
    chosen.caches.push_back({{period, growth}, named("leaving", leaving, leavings), count});
  }
  if (chosen.caches.empty()) throw std::invalid_argument("there must be a cache");
  read(snapshots, "pebbles", chosen.pebbles);
  read(snapshots, "backtracks", chosen.backtracks);
  read(snapshots, "keeps_some", chosen.keeps_some);
  read(snapshots, "seed", chosen.seed);
  return chosen;
}

PseudoRoot pseudoroot_of(const nb::dict& pseudoroot) {
  PseudoRoot chosen;
  EdgeCounting& counting = chosen.counting;
  chosen.source = named("source", nb::cast<std::string>(pseudoroot["source"]), in_degree_sources);
  chosen.next = named("next", nb::cast<std::string>(pseudoroot["next"]), pending_orders);
  read(pseudoroot, "states", chosen.states);
  counting.store = named("by", nb::cast<std::string>(pseudoroot["by"]), counting_stores);
  read(pseudoroot, "counters", counting.counters);
  read(pseudoroot, "bits", counting.bits);
  read(pseudoroot, "functions", counting.functions);
  if (counting.counters == 0 || counting.functions == 0) throw std::invalid_argument("there must be a counter");
  if (counting.bits != 2 && counting.bits != 4 && counting.bits != 8 && counting.bits != 16)
    throw std::invalid_argument("a counter must have 2, 4, 8 or 16 bits");
  return chosen;
}

Compaction compaction_of(const nb::dict& compaction) { return {hash_bits_of(compaction, 1)}; }

Bitstate bitstate_of(const nb::dict& bitstate) {
  Bitstate chosen;
  read(bitstate, "bytes", chosen.bytes);
  read(bitstate, "functions", chosen.functions);
  if (chosen.functions == 0) throw std::invalid_argument("a state must set at least one bit");
  return chosen;
}

}  // namespace scrimp
