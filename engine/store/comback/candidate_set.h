// The candidates of delayed duplicate detection (EWK09, section 4): states that were met and whose hash is known, each
// with the edge by which it was first met. Keyed by state, so that a state met twice before a detection is one
// candidate.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "core/hash.h"
#include "core/machine.h"
#include "core/region_vector.h"
#include "store/comback/state_id.h"

namespace scrimp {

class CandidateSet {
 public:
  struct Candidate {
    Word hash;
    Backedge edge;
    StateId id;  // of the visited state that equals it, or `nobody`

    bool is_known() const { return id != nobody; }
  };
  static constexpr StateId nobody = ~StateId{0};
  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};

  CandidateSet(Budget& budget, std::uint32_t words)
      : words_(words), states_(budget), candidates_(budget), index_(budget) {}

  bool empty() const { return candidates_.empty(); }
  std::uint64_t size() const { return candidates_.size(); }
  const Candidate& operator[](std::uint64_t place) const { return candidates_[place]; }
  const Word* state(std::uint64_t place) const { return states_.data() + place * words_; }

  /// The candidate that equals a state, or `nowhere`.
  std::uint32_t find(const Word* state, Word hash) const {
    if (candidates_.empty()) return nowhere;
    for (std::uint64_t place = home(hash); index_[place] != 0; place = (place + 1) & (index_.size() - 1)) {
      const std::uint32_t found = index_[place] - 1;
      if (candidates_[found].hash == hash && std::equal(state, state + words_, this->state(found))) return found;
    }
    return nowhere;
  }

  /// Adds a state that is not a candidate yet.
  void add(const Word* state, Word hash, const Backedge& edge) {
    if (2 * (candidates_.size() + 1) > index_.size()) grow();
    const std::size_t first = states_.size();
    states_.resize(first + words_);
    std::memcpy(states_.data() + first, state, words_ * sizeof(Word));
    candidates_.push({hash, edge, nobody});
    link(candidates_.size() - 1);
  }

  /// Notes that this state, which may or may not be a candidate, is the visited state `id`.
  void discard(const Word* state, Word hash, StateId id) {
    if (const std::uint32_t found = find(state, hash); found != nowhere) candidates_[found].id = id;
  }

  /// Numbers a candidate that turned out to be new.
  void number(std::uint64_t place, StateId id) { candidates_[place].id = id; }

  void clear() {
    states_.clear();
    candidates_.clear();
    std::fill(index_.begin(), index_.end(), 0);
  }

  std::uint64_t bytes() const { return states_.bytes() + candidates_.bytes() + index_.bytes(); }
  static std::uint64_t candidate_bytes(std::uint32_t words) {
    return words * sizeof(Word) + sizeof(Candidate) + 3 * sizeof(std::uint32_t);
  }

 private:
  static constexpr std::size_t least_entries = 1024;

  std::uint64_t home(Word hash) const { return hash & (index_.size() - 1); }

  void link(std::size_t number) {
    std::uint64_t place = home(candidates_[number].hash);
    while (index_[place] != 0) place = (place + 1) & (index_.size() - 1);
    index_[place] = static_cast<std::uint32_t>(number + 1);
  }

  void grow() {
    index_.resize(std::max(least_entries, 2 * index_.size()));
    std::fill(index_.begin(), index_.end(), 0);
    for (std::size_t i = 0; i < candidates_.size(); ++i) link(i);
  }

  const std::uint32_t words_;
  RegionVector<Word> states_;
  RegionVector<Candidate> candidates_;  // in the order of insertion
  RegionVector<std::uint32_t> index_;   // number of a candidate + 1, or 0 if free; the size is a power of two
};

}  // namespace scrimp
