// The sets that forget nothing, as a depth-first search with a reduction uses them: with a mark beside every state, or
// without where it remembers nothing of them.
#pragma once

#include <concepts>
#include <cstdint>
#include <utility>

#include "store/path_set.h"
#include "store/plain_set.h"
#include "store/tree_set.h"

namespace scrimp {

/// What is the same in both: the path needs no keeping, as nothing is ever forgotten.
template <class Set>
class KeepingSet {
 public:
  static constexpr bool keys_are_hashes = Set::keys_are_hashes;

  template <class... Parameters>
    requires std::constructible_from<Set, const Machine&, Parameters...>
  explicit KeepingSet(const Machine& machine, Parameters&&... parameters)
      : set_(machine, std::forward<Parameters>(parameters)...) {}

  void prepare(const Word* states, std::uint32_t count, Word* keys) { set_.prepare(states, count, keys); }
  void fetch_mark(Word hash, Slot) const {
    if constexpr (requires { set_.fetch(hash); }) set_.fetch(hash);
  }
  void put_on_path(Slot) {}
  void leave_path(Slot) {}
  Reason lack() const { return Reason::memory; }
  std::uint64_t size() const { return set_.size(); }
  std::uint64_t stored_peak() const { return set_.size(); }
  std::uint64_t bytes() const { return set_.bytes(); }
  std::uint64_t state_bytes() const { return set_.state_bytes(); }
  double expected_omissions() const
    requires requires(const Set& set) { set.expected_omissions(); }
  {
    return set_.expected_omissions();
  }

 protected:
  Set set_;
};

template <class Set>
class UnmarkedSet : public KeepingSet<Set> {
 public:
  using KeepingSet<Set>::KeepingSet;

  Entered enter(const Word* state, Word key, std::uint8_t) { return {this->set_.insert(state, key), 0}; }
  Mark& mark(Slot) { return unused_; }
  Mark& mark_of(const Word*, Slot) { return unused_; }

 private:
  Mark unused_ = 0;
};

template <class Set>
class MarkedSet : public KeepingSet<Set> {
 public:
  using KeepingSet<Set>::KeepingSet;

  Entered enter(const Word* state, Word key, std::uint8_t) {
    const typename Set::Place place = this->set_.place(state, key);
    beside_ = place.beside;
    return {place.insertion, 0};
  }
  Mark& mark(Slot) { return *reinterpret_cast<Mark*>(beside_); }
  Mark& mark_of(const Word* state, Slot slot) {
    Word key;
    this->prepare(state, 1, &key);
    enter(state, key, 0);
    return mark(slot);
  }

 private:
  Word* beside_ = nullptr;
};

static_assert(PathSet<UnmarkedSet<PlainSet<1>>> && PathSet<MarkedSet<PlainSet<0, 1>>> &&
              PathSet<MarkedSet<TreeSet<0, 1>>>);

}  // namespace scrimp
