// Transient states, failed assertions and depth in steps, under both orders and with every store.
#include <cstdlib>
#include <optional>
#include <random>
#include <string>
#include <thread>

#include "tests/check.h"
#include "tests/obvious.h"
#include "tests/strategies.h"

namespace {

using namespace scrimp;
using namespace scrimp::testing;

/// Each edge is a separate event, numbered by its place in the list.
struct Edge {
  std::uint32_t from, to;
  std::uint32_t leader = 0;
  EventId flags = 0;
  std::uint32_t holder = 0;
  std::uint8_t steps = 1;
};

struct Offer {
  std::uint32_t state, holder;
};

/// A machine given by a list of edges; its states are numbered, and the first is initial.
class Graph : public Machine {
 public:
  explicit Graph(std::vector<Edge> edges, std::vector<Offer> offered = {}, std::uint32_t state_words = 1)
      : edges_(std::move(edges)), offered_(std::move(offered)), word_bits_(state_words, 40) {
    for (const Edge& edge : edges_) {
      holders_.push_back(edge.holder);
      steps_.push_back(edge.steps);
    }
    words = state_words;
    max_successors = transitions = static_cast<std::uint32_t>(edges_.size());
    word_bits = word_bits_.data();
    holders = holders_.data();
    steps = steps_.data();
    context = this;
    functions = {.initial = write_initial,
                 .successors = list_all,
                 .alone = list_alone,
                 .offers = offered_.empty() ? nullptr : is_offered};
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  static std::uint32_t number(const Word* state) { return static_cast<std::uint32_t>(state[0] >> 1); }

 private:
  static const Graph& of(const void* self) { return *static_cast<const Graph*>(self); }

  void write(std::uint32_t number, Word* state) const {
    for (std::uint32_t i = 0; i < words; ++i) state[i] = (Word{number} * (i + 1)) << 1 | (i == 0);
  }

  template <class Wanted>
  std::uint64_t list(const Word* state, Word* next, EventId* events, Wanted wanted) const {
    std::uint32_t count = 0;
    EventId flags = 0;
    for (std::uint32_t i = 0; i < edges_.size(); ++i) {
      if (edges_[i].from != number(state) || !wanted(edges_[i])) continue;
      write(edges_[i].to, next + std::size_t{count} * words);
      flags |= edges_[i].flags;
      events[count++] = i | edges_[i].flags;
    }
    return std::uint64_t{flags} << 32 | count;
  }

  static void write_initial(const void* self, Word* state) { of(self).write(0, state); }
  static std::uint64_t list_all(const void* self, const Word* state, Word* next, EventId* events) {
    return of(self).list(state, next, events, [](const Edge&) { return true; });
  }
  static std::uint64_t list_alone(const void* self, const Word* state, std::uint32_t holder, Word* next,
                                  EventId* events) {
    return of(self).list(state, next, events, [&](const Edge& edge) { return edge.leader == holder; });
  }
  static std::uint32_t is_offered(const void* self, const Word* state, std::uint32_t holder) {
    for (const Offer& offer : of(self).offered_)
      if (offer.state == number(state) && offer.holder == holder) return 1;
    return 0;
  }

  const std::vector<Edge> edges_;
  const std::vector<Offer> offered_;
  std::vector<std::uint32_t> holders_;
  std::vector<std::uint8_t> steps_;
  const std::vector<std::uint8_t> word_bits_;
};

constexpr EventId hold = atomic_flag;

Edge several(std::uint8_t steps, Edge edge) {
  edge.steps = steps;
  return edge;
}

std::string kinds(const Outcome& outcome) {
  std::string text;
  for (const Finding& finding : outcome.findings) text += std::string(text.empty() ? "" : " ") + name(finding.kind);
  return text;
}

std::string events(const Outcome& outcome, std::size_t finding = 0) {
  std::string text;
  for (const EventId event : outcome.findings.at(finding).events) text += std::to_string(event);
  return text;
}

void a_chain_of_transient_states_is_one_transition() {
  const Graph machine({{0, 1, 0, hold}, {1, 2, 0, hold}, {2, 3}, {1, 9, 1}});
  for_every_strategy([&](const Options& options) {
    const Outcome outcome = explore(machine, options);
    CHECK_EQUAL(std::string(name(outcome.reason)), "closed");
    CHECK_EQUAL(outcome.counts.states, 2u);
    CHECK_EQUAL(outcome.counts.transitions, 1u);
    CHECK_EQUAL(outcome.counts.inner_events, 2u);
    CHECK_EQUAL(outcome.counts.deadlocks, 1u);
    CHECK_EQUAL(outcome.counts.depth, is_depth_first(options) ? 3u : 1u);
    CHECK((outcome.fired == std::vector<std::uint8_t>{1, 1, 1, 0}));
  });
}

void if_the_holder_is_blocked_the_state_is_ordinary() {
  const Graph machine({{0, 1, 0, hold}, {1, 2, 1}});
  for_every_strategy([&](const Options& options) {
    const Outcome outcome = explore(machine, options);
    CHECK_EQUAL(outcome.counts.states, 3u);
    CHECK_EQUAL(outcome.counts.transitions, 2u);
    CHECK_EQUAL(outcome.counts.inner_events, 0u);
  });
}

void the_holder_may_change_along_a_chain() {
  const Graph machine({{0, 1, 0, hold, 1}, {1, 2, 1, hold, 0}, {2, 3, 0}, {2, 4, 1}, {1, 5, 0}});
  for_every_strategy([&](const Options& options) {
    const Outcome outcome = explore(machine, options);
    CHECK_EQUAL(outcome.counts.states, 2u);
    CHECK_EQUAL(outcome.counts.transitions, 1u);
  });
}

void every_path_through_transient_states_is_a_transition() {
  const Graph machine({{0, 1, 0, hold}, {1, 2, 0, hold}, {1, 3, 0, hold}, {2, 4}, {3, 4}, {0, 4}});
  for_every_strategy([&](const Options& options) {
    const Outcome outcome = explore(machine, options);
    CHECK_EQUAL(outcome.counts.states, 2u);
    CHECK_EQUAL(outcome.counts.transitions, 3u);
    CHECK_EQUAL(outcome.counts.matched, 2u);
  });
}

/// Events 2, 3 and 6 are taken inside the same chain as others, one by one; 4 and 5 all at once.
void bits_of_all_events_of_a_chain_are_gathered() {
  const Graph machine({{0, 1, 0, hold}, {0, 2, 0, hold}, {1, 3, 0, hold}, {1, 4, 0}, {2, 5, 0}, {2, 6, 0}, {3, 7, 0}});
  Budget budget(std::uint64_t{1} << 20);
  Expander expander(machine, std::nullopt, budget);
  const std::vector<Word> bits{1, 2, 4, 8, 16, 32, 64};
  std::vector<Word> state(1), successors(machine.max_successors);
  std::vector<EventId> events(machine.max_successors);
  machine.initial(state.data());
  const Expansion expansion = expander.expand(state.data(), successors.data(), events.data());
  CHECK(expander.pass(state.data(), expansion, successors.data(), events.data(), {}));
  expander.gather(bits.data());
  CHECK(expander.pass(state.data(), expansion, successors.data(), events.data(), {}));
  const std::vector<Word> gathered(expander.passage().bits(), expander.passage().bits() + expander.passage().count());
  CHECK((gathered == std::vector<Word>{1 | 4 | 64, 1 | 8, 2 | 16, 2 | 32}));
}

void a_fault_in_a_chain_is_reported_with_all_events_that_led_to_it() {
  const Graph machine({{0, 1}, {1, 2, 0, hold}, {2, 3, 0, hold}, {3, 9, 0, fault_flag}, {3, 4, 0}});
  for_every_strategy([&](const Options& options) {
    const Outcome outcome = explore(machine, options);
    CHECK_EQUAL(outcome.counts.states, 3u);
    CHECK_EQUAL(outcome.counts.transitions, 3u);
    CHECK_EQUAL(outcome.counts.faults, 1u);
    CHECK_EQUAL(kinds(outcome), "fault");
    CHECK_EQUAL(events(outcome), "0123");
  });
}

void a_failed_assertion_is_a_violation_and_the_event_still_has_a_successor() {
  const Graph machine({{0, 1, 0, failed_flag}, {1, 2, 0, hold | failed_flag}, {2, 3}});
  for_every_strategy([&](const Options& options) {
    const Outcome outcome = explore(machine, options);
    CHECK_EQUAL(std::string(name(outcome.reason)), "closed");
    CHECK_EQUAL(outcome.counts.states, 3u);
    CHECK_EQUAL(outcome.counts.transitions, 2u);
    CHECK_EQUAL(outcome.counts.faults, 0u);
    CHECK_EQUAL(outcome.counts.violations, 2u);
    CHECK_EQUAL(kinds(outcome), "failed failed");
    CHECK_EQUAL(events(outcome, 0), "0");
    CHECK_EQUAL(events(outcome, 1), "01");
  });
}

void an_event_may_fail_and_then_fault() {
  const Graph machine({{0, 1, 0, failed_flag | fault_flag | hold}});
  for_every_strategy([&](const Options& options) {
    const Outcome outcome = explore(machine, options);
    CHECK_EQUAL(kinds(outcome), "failed fault");
    CHECK_EQUAL(outcome.counts.transitions, 1u);
  });
}

void a_violation_in_a_chain_ends_a_search_that_stops_after_one() {
  const Graph machine({{0, 1, 0, hold}, {1, 2, 0, failed_flag}, {2, 3}});
  for_every_strategy([&](Options options) {
    options.question.stop_after = 1;
    const Outcome outcome = explore(machine, options);
    CHECK_EQUAL(std::string(name(outcome.reason)), "violations");
    CHECK_EQUAL(events(outcome), "01");
  });
}

void a_chain_that_returns_to_itself_is_an_infinite_loop() {
  const Graph machine({{0, 1, 0, hold}, {1, 2, 0, hold}, {2, 1, 0, hold}, {2, 3}});
  for_every_strategy([&](const Options& options) {
    const Outcome outcome = explore(machine, options);
    CHECK_EQUAL(std::string(name(outcome.reason)), "closed");
    CHECK_EQUAL(outcome.counts.states, 2u);
    CHECK_EQUAL(outcome.counts.transitions, 1u);
    CHECK_EQUAL(outcome.counts.inner_events, 3u);
    CHECK_EQUAL(outcome.counts.violations, 1u);
    CHECK_EQUAL(kinds(outcome), "endless");
    CHECK_EQUAL(events(outcome), "012");
  });
}

void the_same_state_with_another_holder_is_a_different_one() {
  const Graph machine({{0, 1, 0, hold, 0}, {1, 1, 0, hold, 1}, {1, 2, 1}});
  for_every_strategy([&](const Options& options) {
    const Outcome outcome = explore(machine, options);
    CHECK_EQUAL(kinds(outcome), "");
    CHECK_EQUAL(outcome.counts.states, 2u);
  });
}

/// A ring of transient states that is entered at its first state and left at its last.
void a_long_infinite_loop_is_found_where_it_closes() {
  constexpr std::uint32_t length = 3000;
  std::vector<Edge> edges{{0, 1, 0, hold}};
  for (std::uint32_t i = 1; i < length; ++i) edges.push_back({i, i + 1, 0, hold});
  edges.push_back({length, length / 2, 0, hold});
  edges.push_back({length, 0});
  const Graph machine(edges);
  for_every_strategy([&](const Options& options) {
    const Outcome outcome = explore(machine, options);
    CHECK_EQUAL(outcome.counts.states, 1u);
    CHECK_EQUAL(outcome.counts.matched, 1u);
    CHECK_EQUAL(kinds(outcome), "endless");
    CHECK_EQUAL(outcome.findings.at(0).events.size(), length + 1u);
  });
}

void a_misfit_in_a_chain_is_reported_in_its_transient_state() {
  const Graph machine({{0, 1, 0, hold}, {1, 2, 0, hold}, {2, 3, 0, misfit_flag}});
  for_every_strategy([&](const Options& options) {
    const Outcome outcome = explore(machine, options);
    CHECK_EQUAL(std::string(name(outcome.reason)), "misfit");
    CHECK_EQUAL(outcome.misfit.value().event, 2u);
    CHECK_EQUAL(Graph::number(outcome.misfit.value().state.data()), 2u);
  });
}

void a_misfit_beside_a_chain_is_reported_in_its_own_state() {
  const Graph machine({{0, 1, 0, hold}, {0, 2, 0, misfit_flag}, {1, 3}});
  for_every_strategy([&](const Options& options) {
    const Outcome outcome = explore(machine, options);
    CHECK_EQUAL(outcome.misfit.value().event, 1u);
    CHECK_EQUAL(Graph::number(outcome.misfit.value().state.data()), 0u);
  });
}

std::uint64_t depth_of(const Machine& machine) {
  return explore(machine, options_for(strategy::DepthFirst{})).counts.depth;
}

void depth_is_the_sum_of_steps() {
  CHECK_EQUAL(depth_of(Graph({several(2, {0, 1}), {1, 2, 0}})), 3u);
  CHECK_EQUAL(depth_of(Graph({{0, 1}, several(0, {1, 2}), several(7, {2, 3})})), 8u);
  CHECK_EQUAL(depth_of(Graph({several(255, {0, 1, 0, hold}), several(0, {1, 2, 0, hold}), several(0, {2, 3})})), 255u);
}

void all_steps_but_the_last_add_to_the_depth_even_if_the_successor_is_known() {
  CHECK_EQUAL(depth_of(Graph({{0, 1}, several(5, {1, 0})})), 5u);
  CHECK_EQUAL(depth_of(Graph({{0, 1}, several(5, {1, 1, 0, fault_flag})})), 5u);
  CHECK_EQUAL(depth_of(Graph({{0, 1, 0, hold}, several(5, {1, 0})})), 5u);
}

void steps_are_counted_without_holders_and_offers() {
  Graph machine({{0, 1}, {1, 2}, several(2, {2, 3}), {3, 4}, several(0, {2, 5})});
  machine.holders = nullptr;
  machine.functions.alone = nullptr;
  CHECK_EQUAL(depth_of(machine), 5u);
  machine.steps = nullptr;
  CHECK_EQUAL(depth_of(machine), 4u);
}

void a_known_state_does_not_add_to_the_depth() {
  CHECK_EQUAL(depth_of(Graph({{0, 1}, {1, 0}})), 1u);
  CHECK_EQUAL(depth_of(Graph({{0, 1}, {1, 2, 0, hold}, {2, 0}})), 2u);
}

void a_state_with_a_blocked_holder_adds_to_the_depth_even_if_it_is_known() {
  CHECK_EQUAL(depth_of(Graph({{0, 1, 1}, {1, 2, 1}, {2, 0, 1, hold}})), 3u);
}

void an_offer_in_the_deepest_state_is_one_step_deeper() {
  CHECK_EQUAL(depth_of(Graph({{0, 1}, {1, 2}}, {{2, anybody}})), 3u);
  CHECK_EQUAL(depth_of(Graph({{0, 1}, {1, 2}}, {{1, anybody}})), 2u);
  CHECK_EQUAL(depth_of(Graph({{0, 1}, {1, 2, 0, hold}, {2, 0}}, {{2, 0}})), 3u);
  CHECK_EQUAL(depth_of(Graph({{0, 1}, {1, 2, 0, hold}, {2, 0}}, {{2, anybody}})), 2u);
}

void a_depth_limit_counts_steps() {
  Options options = options_for(strategy::DepthFirst{});
  options.limits.depth = 4;
  const Graph machine({several(2, {0, 1}), several(2, {1, 2}), {2, 3, 0, hold}, {3, 4}});
  const Outcome outcome = explore(machine, options);
  CHECK_EQUAL(std::string(name(outcome.reason)), "depth");
  CHECK_EQUAL(outcome.counts.states, 3u);
  CHECK_EQUAL(outcome.counts.depth, 4u);
  CHECK_EQUAL(outcome.counts.inner_events, 0u);
  CHECK_EQUAL(int{outcome.fired[2]}, 0);
}

Graph random_graph(std::mt19937& random, std::uint32_t words) {
  const auto below = [&](std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); };
  const std::uint32_t states = 3 + below(12);
  std::vector<Edge> edges(states + below(states));
  const std::uint32_t odds = 1 + below(9);
  for (Edge& edge : edges) {
    edge = {below(states), below(states), below(3), 0, below(3)};
    if (below(10) < odds) edge.flags |= atomic_flag;
    if (below(12) == 0) edge.flags |= failed_flag;
    if (below(20) == 0) edge.flags |= fault_flag;
    if (below(6) == 0) edge.steps = static_cast<std::uint8_t>(below(5));
  }
  std::vector<Offer> offers;
  for (std::uint32_t i = below(states); i != 0; --i)
    offers.push_back({below(states), below(2) == 0 ? anybody : below(3)});
  return Graph(edges, offers, words);
}

void compare_counts(const Outcome& outcome, const Obvious& obvious) {
  CHECK_EQUAL(std::string(name(outcome.reason)), "closed");
  CHECK_EQUAL(outcome.counts.states, obvious.states());
  CHECK_EQUAL(outcome.counts.transitions, obvious.transitions);
  CHECK_EQUAL(outcome.counts.inner_events, obvious.inner_events);
  CHECK_EQUAL(outcome.counts.matched, obvious.matched);
  CHECK_EQUAL(outcome.counts.faults, obvious.faults);
  CHECK_EQUAL(outcome.counts.deadlocks, obvious.deadlocks);
  CHECK_EQUAL(outcome.counts.violations, obvious.findings.size());
  for (EventId event = 0; event < outcome.fired.size(); ++event)
    CHECK_EQUAL(outcome.fired[event] != 0, obvious.fired.contains(event));
}

/// Every path of a finding is possible and ends as reported.
void check_findings(const Machine& machine, const Outcome& outcome) {
  CHECK_EQUAL(outcome.findings.size(), outcome.counts.violations);
  for (const Finding& finding : outcome.findings) {
    const Walk end = walk(machine, finding.events);
    CHECK(end.possible);
    switch (finding.kind) {
      case Finding::Kind::fault: CHECK(end.flags & fault_flag); break;
      case Finding::Kind::failed: CHECK(end.flags & failed_flag); break;
      default: CHECK(end.holder != anybody); break;
    }
  }
}

void random_machines_are_searched_like_the_reference_search() {
  std::mt19937 random(1);
  for (int i = 0; i < 3000; ++i) {
    const Graph machine = random_graph(random, i % 3 == 0 ? 5 : 1);
    Obvious deep(machine), broad(machine);
    deep.depth_first();
    broad.breadth_first();
    const Compress compress = compressions[i % 3];
    const Outcome dfs = explore(machine, options_for(strategy::DepthFirst{}, compress));
    compare_counts(dfs, deep);
    check_findings(machine, dfs);
    CHECK_EQUAL(dfs.counts.depth, deep.depth);
    for (std::size_t j = 0; j < dfs.findings.size(); ++j) {
      CHECK(dfs.findings[j].kind == deep.findings.at(j).kind);
      CHECK(dfs.findings[j].events == deep.findings.at(j).events);
    }
    const Outcome bfs = explore(machine, options_for(strategy::BreadthFirst{}, compress));
    compare_counts(bfs, broad);
    check_findings(machine, bfs);
    for (std::size_t j = 0; j < bfs.findings.size(); ++j) CHECK(bfs.findings[j].kind == broad.findings.at(j).kind);
    CHECK_EQUAL(bfs.counts.depth + 1, bfs.levels.size());
  }
}

void shuffling_permutes_every_step_of_a_chain() {
  std::mt19937 random(2);
  for (int i = 0; i < 300; ++i) {
    const Graph machine = random_graph(random, 1);
    Obvious obvious(machine);
    obvious.breadth_first();
    for (const Order order : orders) {
      Options options = options_for(order);
      options.shuffle_seed = i;
      const Outcome outcome = explore(machine, options);
      compare_counts(outcome, obvious);
      check_findings(machine, outcome);
      const Outcome again = explore(machine, options);
      CHECK_EQUAL(kinds(outcome), kinds(again));
      for (std::size_t j = 0; j < outcome.findings.size(); ++j)
        CHECK(outcome.findings[j].events == again.findings[j].events);
    }
  }
}

/// A torus of `size` squared positions. Moving along one axis is a chain of two events; the second chooses whether to
/// move along the other axis, too.
template <std::uint32_t size>
struct Torus {
  static constexpr std::uint8_t word_bits[] = {1 + 12 + 12 + 1};
  static constexpr std::uint32_t its_holders[] = {7, 0, 0, 0};

