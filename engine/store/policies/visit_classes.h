// Classes of states that were visited equally often (GHP92, section 5): evicts one of the most or least frequently
// visited states, or one of the largest class. Within a class it is the oldest member.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "store/policies/candidates.h"
#include "store/slot_lists.h"

namespace scrimp {

class VisitClasses final : public Candidates {
 public:
  enum class Which : std::uint8_t { least_visited, most_visited, largest };

  VisitClasses(Which which, const Traits& traits, Budget& budget) : which_(which), traits_(traits), lists_(budget) {}

  void add(Slot slot) override {
    const std::uint8_t visits = traits_.visits[slot];
    lists_.append(classes_[visits], slot);
    lowest_ = std::min(lowest_, visits);
    highest_ = std::max(highest_, visits);
  }

  void remove(Slot slot) override { lists_.remove(classes_[traits_.visits[slot]], slot); }

  void met(Slot slot, std::uint8_t visits_before) override {
    lists_.remove(classes_[visits_before], slot);
    add(slot);
  }

  Slot choose() override {
    while (classes_[lowest_].size == 0) ++lowest_;
    while (classes_[highest_].size == 0) --highest_;
    return chosen_class().first;
  }

  [[nodiscard]] bool resize(std::uint64_t slots) override { return lists_.resize(slots); }
  std::size_t row_bytes() const override { return SlotLists::row_bytes; }
  std::uint64_t bytes() const override { return lists_.bytes(); }

 private:
  using Class = SlotLists::List;

  const Class& chosen_class() const {
    switch (which_) {
      case Which::least_visited: return classes_[lowest_];
      case Which::most_visited: return classes_[highest_];
      case Which::largest: break;
    }
    const auto smaller = [](const Class& left, const Class& right) { return left.size < right.size; };
    return *std::max_element(&classes_[lowest_], &classes_[highest_] + 1, smaller);
  }

  Which which_;
  const Traits& traits_;
  SlotLists lists_;
  std::array<Class, Traits::most_visits + 1> classes_;
  std::uint8_t lowest_ = Traits::most_visits, highest_ = 0;  // classes beyond these are empty
};

}  // namespace scrimp
