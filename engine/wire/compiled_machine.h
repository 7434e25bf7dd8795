// A machine as Python hands it over: a blob of code and the numbers that describe it.
#pragma once

#include <any>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/machine.h"
#include "wire/executable.h"

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
  std::optional<std::uint64_t> arrive;
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

/// Owns what its `Machine` points to. Throws std::invalid_argument or std::out_of_range if the numbers contradict each
/// other.
class CompiledMachine {
 public:
  using State = std::vector<Word>;

  struct Successor {
    EventId event;  // with flags
    State state;
  };

  /// The context of the functions is the addresses of the given tables, one after the other; null if there are none.
  /// `owner` keeps the tables where they are.
  CompiledMachine(std::string_view code, const Shape& shape, const EntryPoints& entries,
                  std::vector<const std::uint32_t*> tables = {}, std::any owner = {});

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
  const std::vector<const std::uint32_t*> context_;
  const std::any owner_;
  Machine machine_{};
};

}  // namespace scrimp
