#include "search/breadth_first/levels.h"

#include <algorithm>
#include <new>
#include <unordered_map>
#include <utility>

#include "search/checkpoint/saved_findings.h"

namespace scrimp {

/// Looks for parents of all wanted states of one level at a time.
class ParentScan {
 public:
  ParentScan(Levels& levels, Expander& expander, const std::function<bool()>& give_up)
      : levels_(levels),
        expander_(expander),
        give_up_(give_up),
        words_(expander.machine().words),
        states_(std::size_t{states_at_once} * words_),
        successors_(std::size_t{expander.machine().max_successors} * words_),
        events_(expander.machine().max_successors) {}

  void run() {
    std::uint64_t deepest = 0;
    for (auto& sighting : levels_.sightings_) {  // L1
      deepest = std::max(deepest, sighting.level);
      sighting.finding.events.reserve(sighting.finding.events.size() + sighting.level);
    }
    std::uint64_t first = 0;  // index in the file of the first state of a level
    for (std::uint64_t level = 0; level < deepest; ++level) first += levels_.levels_[level].states;
    bool found = true;
    for (std::uint64_t level = deepest; found && level != 0; --level) {  // L2
      first -= levels_.levels_[level - 1].states;
      found = scan(level, first);
    }
    for (auto& sighting : levels_.sightings_) {
      sighting.complete = sighting.level == 0;
      std::reverse(sighting.finding.events.begin(), sighting.finding.events.end());  // L5
    }
  }

 private:
  static constexpr std::uint32_t states_at_once = 4096;

  /// Replaces every state wanted on `level` by a parent on the previous level, whose first state is number `first`.
  bool scan(std::uint64_t level, std::uint64_t first) {
    want(level);
    const std::uint64_t end = first + levels_.levels_[level - 1].states;
    while (!wanted_.empty() && first != end && !give_up_()) {
      const std::uint64_t count =
          levels_.log_->read(first, std::min<std::uint64_t>(states_at_once, end - first), states_.data());
      if (count == 0) return false;
      for (std::uint64_t i = 0; i < count && !wanted_.empty(); ++i) find_children(&states_[i * words_]);  // L3
      first += count;
    }
    return wanted_.empty();
  }

  void want(std::uint64_t level) {
    wanted_.clear();
    for (std::size_t i = 0; i < levels_.sightings_.size(); ++i) {
      const auto& sighting = levels_.sightings_[i];
      if (sighting.level == level) wanted_.emplace(hash(sighting.state.data()), i);
    }
  }

  void find_children(const Word* parent) {
    const Expansion expansion = expander_.expand(parent, successors_.data(), events_.data());
    if (leads_on(expansion)) return pass(parent, expansion);
    find_among(parent, successors_.data(), events_.data(), expansion.count);
  }

  void pass(const Word* parent, const Expansion& expansion) {
    if (give_up_()) return;
    if (!expander_.pass(parent, expansion, successors_.data(), events_.data(), {})) throw std::bad_alloc();
    const Passage& passage = expander_.passage();
    find_among(parent, passage.states(), passage.events(), passage.count());
  }

  void find_among(const Word* parent, const Word* successors, const EventId* events, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count && !wanted_.empty(); ++i) {
      if (!(events[i] & (fault_flag | misfit_flag))) claim(parent, successors + std::size_t{i} * words_, i);
    }
  }

  /// Makes `parent` the wanted state of every path that wants `child`, which is its successor number `ordinal`.
  void claim(const Word* parent, const Word* child, std::uint32_t ordinal) {
    const auto [begin, end] = wanted_.equal_range(hash(child));
    for (auto candidate = begin; candidate != end;) {
      auto& sighting = levels_.sightings_[candidate->second];
      if (!std::equal(child, child + words_, sighting.state.begin())) {
        ++candidate;
        continue;
      }
      way_.clear();
      if (!expander_.list(parent, ordinal, way_)) throw std::bad_alloc();
      sighting.finding.events.insert(sighting.finding.events.end(), way_.rbegin(), way_.rend());  // L4
      sighting.state.assign(parent, parent + words_);
      --sighting.level;
      candidate = wanted_.erase(candidate);
    }
  }

