// One method on one system: what it found, compared with what there is.
#pragma once

#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "run.h"
#include "tests/obvious.h"
#include "tests/random/graph.h"
#include "tests/random/methods.h"
#include "tests/random_machine.h"

namespace scrimp::testing {

/// Observes the engine's search: which states it enters and where nothing is enabled, independently of its own counts.
class Recorder final : public MachineObserver {
 public:
  /// Stops a search that takes far longer than the reference search. A search that forgets may well do so; otherwise
  /// something is wrong.
  Recorder(const Graph& graph, std::uint32_t words, bool forgets, Signals& signals)
      : graph_(graph),
        words_(words),
        patience_((forgets ? 1 : 100) * (4000 + 4 * graph.states.size())),
        signals_(signals),
        entered_(graph.states.size()),
        dead_(graph.states.size()) {}

  void expanded() override {
    if (++expansions_ == patience_) signals_.stop();
  }
  void entered(const Word* state) override { mark(state, entered_, states); }
  void found_dead(const Word* state) override { mark(state, dead_, dead); }

  std::uint64_t states = 0;  // number of distinct states
  std::uint64_t dead = 0;
  bool went_astray = false;  // it entered an unreachable state

 private:
  void mark(const Word* state, std::vector<bool>& marks, std::uint64_t& count) {
    const StateNumber number = graph_.find(small_state(state, words_));
    if (number == no_state) {
      went_astray = true;
    } else if (!marks[number]) {
      marks[number] = true;
      ++count;
    }
  }

  const Graph& graph_;
  const std::uint32_t words_;
  const std::uint64_t patience_;
  Signals& signals_;
  std::uint64_t expansions_ = 0;
  std::vector<bool> entered_;
  std::vector<bool> dead_;
};

/// Data shared by all methods on one system.
struct Subject {
  const System& system;
  const Graph& graph;
  Relations relations;
  ByteFields fields;
  std::uint64_t longest_path = 0;  // in states, of the search that forgets nothing and leaves nothing out
  std::uint64_t seed;

  Subject(const System& the_system, const Graph& the_graph, std::uint64_t the_seed)
      : system(the_system), graph(the_graph), relations(relations_of(the_system)), seed(the_seed) {
    for (const Field& field : system.fields) {
      fields.fields.push_back({field.word, field.shift, field.bits, 1});
      ++fields.bytes;
    }
  }
};

enum class Verdict : std::uint8_t { agrees, undecided, differs };

struct Trial {
  Verdict verdict = Verdict::agrees;
  std::string difference;  // empty if there is none
  Outcome outcome;
};

class Trying {
 public:
  Trying(const Subject& subject, const TriedMethod& method) : subject_(subject), method_(method) {}

  /// A cache with little room gets more until that is enough.
  Trial run() {
    capacity_ = first_capacity();
    try_once();
    while (method_.room == Room::little && trial_.outcome.reason == Reason::cache &&
           trial_.verdict == Verdict::undecided) {
      capacity_ += 1 + capacity_ / 16;
      trial_ = {};
      try_once();
    }
    return std::move(trial_);
  }

 private:
  static constexpr std::uint64_t most_traces = 64;

  void try_once() {
    Signals signals;
    Recorder recorder(subject_.graph, subject_.system.words, method_.forgets(), signals);
    trial_.outcome = scrimp::run(SystemMachine(subject_.system, &recorder).machine(), options(), signals);
    judge(recorder);
    judge_findings(SystemMachine(subject_.system).machine());
  }

  bool wants_traces() const { return subject_.seed % 8 == 0; }

  std::uint64_t first_capacity() const {
    switch (method_.room) {
      case Room::everything: return subject_.graph.states.size();
      case Room::little: return 1 + subject_.longest_path * (2 + subject_.seed % 4) / 8;
    }
    return 0;
  }

  Options options() const {
    Options options;
    options.method = method_.method;
    options.relations = &subject_.relations;
    options.fields = &subject_.fields;
    options.budget = std::uint64_t{64} << 20;
    options.question.stop_after = 0;
    options.question.traces = wants_traces() ? most_traces : 0;
    if (subject_.seed % 4 == 1) options.shuffle_seed = subject_.seed;
    if (auto* const cache = std::get_if<strategy::Cache>(&options.method.store)) {
      cache->states = capacity_;
      cache->seed = subject_.seed;
      cache->scan = 1 + static_cast<std::uint32_t>(subject_.seed % 5);
    }
    return options;
  }

