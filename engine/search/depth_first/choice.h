// Chooses which entries of a depth-first path's last state to take: those that the selection chooses and that are not
// asleep. The others are marked in the block as left out.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/machine.h"
#include "reduction/ranked_choice.h"
#include "reduction/selection.h"
#include "search/depth_first/path_expansion.h"
#include "search/depth_first/path_frames.h"
#include "search/depth_first/sleep.h"

namespace scrimp {

/// `Search::hash_ahead(place)` is the path's hash of a successor that was not passed to the set yet.
template <class Search, std::uint32_t fixed_words, class Frame, class Sleep>
class Choice final : private Surroundings {
 public:
  /// A null selection chooses all entries.
  Choice(std::unique_ptr<Selection> selection, PathExpansion<fixed_words>& expansion, PathFrames<Frame>& frames,
         Sleep& sleep, Search& search)
      : selection_(std::move(selection)), expansion_(expansion), frames_(frames), sleep_(sleep), search_(search) {}

  bool selects() const { return selection_ != nullptr; }

  Entries entries() {
    return {expansion_.successor(blocks().begin()), blocks().events() + blocks().begin(), blocks().count()};
  }

  /// Marks the entries of `state`, the path's last, that are not to be taken; `fresh` if it is entered for the first
  /// time. Returns whether all entries are taken.
  template <class Listener>
  [[gnu::always_inline]] bool takes_all(const Word* state, bool fresh, Listener& listener) {
    if constexpr (Sleep::sleeps) {
      if (const SleepSet before = frames_.top().sleep.woken_of; before != SleepSetTable::empty) [[unlikely]] {
        leave_out([&](EventId event) { return !sleep_.contains(before, event); });
        leave_out_asleep();
        return false;
      }
    }
    const bool chooses = selects() && blocks().count() > 1 && leave_out_unchosen(state, fresh, listener);
    return !leave_out_asleep() && !chooses;
  }

 private:
  BlockStack& blocks() { return expansion_.blocks(); }

  template <class IsLeftOut>
  void leave_out(IsLeftOut is_left_out) {
    EventId* const events = blocks().events() + blocks().begin();
    for (std::uint32_t entry = 0; entry < blocks().count(); ++entry)
      if (events[entry] != left_out && is_left_out(events[entry] & event_mask)) events[entry] = left_out;
  }

  bool leave_out_asleep() {
    if constexpr (Sleep::sleeps) {
      const auto asleep = frames_.top().sleep.at_first;
      if (!asleep.is_anything()) return false;
      leave_out([&](EventId event) { return sleep_.contains(asleep, event); });
      return true;
    }
    return false;
  }

  template <class Listener>
  bool leave_out_unchosen(const Word* state, bool fresh, Listener& listener) {
    const Entries listed = entries();
    if (chosen_.size() < listed.count) chosen_.resize(listed.count);
    if (!selection_->choose(state, listed, *this, chosen_.data())) return false;
    if (fresh) listener.chosen(state, listed, chosen_.data(), *this);
    EventId* const events = blocks().events() + blocks().begin();
    for (std::uint32_t entry = 0; entry < listed.count; ++entry)
      if (chosen_[entry] == 0) events[entry] = left_out;
    return true;
  }

  bool leads_back(std::uint32_t entry) override {
    return frames_.find(search_.hash_ahead(blocks().begin() + entry)) != PathTable::nowhere;
  }
  bool is_asleep(std::uint32_t entry) override {
    if constexpr (Sleep::sleeps)
      return sleep_.contains(frames_.top().sleep.at_first, blocks().events()[blocks().begin() + entry] & event_mask);
    return false;
  }

  const std::unique_ptr<Selection> selection_;
  PathExpansion<fixed_words>& expansion_;
  PathFrames<Frame>& frames_;
  Sleep& sleep_;
  Search& search_;
  std::vector<std::uint8_t> chosen_;
};

}  // namespace scrimp
