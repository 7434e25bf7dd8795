// Every depth-first method of the engine and every reduction of a breadth-first search, and what it promises to
// preserve.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "run.h"

namespace scrimp::testing {

/// What is found if it is reachable. Deadlocks always are.
enum class Keeps : std::uint8_t {
  deadlocks,
  flaws,   // also faults, failures and watched states
  states,  // also all states
};

/// The capacity of a cache, in states.
enum class Room : std::uint8_t {
  everything,  // no state is evicted
  little,      // little more than it needs
};

struct TriedMethod {
  std::string name;
  Method method;
  Room room = Room::everything;
  Keeps keeps = Keeps::states;
  bool is_printed = false;  // as in the papers: it may lose what it claims to preserve

  bool caches() const { return std::holds_alternative<strategy::Cache>(method.store); }
  bool forgets() const { return caches() && room != Room::everything; }
};

struct NamedReduction {
  const char* name;
  Reduction reduction;
  Keeps keeps;
  bool is_printed = false;
};

inline std::vector<NamedReduction> reductions() {
  using namespace strategy;
  return {
      {"none", {}, Keeps::states},
      {"sleep", {Sleep{}}, Keeps::states},
      {"local", {Local{}}, Keeps::flaws},
      {"local+sleep", {Local{}, Sleep{}}, Keeps::flaws},
      {"overman", {Overman{.proviso = false}}, Keeps::deadlocks},
      {"overman-refined", {Overman{.proviso = false, .refined = true}}, Keeps::deadlocks},
      {"overman-original", {Overman{.proviso = false, .original = true}}, Keeps::deadlocks},
      {"overman-original-refined", {Overman{.proviso = false, .refined = true, .original = true}}, Keeps::deadlocks},
      {"overman+sleep", {Overman{.proviso = false}, Sleep{}}, Keeps::deadlocks},
      {"overman-proviso", {Overman{}}, Keeps::flaws},
      {"overman-refined-proviso+sleep", {Overman{.refined = true}, Sleep{}}, Keeps::flaws},
      {"stubborn", {Stubborn{.proviso = false}}, Keeps::deadlocks},
      {"stubborn+sleep", {Stubborn{.proviso = false}, Sleep{}}, Keeps::deadlocks},
      {"stubborn-proviso", {Stubborn{}}, Keeps::flaws},
      {"stubborn-proviso+sleep", {Stubborn{}, Sleep{}}, Keeps::flaws},
      {"sleep-printed", {Sleep{Mode::paper}}, Keeps::states, true},
      {"conflict-printed", {Conflict{Mode::paper}}, Keeps::states, true},
  };
}

struct NamedCache {
  const char* name;
  std::vector<Share> policy;
  std::optional<std::uint8_t> kept_type = {};
};

inline std::vector<NamedCache> caches() {
  using enum Policy;
  return {
      {"random", {{random, 100}}},
      {"fifo", {{fifo, 100}}},
      {"lru", {{lru, 100}}},
      {"mru", {{mru, 100}}},
      {"lfu", {{lfu, 100}}},
      {"mfu", {{mfu, 100}}},
      {"largest-class", {{largest_class, 100}}},
      {"smallest-subtree", {{smallest_subtree, 100}}},
      {"type", {{type, 100}}},
      {"one-type", {{type, 100}}, 1},
      {"mfu+lru", {{mfu, 25}, {lru, 75}}},
      {"random+lfu+fifo", {{random, 30}, {lfu, 30}, {fifo, 40}}},
  };
}

template <class Enumeration>
std::string name(Enumeration value) {
  return std::string(words(value)[static_cast<std::size_t>(value)]);
}

/// Cleary's table stores no more of a state than it must: it has no room for the marks of sleep sets.
inline bool has_marks(Compress compress) { return compress != Compress::cleary; }

inline TriedMethod method(const NamedReduction& reduction, Compress compress) {
  return {.name = "full/" + name(compress) + "/" + reduction.name,
          .method = {strategy::DepthFirst{}, strategy::Full{compress}, reduction.reduction},
          .keeps = reduction.keeps,
          .is_printed = reduction.is_printed};
}

inline TriedMethod in_levels(const NamedReduction& reduction, Compress compress) {
  TriedMethod made = method(reduction, compress);
  made.name = "levels/" + name(compress) + "/" + reduction.name;
  made.method.order = strategy::BreadthFirst{};
  return made;
}

inline TriedMethod method(const NamedReduction& reduction, Coding compress, const NamedCache& cache, Room room) {
  constexpr const char* rooms[] = {"all", "little"};
  TriedMethod made = method(reduction, Compress::none);
  made.name = std::string("cache/") + cache.name + "-" + rooms[static_cast<int>(room)] + "/" + name(compress) + "/" +
              reduction.name;
  strategy::Cache store;
  store.policy = cache.policy;
  store.type = cache.kept_type;
  store.compress = compress;
  made.method.store = store;
  made.room = room;
  return made;
}

/// Named STORE/COMPRESSION/REDUCTION; the store of a breadth-first search is called levels.
inline std::vector<TriedMethod> all_methods() {
  using enum Compress;
  std::vector<TriedMethod> methods;
  for (const NamedReduction& reduction : reductions()) {
    for (const Compress compress : {none, tree, cleary, huffman, rle})
      if (has_marks(compress) || sleep_memory(reduction.reduction) != SleepMemory::stored)
        methods.push_back(method(reduction, compress));
    for (const Compress compress : {none, cleary})
      if (sleep_memory(reduction.reduction) == SleepMemory::none) methods.push_back(in_levels(reduction, compress));
    for (const Coding compress : {Coding::none, Coding::huffman, Coding::rle})
      for (const NamedCache& cache : caches())
        for (const Room room : {Room::everything, Room::little})
          methods.push_back(method(reduction, compress, cache, room));
  }
  return methods;
}

}  // namespace scrimp::testing
