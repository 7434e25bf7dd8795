#include "store/keeper.h"

#include <tuple>

namespace scrimp {

Keeper::Keeper(const strategy::Cache& cache, const std::uint8_t* kinds, Budget& budget)
    : kinds_(kinds), traits_(budget), on_path_(budget), part_numbers_(budget) {
  for (const Share& part : cache.policy) {
    parts_.push_back({part.percent, make_candidates(part.policy, cache, traits_, budget)});
    switch (part.policy) {
      case Policy::random:
      case Policy::fifo: break;
      case Policy::lru:
      case Policy::mru: reorders_ = true; break;
      case Policy::lfu:
      case Policy::mfu:
      case Policy::largest_class: reorders_ = counts_visits_ = true; break;
      case Policy::smallest_subtree: measures_subtrees_ = true; break;
      case Policy::type: tags_kinds_ = true; break;
    }
  }
  notices_ = reorders_ || tags_kinds_;
}

void Keeper::set_capacity(std::uint64_t states) {
  std::uint64_t rest = states;
  for (Part& part : parts_) {
    part.room = &part == &parts_.back()
                    ? rest
                    : std::min(rest, states / 100 * part.percent + states % 100 * part.percent / 100);
    rest -= part.room;
  }
}

/// Moves states that the parts have no room for to later parts, if `path` states are on the path.
void Keeper::settle(std::uint64_t path) {
  std::uint64_t without_room = path;
  for (std::size_t i = 0; i + 1 < parts_.size(); ++i) {
    Part& part = parts_[i];
    while (part.size != 0 && without_room + part.size > part.room) join(i + 1, part.take());
    without_room -= std::min(without_room, part.room);
  }
}

Slot Keeper::give_up(std::uint64_t states) {
  if (is_cascade()) {
    set_capacity(states);
    settle(path_ + 1);
  }
  for (auto part = parts_.rbegin(); part != parts_.rend(); ++part)
    if (part->size != 0) return part->take();
  return no_slot;
}

bool Keeper::resize(std::uint64_t slots) {
  if (resize_columns(slots)) {
    slots_ = slots;
    return true;
  }
  std::ignore = resize_columns(slots_);
  return false;
}

bool Keeper::resize_columns(std::uint64_t slots) {
  const auto fits = [&](bool needed, auto& column) { return !needed || column.resize(slots); };
  if (!on_path_.resize(slots) || !fits(is_cascade(), part_numbers_)) return false;
  if (!fits(counts_visits_, traits_.visits) || !fits(tags_kinds_, traits_.kind) ||
      !fits(measures_subtrees_, traits_.subtree))
    return false;
  for (Part& part : parts_)
    if (!part.candidates->resize(slots)) return false;
  return true;
}

std::size_t Keeper::row_bytes() const {
  std::size_t bytes =
      sizeof(Times) + is_cascade() + counts_visits_ + tags_kinds_ + measures_subtrees_ * sizeof(std::uint32_t);
  for (const Part& part : parts_) bytes += part.candidates->row_bytes();
  return bytes;
}

std::uint64_t Keeper::bytes() const {
  std::uint64_t bytes = on_path_.bytes() + part_numbers_.bytes() + traits_.visits.bytes() + traits_.kind.bytes() +
                        traits_.subtree.bytes();
  for (const Part& part : parts_) bytes += part.candidates->bytes();
  return bytes;
}

}  // namespace scrimp
