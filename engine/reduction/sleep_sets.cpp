#include "reduction/sleep_sets.h"

#include <algorithm>
#include <limits>

#include "core/hash.h"

namespace scrimp {

bool are_any_independent(const Relations& relations) {
  for (std::size_t row = 0; row < relations.classes; ++row)
    for (std::size_t column = 0; column < relations.classes; ++column)
      if (!relations.are_classes_dependent(row, column)) return true;
  return false;
}

std::vector<SleepSetTable::Independence> SleepSetTable::find_independence(const Relations& relations) {
  const auto bit = [](std::size_t one) { return EventClasses{1} << one % std::numeric_limits<EventClasses>::digits; };
  std::vector<Independence> of_class(relations.classes);
  for (std::size_t row = 0; row < relations.classes; ++row) {
    of_class[row].own = bit(row);
    for (std::size_t column = 0; column < relations.classes; ++column)
      if (!relations.are_classes_dependent(row, column)) of_class[row].others |= bit(column);
  }
  std::vector<Independence> found(relations.events());
  for (EventId event = 0; event < relations.events(); ++event)
    found[event] = of_class[relations.dependence_class[event]];
  return found;
}

SleepSetTable::SleepSetTable(const Relations& relations, Budget& budget)
    : relations_(relations),
      independence_(find_independence(relations)),
      members_(budget),
      begins_(budget),
      table_(budget),
      recent_(budget),
      has_room_(members_.resize(small_page) && begins_.resize(small_page) && table_.resize(small_page) &&
                recent_.resize(recent_places * sizeof(Recent))) {}

bool SleepSetTable::contains(SleepSet set, EventId event) const {
  if (set == empty) return false;
  return std::binary_search(begin(set), end(set), event);
}

bool SleepSetTable::includes(SleepSet whole, SleepSet part) const {
  if (part == empty || part == whole) return true;
  return std::includes(begin(whole), end(whole), begin(part), end(part));
}

bool SleepSetTable::includes(SleepSet a, SleepSet b, SleepSet part) const {
  return std::all_of(begin(part), end(part), [&](EventId event) { return contains(a, event) || contains(b, event); });
}

SleepSet SleepSetTable::intersection(SleepSet a, SleepSet b) {
  if (a == b) return a;
  gathered_.clear();
  std::set_intersection(begin(a), end(a), begin(b), end(b), std::back_inserter(gathered_));
  return numbered();
}

SleepSet SleepSetTable::computed(Recent& place, SleepSet set, std::uint32_t key) {
  if (!has_room_) return no_room;
  const EventId event = key >> 1;
  gathered_.clear();
  if (key % 2 == static_cast<std::uint32_t>(Operation::after)) {
    std::copy_if(begin(set), end(set), std::back_inserter(gathered_),
                 [&](EventId each) { return !relations_.dependent(each, event); });
  } else {
    const EventId* const where = std::lower_bound(begin(set), end(set), event);
    gathered_.assign(begin(set), where);
    gathered_.push_back(event);
    gathered_.insert(gathered_.end(), where != end(set) && *where == event ? where + 1 : where, end(set));
  }
  const SleepSet result = numbered();
  if (result != no_room) place = {set, key, result};
  return result;
}

SleepSet SleepSetTable::numbered() {
  if (gathered_.empty()) return empty;
  const std::uint64_t hashed = hash(gathered_.data(), gathered_.data() + gathered_.size());
  const std::uint64_t mask = table_.bytes() / sizeof(SleepSet) - 1;
  const SleepSet* const table = table_.as<SleepSet>();
  for (std::uint64_t place = hashed & mask; table[place] != 0; place = (place + 1) & mask) {
    const SleepSet set = table[place];
    if (std::equal(begin(set), end(set), gathered_.begin(), gathered_.end())) return set;
  }
  return add(hashed) ? count_ - 1 : no_room;
}

bool SleepSetTable::add(std::uint64_t hashed) {
  const std::size_t used = begins_.as<std::uint32_t>()[count_];
  const std::size_t members = (used + gathered_.size()) * sizeof(EventId);
  const std::size_t begins = (std::size_t{count_} + 2) * sizeof(std::uint32_t);
  if (count_ + 1 >= most_sets || members > std::uint64_t{no_room} ||
      (members > members_.bytes() && !members_.resize(members / 2 * 3)) ||
      (begins > begins_.bytes() && !begins_.resize(begins / 2 * 3)) ||
      (std::size_t{count_} * 2 * sizeof(SleepSet) > table_.bytes() && !grow_table()))
    return has_room_ = false;
  std::copy(gathered_.begin(), gathered_.end(), members_.as<EventId>() + used);
  begins_.as<std::uint32_t>()[count_ + 1] = static_cast<std::uint32_t>(used + gathered_.size());
  const std::uint64_t mask = table_.bytes() / sizeof(SleepSet) - 1;
  std::uint64_t place = hashed & mask;
  while (table_.as<SleepSet>()[place] != 0) place = (place + 1) & mask;
  table_.as<SleepSet>()[place] = count_++;
  return true;
}

bool SleepSetTable::grow_table() {
  Region larger(table_.budget());
  if (!larger.resize(2 * table_.bytes())) return false;
  const std::uint64_t mask = larger.bytes() / sizeof(SleepSet) - 1;
  for (SleepSet set = 1; set < count_; ++set) {
    std::uint64_t place = hash(begin(set), end(set)) & mask;
    while (larger.as<SleepSet>()[place] != 0) place = (place + 1) & mask;
    larger.as<SleepSet>()[place] = set;
  }
  table_ = std::move(larger);
  return true;
}

std::uint64_t SleepSetTable::hash(const EventId* first, const EventId* last) const {
  Word hashed = 1;
  for (; first != last; ++first) hashed = fold(hashed ^ *first, odd_constants[2]) + odd_constants[3];
  return hashed ^ hashed >> 32;
}

}  // namespace scrimp
