// A method of search: an order, a store and a reduction, each with its options.
//
// Strategies have the names and options that src/scrimp/strategies/ gives them; a new one is a struct, here or beside
// its algorithm, and a line in the variant of its role.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "core/options.h"
#include "store/comback/options.h"
#include "store/inexact.h"
#include "store/pseudoroot/options.h"
#include "store/replacement.h"
#include "store/snapshots/options.h"

namespace scrimp {

enum class Compress : std::uint8_t { none, tree, cleary, huffman, rle };

constexpr std::array<std::string_view, 5> words(Compress) { return {"none", "tree", "cleary", "huffman", "rle"}; }

enum class LocalMode : std::uint8_t { exact, paper, printed };

constexpr std::array<std::string_view, 3> words(LocalMode) { return {"exact", "paper", "printed"}; }

namespace strategy {

struct WithoutOptions {
  template <class Self, class Visit>
  static void options(Self&, Visit&&) {}
};

struct BreadthFirst : WithoutOptions {
  static constexpr std::string_view name = "bfs";
};

struct DepthFirst : WithoutOptions {
  static constexpr std::string_view name = "dfs";
};

struct Full {
  static constexpr std::string_view name = "full";

  Compress compress = Compress::none;

  template <class Self, class Visit>
  static void options(Self& self, Visit&& visit) {
    visit("compress", self.compress);
  }
};

/// Changes its representation when memory runs out: store/auto_set.h.
struct Auto : WithoutOptions {
  static constexpr std::string_view name = "auto";
};

struct NoReduction : WithoutOptions {
  static constexpr std::string_view name = "none";
};

/// HGP92, Algorithm 2. The relations define what counts as local in each mode.
struct Local {
  static constexpr std::string_view name = "local";

  LocalMode mode = LocalMode::exact;

  template <class Self, class Visit>
  static void options(Self& self, Visit&& visit) {
    visit("mode", self.mode);
  }
};

/// Optionally refined by control flow, with Overman's original measure of size, or both.
struct Overman {
  static constexpr std::string_view name = "overman";

  bool proviso = true;
  bool refined = false;
  bool original = false;

  template <class Self, class Visit>
  static void options(Self& self, Visit&& visit) {
    visit("proviso", self.proviso);
    visit("refined", self.refined);
    visit("original", self.original);
  }
};

struct Stubborn {
  static constexpr std::string_view name = "stubborn";

  bool proviso = true;

  template <class Self, class Visit>
  static void options(Self& self, Visit&& visit) {
    visit("proviso", self.proviso);
  }
};

/// GHP92; in mode `paper`, its figure 3.
struct Sleep {
  static constexpr std::string_view name = "sleep";

  Mode mode = Mode::exact;

  template <class Self, class Visit>
  static void options(Self& self, Visit&& visit) {
    visit("mode", self.mode);
  }
};

/// HGP92; in mode `paper`, its Algorithm 3.
struct Conflict {
  static constexpr std::string_view name = "conflict";

  Mode mode = Mode::exact;

  template <class Self, class Visit>
  static void options(Self& self, Visit&& visit) {
    visit("mode", self.mode);
  }
};

}  // namespace strategy

using Order = std::variant<strategy::BreadthFirst, strategy::DepthFirst>;
using Store = std::variant<strategy::Full, strategy::Auto, strategy::Cache, strategy::Snapshots, strategy::Comback,
                           strategy::Pseudoroot, strategy::Compact, strategy::Bitstate>;
using ReductionPart = std::variant<strategy::NoReduction, strategy::Local, strategy::Overman, strategy::Stubborn,
                                   strategy::Sleep, strategy::Conflict>;
using Reduction = std::vector<ReductionPart>;

struct Method {
  Order order;
  Store store;
  Reduction reduction;

  template <class Self, class Visit>
  static void options(Self& self, Visit&& visit) {
    visit("order", self.order);
    visit("store", self.store);
    visit("reduction", self.reduction);
  }
};

/// A function for each alternative of a variant; std::visit does not compile if one is missing.
template <class... Cases>
struct Match : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Match(Cases...) -> Match<Cases...>;

/// How sleep sets are remembered.
enum class SleepMemory : std::uint8_t {
  none,    // there are no sleep sets
  stored,  // each state's set is stored with it; events that wake up are fired
  // GHP92, figure 3, as printed: only the path has sets; an event that leads back to the path does not fall asleep.
  on_path,
  unconditional,  // HGP92, Algorithm 3, as printed: the same, without the rule on events that lead back to the path
};

SleepMemory sleep_memory(const Reduction& reduction);

/// The part that selects some processes to run, or null.
const ReductionPart* selecting_part(const Reduction& reduction);

/// Whether some enabled events may not be fired.
bool leaves_out(const Reduction& reduction);

/// Whether the selection preserves more than deadlocks.
bool has_proviso(const Reduction& reduction);

}  // namespace scrimp