  template <class Left, class Right>
  void expect_equal(const char* what, const Left& found, const Right& there) {
    if (found == there) return;
    std::ostringstream out;
    out << what << ": " << found << ", not " << there;
    differ(out.str());
  }
  void expect(const char* what, bool holds) {
    if (!holds) differ(what);
  }
  void differ(const std::string& what) {
    if (trial_.verdict == Verdict::differs) return;
    trial_.verdict = Verdict::differs;
    trial_.difference = what;
  }

  void judge(const Recorder& recorder) {
    expect("a state was entered that cannot be reached", !recorder.went_astray);
    judge_store(recorder);
    if (has_no_state_twice())
      expect("a state is on the path twice", trial_.outcome.counts.depth < subject_.graph.states.size());
    if (trial_.outcome.reason == Reason::closed) return judge_closed(recorder);
    const bool out_of_room = method_.forgets() && trial_.outcome.reason == Reason::cache;
    const bool too_long = method_.forgets() && trial_.outcome.reason == Reason::interrupt;
    if (!out_of_room && !too_long) return expect_equal("the search ended by", name_of_reason(), "closed");
    if (trial_.verdict == Verdict::agrees) trial_.verdict = Verdict::undecided;
  }

  /// A path of distinct states is no longer than their number; steps are counted if there are transient states.
  bool has_no_state_twice() const {
    if (sleep_memory(method_.method.reduction) == SleepMemory::stored) return false;
    for (const Transition& each : subject_.system.transitions)
      if (each.holder != no_process) return false;
    return true;
  }

  std::string name_of_reason() const { return name(trial_.outcome.reason); }

  void judge_store(const Recorder& recorder) {
    if (method_.forgets()) {
      expect("more states were stored than there is room for", trial_.outcome.report.whole("stored_peak") <= capacity_);
      expect("more states are stored than were entered", trial_.outcome.report.whole("stored_peak") <= recorder.states);
    } else {
      expect_equal("states counted", trial_.outcome.counts.states, recorder.states);
      expect_equal("deadlocks counted", trial_.outcome.counts.deadlocks, recorder.dead);
    }
  }

  void judge_closed(const Recorder& recorder) {
    const Graph& graph = subject_.graph;
    const Outcome& outcome = trial_.outcome;
    const Counts& counts = outcome.counts;
    expect_equal("transitions", counts.transitions, counts.states + counts.matched + counts.faults - 1);
    expect_equal("dead states", recorder.dead, graph.dead.size());
    if (method_.keeps == Keeps::deadlocks) return;
    expect_equal("something goes wrong", counts.violations > counts.deadlocks, graph.broken != 0);
    for (std::size_t watch = 0; watch < subject_.system.watches.size(); ++watch)
      expect_equal("a watch is hit", counts.watch_hits[watch] != 0, (graph.hits >> watch & 1) != 0);
    if (method_.keeps == Keeps::flaws) return;
    expect_equal("states", recorder.states, graph.states.size());
    for (EventId event = 0; event < subject_.system.events(); ++event)
      if (graph.fired >> event & 1) expect("an event is never fired", outcome.fired[event] != 0);
  }

  /// Every path leads to what it claims, and if all were requested, they lead to everything that goes wrong.
  void judge_findings(const Machine& machine) {
    const std::vector<Finding>& findings = trial_.outcome.findings;
    EventSet broken = 0;
    for (const Finding& finding : findings) {
      const Walk way = walk(machine, finding.events);
      expect("a path is impossible", way.possible);
      if (finding.kind == Finding::Kind::deadlock) {
        expect("a path leads to no deadlock", way.possible && events_of(machine, way.state).empty());
      } else {
        broken |= EventSet{1} << finding.events.back();
      }
    }
    expect("something goes wrong that cannot", (broken & ~subject_.graph.broken) == 0);
    const bool has_all = wants_traces() && findings.size() < most_traces && trial_.outcome.reason == Reason::closed;
    if (has_all && method_.keeps != Keeps::deadlocks) expect_equal("what goes wrong", broken, subject_.graph.broken);
  }

  const Subject& subject_;
  const TriedMethod& method_;
  std::uint64_t capacity_ = 0;  // in states, of a cache
  Trial trial_;
};

}  // namespace scrimp::testing
