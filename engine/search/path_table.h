// The states of a depth-first path by their hash, to ask whether a state is on it.
//
// A hash stands for a state: two states of one hash are taken for each other. Who asks must be content with "perhaps".
// Linear probing; what is removed leaves no gap, as those behind it move up.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/hash.h"
#include "core/memory.h"

namespace scrimp {

class PathTable {
 public:
  explicit PathTable(Budget& budget) : slots_(budget) {}

  std::uint64_t bytes() const { return slots_.bytes(); }

  static Word hash(const Word* state, std::uint32_t words) { return hash_words(state, words) | 1; }

  bool contains(Word hashed) const {
    if (used_ == 0) return false;
    for (std::uint64_t place = home(hashed); slots()[place] != 0; place = (place + 1) & mask())
      if (slots()[place] == hashed) return true;
    return false;
  }

  /// A state may be added several times. Returns false where the budget is spent.
  [[nodiscard]] bool add(Word hashed) {
    if (2 * (used_ + 1) > size() && !grow()) return false;
    insert(hashed);
    ++used_;
    return true;
  }

  void remove(Word hashed) {
    std::uint64_t gap = home(hashed);
    while (slots()[gap] != hashed) gap = (gap + 1) & mask();
    for (std::uint64_t next = (gap + 1) & mask(); slots()[next] != 0; next = (next + 1) & mask()) {
      if (((next - home(slots()[next])) & mask()) < ((next - gap) & mask())) continue;  // it would lie before its home
      slots()[gap] = slots()[next];
      gap = next;
    }
    slots()[gap] = 0;
    --used_;
  }

 private:
  Word* slots() const { return slots_.as<Word>(); }
  std::uint64_t size() const { return slots_.bytes() / sizeof(Word); }
  std::uint64_t mask() const { return size() - 1; }
  std::uint64_t home(Word hashed) const { return scale(hashed, size()); }

  void insert(Word hashed) {
    std::uint64_t place = home(hashed);
    while (slots()[place] != 0) place = (place + 1) & mask();
    slots()[place] = hashed;
  }

  [[gnu::noinline]] bool grow() {
    Region old(slots_.budget());
    if (!old.resize(std::max(small_page, 2 * slots_.bytes()))) return false;
    std::swap(old, slots_);
    for (const Word *each = old.as<Word>(), *stop = each + old.bytes() / sizeof(Word); each != stop; ++each)
      if (*each != 0) insert(*each);
    return true;
  }

  Region slots_;  // hashes; zero is free; a power of two
  std::uint64_t used_ = 0;
};

}  // namespace scrimp
