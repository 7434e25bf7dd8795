// A machine as Python hands it over: a blob of code and the numbers that describe it.
#pragma once

#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bindings/executable.h"
#include "core/machine.h"

namespace scrimp {

/// Offsets of the entries in the code.
struct EntryPoints {
  std::uint64_t initial;
  std::uint64_t successors;
  std::optional<std::uint64_t> watch;
  std::optional<std::uint64_t> valid_end;
  std::optional<std::uint64_t> alone;
  std::optional<std::uint64_t> offers;
  std::optional<std::uint64_t> in_degree;
};

struct Shape {
  std::uint32_t words;
  std::string word_bits;
  std::uint32_t max_successors;
  std::uint32_t transitions;
  std::uint32_t watches;
  std::optional<std::vector<std::uint32_t>> holders;
  std::optional<std::string> steps;
};

/// Numbers in an array that Python owns, which is neither copied nor resized while this lives.
using Table = nanobind::ndarray<const std::uint32_t, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

/// Owns the code and the tables that its `Machine` points to. Throws std::invalid_argument or std::out_of_range if
/// the numbers contradict each other.
class CompiledMachine {
 public:
  using State = std::vector<Word>;

  struct Successor {
    EventId event;  // with flags
    State state;
  };

  /// The context of the functions is the addresses of the given tables, one after the other; null if there are none.
  CompiledMachine(const void* code, std::size_t bytes, const Shape& shape, const EntryPoints& entries,
                  std::vector<Table> tables);

  const Machine& machine() const { return machine_; }
  State initial() const;
  std::vector<Successor> successors(const State& state) const;
  /// Those of one process. Nothing if the machine has no `alone`.
  std::vector<Successor> alone(const State& state, std::uint32_t holder) const;
  std::uint64_t watch(const State& state) const;
  bool valid_end(const State& state) const;
  bool offers(const State& state, std::uint32_t holder) const;
  /// Nothing if the machine does not know.
  std::optional<std::uint32_t> in_degree(const State& state) const;

 private:
  const Word* words_of(const State& state) const;
  template <class Call>
  std::vector<Successor> list(Call call) const;

  Executable code_;
  std::vector<std::uint8_t> word_bits_;
  std::vector<std::uint32_t> holders_;
  std::vector<std::uint8_t> steps_;
  const std::vector<Table> tables_;
  std::vector<const std::uint32_t*> context_;
  Machine machine_{};
};

}  // namespace scrimp
