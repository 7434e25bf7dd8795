// Every depth-first method of the engine, and what it promises to keep.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "run.h"

namespace scrimp::testing {

/// What is found wherever it can be reached. Dead states always are.
enum class Keeps : std::uint8_t {
  deadlocks,
  flaws,   // also what goes wrong, and what is watched
  states,  // also all states
};

/// How many states a cache has room for.
enum class Room : std::uint8_t {
  everything,  // it forgets nothing
  little,      // little more than it needs
};

struct Method {
  std::string name;
  Reduction reduction;
  Compress compress = Compress::none;
  bool caches = false;
  Room room = Room::everything;
  std::vector<Replacement::Part> parts;
  std::uint8_t kept_type = 0;
  Keeps keeps = Keeps::states;
  bool is_printed = false;  // as the papers have it: it may lose what it is said to keep

  bool forgets() const { return caches && room != Room::everything; }
};

struct NamedReduction {
  const char* name;
  Reduction reduction;
  Keeps keeps;
  bool is_printed = false;
};

inline std::vector<NamedReduction> reductions() {
  using enum Selecting;
  using enum Sleeping;
  return {
      {"none", {}, Keeps::states},
      {"sleep", {Selecting::all, true, stored, false}, Keeps::states},
      {"local", {local, true, Sleeping::none, false}, Keeps::flaws},
      {"local+sleep", {local, true, stored, false}, Keeps::flaws},
      {"overman", {overman, false, Sleeping::none, false}, Keeps::deadlocks},
      {"overman-refined", {overman_refined, false, Sleeping::none, false}, Keeps::deadlocks},
      {"overman-original", {overman_original, false, Sleeping::none, false}, Keeps::deadlocks},
      {"overman-original-refined", {overman_original_refined, false, Sleeping::none, false}, Keeps::deadlocks},
      {"overman+sleep", {overman, false, stored, false}, Keeps::deadlocks},
      {"overman-proviso", {overman, true, Sleeping::none, false}, Keeps::flaws},
      {"overman-refined-proviso+sleep", {overman_refined, true, stored, false}, Keeps::flaws},
      {"stubborn", {stubborn, false, Sleeping::none, false}, Keeps::deadlocks},
      {"stubborn+sleep", {stubborn, false, stored, false}, Keeps::deadlocks},
      {"stubborn-proviso", {stubborn, true, Sleeping::none, false}, Keeps::flaws},
      {"stubborn-proviso+sleep", {stubborn, true, stored, false}, Keeps::flaws},
      {"sleep-printed", {Selecting::all, true, on_path, false}, Keeps::states, true},
      {"conflict-printed", {Selecting::all, true, unconditional, false}, Keeps::states, true},
  };
}

struct NamedCache {
  const char* name;
  std::vector<Replacement::Part> parts;
  std::uint8_t kept_type = 0;
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

inline const char* name(Compress compress) {
  switch (compress) {
    case Compress::none: return "none";
    case Compress::tree: return "tree";
    case Compress::cleary: return "cleary";
    case Compress::huffman: return "huffman";
    case Compress::rle: return "rle";
  }
  return "";
}

/// Of two states that differ in what they keep, Cleary's table stores no more than it must: it has no room for marks.
inline bool has_marks(Compress compress) { return compress != Compress::cleary; }
inline bool can_forget(Compress compress) {
  return compress == Compress::none || compress == Compress::huffman || compress == Compress::rle;
}

inline Method method(const NamedReduction& reduction, Compress compress) {
  Method made;
  made.name = std::string("full/") + name(compress) + "/" + reduction.name;
  made.reduction = reduction.reduction;
  made.compress = compress;
  made.keeps = reduction.keeps;
  made.is_printed = reduction.is_printed;
  return made;
}

inline Method method(const NamedReduction& reduction, Compress compress, const NamedCache& cache, Room room) {
  constexpr const char* rooms[] = {"all", "little"};
  Method made = method(reduction, compress);
  made.name = std::string("cache/") + cache.name + "-" + rooms[static_cast<int>(room)] + "/" + name(compress) + "/" +
              reduction.name;
  made.caches = true;
  made.room = room;
  made.parts = cache.parts;
  made.kept_type = cache.kept_type;
  return made;
}

/// Named STORE/COMPRESSION/REDUCTION.
inline std::vector<Method> all_methods() {
  constexpr Compress compressions[] = {Compress::none, Compress::tree, Compress::cleary, Compress::huffman,
                                       Compress::rle};
  std::vector<Method> methods;
  for (const NamedReduction& reduction : reductions()) {
    for (const Compress compress : compressions)
      if (has_marks(compress) || reduction.reduction.sleeping != Sleeping::stored)
        methods.push_back(method(reduction, compress));
    for (const Compress compress : compressions) {
      if (!can_forget(compress)) continue;
      for (const NamedCache& cache : caches())
        for (const Room room : {Room::everything, Room::little})
          methods.push_back(method(reduction, compress, cache, room));
    }
  }
  return methods;
}

}  // namespace scrimp::testing
