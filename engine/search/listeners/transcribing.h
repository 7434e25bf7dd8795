// Listeners that number states in the order in which they are entered and write every edge to a transcript. A state's
// number is its annotation.
#pragma once

#include <cstdint>

#include "core/budget.h"
#include "core/region_vector.h"
#include "observe/observer.h"
#include "observe/transcript.h"
#include "search/listeners/listener.h"
#include "store/state_set.h"

namespace scrimp {

/// For a search in blocks that expands states in the order of their numbers. The block's events are the labels.
class BlockTranscript : public Silent {
 public:
  BlockTranscript(Transcript& transcript, Observer& observer, Budget& budget)
      : transcript_(transcript), observer_(observer), ends_(budget), targets_(budget) {}

  /// Another state was expanded; its successors in the block end here.
  void expanded(std::uint32_t end) { ends_.push(end); }

  /// The next successor of the block was visited.
  template <class Entry>
  void met(const Entry& entry) {
    if (entry.insertion == Insertion::fresh) entry.annotation() = next_++;
    targets_.push(entry.insertion == Insertion::no_room ? 0 : entry.annotation());
  }

  template <class Block>
  void settled(Block& block) {
    std::uint32_t place = 0;
    for (const std::uint32_t end : ends_) {
      for (; place < end; ++place) transcript_.add(expanded_, block.events()[place], targets_[place]);
      ++expanded_;
    }
    ends_.clear();
    targets_.clear();
    if (!transcript_.may_go_on()) observer_.end(Reason::disk);
  }

 private:
  Transcript& transcript_;
  Observer& observer_;
  RegionVector<std::uint32_t> ends_;  // in the block: the end of the successors of each expanded state
  RegionVector<StateNumber> targets_;
  StateNumber next_ = 0;
  StateNumber expanded_ = 0;
};

/// For a search that numbers its states itself.
class EdgeTranscript : public Silent {
 public:
  EdgeTranscript(Transcript& transcript, Observer& observer) : transcript_(transcript), observer_(observer) {}

  void edge(Word source, EventId label, Word target) { transcript_.add(source, label, target); }
  template <class Block>
  void settled(Block&) {
    if (!transcript_.may_go_on()) observer_.end(Reason::disk);
  }

 private:
  Transcript& transcript_;
  Observer& observer_;
};

/// For a path search. A forgotten state gets another number when it is entered again.
class PathTranscript : public Silent {
 public:
  PathTranscript(Transcript& transcript, Observer& observer, Budget& budget)
      : transcript_(transcript), observer_(observer), path_(budget) {}

  template <class Expansion, class Entry>
  void met(Expansion& expansion, std::uint32_t place, const Entry& entry) {
    if (entry.insertion == Insertion::no_room) return;
    if (entry.insertion == Insertion::fresh) entry.annotation() = transcript_.number(observer_.counts.states);
    const StateNumber number = entry.annotation();
    if (!path_.empty()) transcript_.add(path_.back(), expansion.label(place, transcript_), number);
    if (entry.insertion == Insertion::fresh) path_.push(number);
    if (!transcript_.may_go_on()) observer_.end(Reason::disk);
  }
  void left() { path_.pop(); }
  void rooted(Word number) { path_.push(number); }

 private:
  Transcript& transcript_;
  Observer& observer_;
  RegionVector<StateNumber> path_;  // the numbers of its states
};

}  // namespace scrimp