  static Word position(Word x, Word y, Word moving = 0) { return 1 | x % size << 1 | y % size << 13 | moving << 25; }
  static void initial(const void*, Word* state) { *state = 1; }
  static std::uint64_t successors(const void*, const Word* state, Word* next, EventId* events) {
    const Word x = *state >> 1 & 0xfff, y = *state >> 13 & 0xfff;
    next[0] = position(x + 1, y, 1);
    next[1] = position(x, y + 1);
    events[0] = 0 | atomic_flag;
    events[1] = 1;
    return std::uint64_t{atomic_flag} << 32 | 2;
  }
  static std::uint64_t alone(const void*, const Word* state, std::uint32_t, Word* next, EventId* events) {
    const Word x = *state >> 1 & 0xfff, y = *state >> 13 & 0xfff;
    next[0] = position(x, y + 1);
    next[1] = position(x, y);
    events[0] = 2;
    events[1] = 3;
    return 2;
  }
  static std::uint64_t watch(const void*, const Word* state) { return *state == position(size - 1, size - 1); }
  static Machine machine() {
    return {.words = 1,
            .max_successors = 2,
            .transitions = 4,
            .watches = 1,
            .word_bits = word_bits,
            .holders = its_holders,
            .functions = {.initial = initial, .successors = successors, .watch = watch, .alone = alone}};
  }
};

void long_paths_are_walked_back_through_chains() {
  const Machine machine = Torus<330>::machine();
  Obvious obvious(machine);
  obvious.breadth_first();
  for (const std::optional<std::uint64_t> seed : {std::optional<std::uint64_t>{}, std::optional<std::uint64_t>{5}}) {
    Options options = options_for(strategy::DepthFirst{});
    options.question.goal_watches = 1;
    options.shuffle_seed = seed;
    const Outcome outcome = explore(machine, options);
    compare_counts(outcome, obvious);
    const Walk end = walk(machine, outcome.findings.at(0).events);
    CHECK(end.possible);
    CHECK_EQUAL(end.state[0], Torus<330>::position(329, 329));
    CHECK(outcome.counts.depth > (seed ? 10'000u : 100'000u));
  }
}

void the_depth_of_a_long_path_is_exact() {
  const Machine machine = Torus<60>::machine();
  Obvious obvious(machine);
  obvious.depth_first();
  CHECK_EQUAL(depth_of(machine), obvious.depth);
}

/// From each of `rounds` states a chain of `height` choices between two events: a block of 2^height successors, each of
/// which is the state of the next round or one beside it.
template <std::uint32_t height, std::uint32_t rounds>
struct Choices {
  static constexpr std::uint8_t word_bits[] = {1 + 8 + 8 + 32};
  static constexpr std::uint32_t its_holders[] = {3, 3};

