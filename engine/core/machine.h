// The engine's view of a model: a few pure, thread-safe functions and the numbers that describe them.
// src/scrimp/machine/abi.py mirrors the layout of these structs; a test compares the two.
#pragma once

#include <cstdint>

namespace scrimp {

using Word = std::uint64_t;
using EventId = std::uint32_t;

/// Set in an event id by `successors`: firing the event is a fault and leads to no state.
inline constexpr EventId fault_flag = 1u << 31;
/// Set likewise: a value did not fit its narrowed field; the words of this successor are meaningless.
inline constexpr EventId misfit_flag = 1u << 30;
/// Set likewise: a non-fatal assertion failed; the event still leads to its successor.
inline constexpr EventId failed_flag = 1u << 29;
/// Set likewise: the process `holders[event]` has exclusive control. If `alone` lists events for it, the successor is
/// transient: never stored, and left by those events only; if it lists none, the successor is an ordinary state.
inline constexpr EventId atomic_flag = 1u << 28;
inline constexpr EventId event_mask = atomic_flag - 1;

/// Replaces an in-degree that is too large to count.
inline constexpr std::uint32_t saturated = ~std::uint32_t{0};

/// Replaces a process: all of them.
inline constexpr std::uint32_t anybody = ~std::uint32_t{0};
/// Replaces a process with exclusive control: all but a claim, which has just moved. If neither they nor the claim can
/// move, the sequence ends without a state.
inline constexpr std::uint32_t the_program = anybody - 1;
/// Replaces a process with exclusive control: a claim that continues. If it cannot move, the sequence ends without a
/// state.
inline constexpr std::uint32_t the_claim = anybody - 2;
/// The same if the program could not move before: the claim continues to an ordinary state.
inline constexpr std::uint32_t the_settling_claim = anybody - 3;

/// The functions of a machine; each takes the machine's context first.
struct Functions {
  void (*initial)(const void* context, Word* state) = nullptr;
  /// Writes the words of every successor (`words` each, one after the other) and its event id with flags, in the order
  /// of event ids. Returns their number in the low half and the union of their flags in the high half.
  std::uint64_t (*successors)(const void* context, const Word* state, Word* successors, EventId* events) = nullptr;
  /// Bit i is set if watch i is hit: an invariant is violated, or a state to reach is reached. Null if there is no
  /// watch.
  std::uint64_t (*watch)(const void* context, const Word* state) = nullptr;
  /// Whether a state without events is a valid end state. Null: none is.
  std::uint32_t (*valid_end)(const void* context, const Word* state) = nullptr;
  /// Like `successors`, for the events that one process leads. Null if the machine has no `holders`.
  std::uint64_t (*alone)(const void* context, const Word* state, std::uint32_t holder, Word* successors,
                         EventId* events) = nullptr;
  /// Whether a process, or `anybody`, offers a handshake in a state. Null: none ever does.
  std::uint32_t (*offers)(const void* context, const Word* state, std::uint32_t holder) = nullptr;
  /// The in-degree of a state, parallel edges included, counting edges from all states that the layout can hold,
  /// reachable or not; `saturated` if it is too large to count. An edge leads from one stored state to another,
  /// possibly through transient ones. Null if it is not computed.
  std::uint32_t (*in_degree)(const void* context, const Word* state) = nullptr;
  /// Called with an ordinary state that an event with `atomic_flag` has led to, because its holder cannot continue; may
  /// change it. Null: nothing is to be done.
  void (*arrive)(const void* context, Word* state) = nullptr;
};

/// A state is `words` 64-bit words. Bit 0 of word 0 is set in every state, so that a zero first word means "no state";
/// word i uses only its lowest `word_bits[i]` bits, the others are zero.
struct Machine {
  std::uint32_t words = 0;
  std::uint32_t max_successors = 0;         // no call of `successors` or `alone` reports more events than this
  std::uint32_t transitions = 0;            // event ids are below this
  std::uint32_t watches = 0;                // how many bits of `watch` are meaningful
  const std::uint8_t* word_bits = nullptr;  // `words` numbers from 1 to 64
  /// `transitions` numbers: the process that has exclusive control after an event with `atomic_flag`. Null: no event
  /// has it.
  const std::uint32_t* holders = nullptr;
  /// `transitions` numbers: how many steps of a path an event counts for. From depth d an event of n steps reaches d +
  /// n - 1 in any case, and d + n if its successor is fresh or transient. Null: every event is one step.
  const std::uint8_t* steps = nullptr;
  /// Data that the functions use besides the state; null if their code contains everything.
  const void* context = nullptr;
  Functions functions = {};

  bool has_watch() const { return functions.watch != nullptr; }
  bool has_offers() const { return functions.offers != nullptr; }
  bool has_in_degree() const { return functions.in_degree != nullptr; }

  void initial(Word* state) const { functions.initial(context, state); }
  std::uint64_t successors(const Word* state, Word* successors, EventId* events) const {
    return functions.successors(context, state, successors, events);
  }
  std::uint64_t watch(const Word* state) const { return functions.watch(context, state); }
  bool valid_end(const Word* state) const {
    return functions.valid_end != nullptr && functions.valid_end(context, state) != 0;
  }
  std::uint64_t alone(const Word* state, std::uint32_t holder, Word* successors, EventId* events) const {
    return functions.alone(context, state, holder, successors, events);
  }
  std::uint32_t offers(const Word* state, std::uint32_t holder) const {
    return functions.offers(context, state, holder);
  }
  std::uint32_t in_degree(const Word* state) const { return functions.in_degree(context, state); }
  bool has_arrivals() const { return functions.arrive != nullptr; }
  void arrive(Word* state) const { functions.arrive(context, state); }
};

}  // namespace scrimp
