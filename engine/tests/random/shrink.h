// Shrinks a system while a given property of it remains true.
#pragma once

#include <cstddef>

#include "tests/random/system.h"

namespace scrimp::testing {

/// One step at a time: drops a transition, a watch, or a part of a transition, and undoes the step if that was too
/// much.
template <class Holds>
class Shrinking {
 public:
  Shrinking(System system, Holds holds) : system_(std::move(system)), holds_(holds) {}

  System run() {
    while (drop_something()) {
    }
    return system_;
  }

 private:
  bool drop_something() {
    bool dropped = drop_each(&System::transitions) || drop_each(&System::watches);
    for (std::size_t i = 0; i < system_.transitions.size(); ++i) dropped = simplify(i) || dropped;
    return dropped;
  }

  bool keep_if_holds(System smaller) {
    if (!holds_(smaller)) return false;
    system_ = std::move(smaller);
    return true;
  }

  template <class Item>
  bool drop_each(std::vector<Item> System::* list) {
    bool dropped = false;
    for (std::size_t i = (system_.*list).size(); i-- > 0;) {
      System smaller = system_;
      (smaller.*list).erase((smaller.*list).begin() + static_cast<std::ptrdiff_t>(i));
      dropped = keep_if_holds(std::move(smaller)) || dropped;
    }
    return dropped;
  }

  bool simplify(std::size_t transition) {
    bool dropped = drop_parts(transition, &Transition::guard);
    dropped = drop_parts(transition, &Transition::assignments) || dropped;
    dropped = drop_parts(transition, &Transition::assertion) || dropped;
    dropped = change(transition, &Transition::operation, Operation{}) || dropped;
    dropped = change(transition, &Transition::is_timeout, false) || dropped;
    dropped = change(transition, &Transition::holder, no_process) || dropped;
    if (system_.transitions[transition].moves.size() < 2) return dropped;
    System smaller = system_;
    smaller.transitions[transition].moves.pop_back();
    return keep_if_holds(std::move(smaller)) || dropped;
  }

  template <class Part>
  bool drop_parts(std::size_t transition, std::vector<Part> Transition::* list) {
    bool dropped = false;
    for (std::size_t i = (system_.transitions[transition].*list).size(); i-- > 0;) {
      System smaller = system_;
      auto& parts = smaller.transitions[transition].*list;
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i));
      dropped = keep_if_holds(std::move(smaller)) || dropped;
    }
    return dropped;
  }

  template <class Part>
  bool change(std::size_t transition, Part Transition::* part, const Part& to) {
    if (system_.transitions[transition].*part == to) return false;
    System smaller = system_;
    smaller.transitions[transition].*part = to;
    return keep_if_holds(std::move(smaller));
  }

  System system_;
  Holds holds_;
};

template <class Holds>
System shrink(System system, Holds holds) {
  return Shrinking(std::move(system), holds).run();
}

}  // namespace scrimp::testing