  std::uint64_t hash(const Word* state) const {
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < words_; ++i) sum = (sum ^ state[i]) * 0x9e3779b97f4a7c15u;
    return sum ^ (sum >> 32);
  }

  Levels& levels_;
  Expander& expander_;
  const std::function<bool()>& give_up_;
  const std::uint32_t words_;
  std::vector<Word> states_;
  std::vector<Word> successors_;
  std::vector<EventId> events_;
  std::vector<EventId> way_;                                    // from a parent to its child
  std::unordered_multimap<std::uint64_t, std::size_t> wanted_;  // hash of a wanted state → its sighting
};

Levels::Levels(Budget& budget, const Machine& machine, bool keep_states)
    : Levels(budget, machine, keep_states ? std::make_unique<LevelLog>(budget, machine.words) : nullptr) {}

bool Levels::record(Finding finding, const Word* state) {
  const std::uint64_t appended = levels_.size() - 1;
  const std::uint64_t level = finding.kind == Finding::Kind::watch ? appended : appended - 1;
  std::reverse(finding.events.begin(), finding.events.end());
  sightings_.push_back({std::move(finding), level, {state, state + machine_.words}});
  return true;
}

std::vector<Finding> Levels::findings(Expander& expander, const std::function<bool()>& give_up) {
  if (sightings_.empty()) return {};
  log_->flush();
  ParentScan(*this, expander, give_up).run();
  std::vector<Finding> complete;
  for (Sighting& sighting : sightings_) {
    if (sighting.complete) complete.push_back(std::move(sighting.finding));
  }
  has_lost_paths_ = complete.size() != sightings_.size() && !log_->good();
  sightings_.clear();
  return complete;
}

void Levels::save(const Mark& mark, CheckpointWriter& file) const {
  std::uint64_t words = 1;
  for (std::size_t i = 0; i < mark.sightings; ++i) words += 1 + machine_.words + words_of(sightings_[i].finding);
  file.begin(Section::findings, words);
  file.add(mark.sightings);
  for (std::size_t i = 0; i < mark.sightings; ++i) {
    const Sighting& sighting = sightings_[i];
    file.add(sighting.level);
    file.add(sighting.state.data(), machine_.words);
    scrimp::save(sighting.finding, file);
  }
  file.finish();
  file.begin(Section::levels, 2 * mark.levels);
  for (std::size_t i = 0; i < mark.levels; ++i) {
    const Level& level = i + 2 == mark.levels ? mark.current : i + 1 == mark.levels ? mark.next : levels_[i];
    file.add(level.states);
    file.add(level.transitions);
  }
  file.finish();
}

void Levels::restore(CheckpointReader& file, const Reencoding* reencoding) {
  file.begin(Section::findings);
  for (Word left = file.next(); left != 0 && file.good(); --left) {
    const std::uint64_t level = file.next();
    Sightings::Sighting sighting = load_sighting(file, machine_.words, reencoding);
    sightings_.push_back({std::move(sighting.finding), level, std::move(sighting.state)});
  }
  file.finish();
  const std::uint64_t count = file.begin(Section::levels) / 2;
  levels_.clear();
  for (std::uint64_t i = 0; i < count && file.good(); ++i) {
    if (levels_.size() == levels_.capacity() && !add_room()) throw std::bad_alloc();
    const Word states = file.next(), transitions = file.next();
    levels_.push_back({states, transitions});
  }
  file.finish();
  if (levels_.size() < 2) file.complain("it has no levels");
  profile_.clear();
  for (std::size_t i = 0; i + 2 < levels_.size(); ++i) profile_.add(levels_[i]);
}

void Levels::describe(Report& report) const {
  profile_.report_to(report);
  report.set("levels.next", next_states());
  if (levels_.size() >= 2) report.set("levels.current", current_states());
}

std::vector<Level> Levels::take_counts() {
  if (levels_.back().states == 0) levels_.pop_back();
  return std::move(levels_);
}

/// While the vector grows, the old counts are held beside the new ones.
bool Levels::add_room() {
  const std::size_t wanted = std::max<std::size_t>(256, levels_.size() / 2 * 3);
  const std::uint64_t bytes = wanted * sizeof(Level);
  if (!budget_.take(bytes)) return false;
  levels_.reserve(wanted);
  budget_.give_back(std::exchange(count_bytes_, bytes));
  return true;
}

}  // namespace scrimp
