#include "reduction/rank_sample.h"

#include <cstddef>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "search/expansion/expander.h"

namespace scrimp {

namespace {

using State = std::vector<Word>;

/// P always holds.
struct Anywhere final : Surroundings {
  bool leads_back(std::uint32_t) override { return false; }
  bool is_asleep(std::uint32_t) override { return false; }
};

class Sampling {
 public:
  Sampling(const Machine& machine, Selection& selection, Budget& budget)
      : selection_(selection),
        expander_(machine, std::nullopt, budget),
        words_(machine.words),
        states_(std::size_t{machine.max_successors} * machine.words),
        events_(machine.max_successors) {}

  Ranks::Sample run() {
    State initial(words_);
    expander_.machine().initial(initial.data());
    meet(initial.data());
    while (!met_.empty() && visited_ < sampled_states) {  // L1, L4
      const std::vector<State> level = std::exchange(met_, {});
      const std::size_t most = visited_ < broadly_sampled_states ? level.size() : sampled_of_level;  // L3
      const std::size_t stride = (level.size() + most - 1) / most;
      for (std::size_t i = 0; i < level.size() && visited_ < sampled_states; i += stride) visit(level[i].data());
    }
    return std::move(sample_);
  }

 private:
  void visit(const Word* state) {
    ++visited_;
    const std::optional<Entries> entries = list(state);
    if (!entries) return;
    chosen_.resize(entries->count);
    const bool selects = entries->count > 1 && selection_.choose(state, *entries, anywhere_, chosen_.data());
    for (std::uint32_t entry = 0; entry < entries->count; ++entry) {
      if ((selects && chosen_[entry] == 0) || (entries->events[entry] & fault_flag)) continue;
      const Word* const successor = entries->states + std::size_t{entry} * words_;
      meet(successor);
      if (selects) sample_.targets.insert(sample_.targets.end(), successor, successor + words_);
    }
    if (!selects) return;
    sample_.sources.insert(sample_.sources.end(), state, state + words_);  // L2
    sample_.ends.push_back(sample_.targets.size() / words_);
  }

  /// The entries of a state; none if it has none, or not all of them are known.
  std::optional<Entries> list(const Word* state) {
    const Expansion expansion = expander_.expand(state, states_.data(), events_.data());
    if (expansion.count == 0 || expansion.flags & misfit_flag) return {};
    if (!leads_on(expansion)) return Entries{states_.data(), events_.data(), expansion.count};
    if (!expander_.pass(state, expansion, states_.data(), events_.data(), {})) return {};
    const Passage& passage = expander_.passage();
    if (passage.count() == 0 || passage.flags() & misfit_flag) return {};
    return Entries{passage.states(), passage.events(), passage.count()};
  }

  void meet(const Word* state) {
    const auto [place, is_fresh] = known_.emplace(state, state + words_);
    if (is_fresh) met_.push_back(*place);
  }

  Selection& selection_;
  Expander expander_;
  const std::uint32_t words_;
  std::vector<Word> states_;
  std::vector<EventId> events_;
  std::vector<std::uint8_t> chosen_;
  Anywhere anywhere_;
  std::set<State> known_;
  std::vector<State> met_;  // that are not visited yet: those of the next level
  std::uint32_t visited_ = 0;
  Ranks::Sample sample_;
};

}  // namespace

Ranks::Sample sample_choices(const Machine& machine, Selection& selection, Budget& budget) {
  return Sampling(machine, selection, budget).run();
}

}  // namespace scrimp