  static void initial(const void*, Word* state) { *state = 1; }
  static std::uint64_t choose(const void*, const Word* state, Word* next, EventId* events) {
    const Word round = *state >> 1 & 0xff, made = *state >> 9 & 0xff, choice = *state >> 17;
    if (round == rounds) return 0;
    const bool last = made + 1 == height;
    for (Word bit = 0; bit < 2; ++bit) {
      const Word parity = (choice ^ bit) & 1;
      next[bit] =
          last ? 1 | (round + 1) << 1 | parity << 17 : 1 | round << 1 | (made + 1) << 9 | (choice << 1 | bit) << 17;
      events[bit] = static_cast<EventId>(bit) | (last ? 0 : atomic_flag);
    }
    return std::uint64_t{last ? 0 : atomic_flag} << 32 | 2;
  }
  static std::uint64_t alone(const void* context, const Word* state, std::uint32_t, Word* next, EventId* events) {
    return choose(context, state, next, events);
  }
  static Machine machine() {
    return {.words = 1,
            .max_successors = 2,
            .transitions = 2,
            .word_bits = word_bits,
            .holders = its_holders,
            .functions = {.initial = initial, .successors = choose, .alone = alone}};
  }
};

void blocks_grow_to_hold_all_successors() {
  for_every_strategy([](const Options& options) {
    const Outcome outcome = explore(Choices<16, 3>::machine(), options);
    CHECK_EQUAL(std::string(name(outcome.reason)), "closed");
    CHECK_EQUAL(outcome.counts.states, 7u);
    CHECK_EQUAL(outcome.counts.transitions, 5u << 16);
    CHECK_EQUAL(outcome.counts.depth, is_depth_first(options) ? 48u : 3u);
  });
}

void passages_keep_within_every_budget() {
  for_every_strategy([](Options options) {
    for (std::uint64_t kilobytes = 0; kilobytes < 8192; kilobytes += kilobytes < 512 ? 20 : 512) {
      options.budget = kilobytes << 10;
      const Outcome outcome = explore(Choices<13, 4>::machine(), options);
      const bool closed = outcome.reason == Reason::closed;
      CHECK_EQUAL(std::string(name(outcome.reason)), closed ? "closed" : "memory");
      CHECK_EQUAL(outcome.counts.transitions == 7u << 13, closed);
    }
  });
}

void paths_through_chains_keep_within_every_budget() {
  for (const Order order : orders) {
    for (std::uint64_t kilobytes = 0; kilobytes < 4096; kilobytes += kilobytes < 512 ? 20 : 256) {
      Options options = options_for(order);
      options.question.goal_watches = 1;
      options.budget = kilobytes << 10;
      const Outcome outcome = explore(Torus<200>::machine(), options);
      const bool closed = outcome.reason == Reason::closed;
      CHECK_EQUAL(std::string(name(outcome.reason)), closed ? "closed" : "memory");
      CHECK_EQUAL(outcome.counts.states == 40'000, closed);
    }
  }
}

/// A chain that is too long to be followed to its end.
struct Abyss {
  static constexpr std::uint8_t word_bits[] = {64};
  static constexpr std::uint32_t its_holders[] = {0};
  static void initial(const void*, Word* state) { *state = 1; }
  static std::uint64_t successors(const void*, const Word* state, Word* next, EventId* events) {
    *next = *state + 2;
    *events = atomic_flag;
    return std::uint64_t{atomic_flag} << 32 | 1;
  }
  static std::uint64_t alone(const void* context, const Word* state, std::uint32_t, Word* next, EventId* events) {
    return successors(context, state, next, events);
  }
  static Machine machine() {
    return {.words = 1,
            .max_successors = 1,
            .transitions = 1,
            .word_bits = word_bits,
            .holders = its_holders,
            .functions = {.initial = initial, .successors = successors, .alone = alone}};
  }
};

void a_chain_respects_the_memory_limit() {
  for_every_strategy([](Options options) {
    options.budget = 8 << 20;
    CHECK_EQUAL(std::string(name(explore(Abyss::machine(), options).reason)), "memory");
  });
}

void time_runs_out_within_a_chain() {
  for (const Order order : orders) {
    Options options = options_for(order);
    options.budget = std::uint64_t{4} << 30;
    options.limits.seconds = 0.03;
    const Outcome outcome = explore(Abyss::machine(), options);
    CHECK_EQUAL(std::string(name(outcome.reason)), "time");
    CHECK(outcome.seconds < 0.5);
  }
}

void another_thread_stops_a_chain() {
  for (const Order order : orders) {
    Signals signals;
    Options options = options_for(order);
    options.budget = std::uint64_t{4} << 30;
    std::thread stopper([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      signals.stop();
    });
    const Outcome outcome = run(Abyss::machine(), options, signals);
    stopper.join();
    CHECK_EQUAL(std::string(name(outcome.reason)), "interrupt");
  }
}

}  // namespace

int main() {
  return run_all({
      TEST(a_chain_of_transient_states_is_one_transition),
      TEST(if_the_holder_is_blocked_the_state_is_ordinary),
      TEST(the_holder_may_change_along_a_chain),
      TEST(every_path_through_transient_states_is_a_transition),
      TEST(bits_of_all_events_of_a_chain_are_gathered),
      TEST(a_fault_in_a_chain_is_reported_with_all_events_that_led_to_it),
      TEST(a_failed_assertion_is_a_violation_and_the_event_still_has_a_successor),
      TEST(an_event_may_fail_and_then_fault),
      TEST(a_violation_in_a_chain_ends_a_search_that_stops_after_one),
      TEST(a_chain_that_returns_to_itself_is_an_infinite_loop),
      TEST(the_same_state_with_another_holder_is_a_different_one),
      TEST(a_long_infinite_loop_is_found_where_it_closes),
      TEST(a_misfit_in_a_chain_is_reported_in_its_transient_state),
      TEST(a_misfit_beside_a_chain_is_reported_in_its_own_state),
      TEST(depth_is_the_sum_of_steps),
      TEST(all_steps_but_the_last_add_to_the_depth_even_if_the_successor_is_known),
      TEST(steps_are_counted_without_holders_and_offers),
      TEST(a_known_state_does_not_add_to_the_depth),
      TEST(a_state_with_a_blocked_holder_adds_to_the_depth_even_if_it_is_known),
      TEST(an_offer_in_the_deepest_state_is_one_step_deeper),
      TEST(a_depth_limit_counts_steps),
      TEST(random_machines_are_searched_like_the_reference_search),
      TEST(shuffling_permutes_every_step_of_a_chain),
      TEST(long_paths_are_walked_back_through_chains),
      TEST(the_depth_of_a_long_path_is_exact),
      TEST(blocks_grow_to_hold_all_successors),
      TEST(passages_keep_within_every_budget),
      TEST(paths_through_chains_keep_within_every_budget),
      TEST(a_chain_respects_the_memory_limit),
      TEST(time_runs_out_within_a_chain),
      TEST(another_thread_stops_a_chain),
  });
}
