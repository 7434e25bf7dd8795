// Named numbers that a search reports, besides those that every search counts (see Counts): the code that runs a store
// sets them, and no code between here and the reader needs to know the names.
//
//   stored_peak, state_bytes, distinct_states    of stores in general
//   events_beside                                events fired for purposes other than the search
//   bytes.table, bytes.frontier, ...             the peak memory of each part
//   snapshots.taken, pseudoroot.kept, ...        of one store
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace scrimp {

class Report {
 public:
  using List = std::vector<std::uint64_t>;
  using Value = std::variant<std::uint64_t, double, List>;

  // Not inline: every search calls these at its end, dozens of times in its compiled variants.
  void set(std::string_view name, std::uint64_t value);
  void set(std::string_view name, double value);
  void set(std::string_view name, List value);
  void add(std::string_view name, std::uint64_t more) { set(name, whole(name) + more); }
  void raise(std::string_view name, std::uint64_t least) { set(name, std::max(whole(name), least)); }

  /// 0, or an empty list, if there is no such value.
  std::uint64_t whole(std::string_view name) const { return value<std::uint64_t>(name); }
  double real(std::string_view name) const { return value<double>(name); }
  List list(std::string_view name) const { return value<List>(name); }

  const std::map<std::string, Value, std::less<>>& values() const { return values_; }

 private:
  template <class Type>
  Type value(std::string_view name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? Type{} : std::get<Type>(found->second);
  }

  std::map<std::string, Value, std::less<>> values_;
};

}  // namespace scrimp
