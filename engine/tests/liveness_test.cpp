// Liveness searches on small random graphs with random automata, compared with an obvious answer: the product as a
// matrix, its components by reachability, and strong fairness by trying every set of processes.
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "run.h"
#include "tests/check.h"

namespace {

using namespace scrimp;
using scrimp::testing::Test;

struct Arc {
  std::uint32_t event;
  std::uint32_t target;
};

/// Labelled states, and events that move one process or two.
struct Graph {
  std::vector<std::vector<Arc>> arcs;  // by state
  std::vector<Word> letters;           // by state
  std::vector<Word> movers;            // by event
  std::uint32_t processes = 1;
};

/// A graph as a machine; `spare` says how many bits of a state are free.
class GraphMachine {
 public:
  GraphMachine(const Graph& graph, unsigned spare) : graph_(graph), word_bits_(static_cast<std::uint8_t>(64 - spare)) {
    for (const auto& arcs : graph.arcs) most_ = std::max(most_, static_cast<std::uint32_t>(arcs.size()));
  }

  Machine machine() const {
    Machine machine{};
    machine.words = 1;
    machine.max_successors = most_;
    machine.transitions = static_cast<std::uint32_t>(graph_.movers.size());
    machine.watches = 64;
    machine.word_bits = &word_bits_;
    machine.context = this;
    machine.functions = {.initial = initial, .successors = successors, .watch = watch};
    return machine;
  }

 private:
  static const GraphMachine& of(const void* context) { return *static_cast<const GraphMachine*>(context); }
  /// The number of a state is in the highest used bits, so that a machine that is given more than its own bits fails.
  unsigned shift() const { return word_bits_ - 16u; }
  Word word(std::uint32_t number) const { return Word{number} << shift() | 1; }
  std::uint32_t number(const Word* state) const { return static_cast<std::uint32_t>(*state >> shift()); }

  static void initial(const void* context, Word* state) { *state = of(context).word(0); }
  static std::uint64_t successors(const void* context, const Word* state, Word* successors, EventId* events) {
    const GraphMachine& self = of(context);
    const std::vector<Arc>& arcs = self.graph_.arcs.at(self.number(state));
    for (std::size_t i = 0; i < arcs.size(); ++i) {
      successors[i] = self.word(arcs[i].target);
      events[i] = arcs[i].event;
    }
    return arcs.size();
  }
  static std::uint64_t watch(const void* context, const Word* state) {
    const GraphMachine& self = of(context);
    return self.graph_.letters.at(self.number(state));
  }

  const Graph& graph_;
  std::uint8_t word_bits_;
  std::uint32_t most_ = 1;
};

using Random = std::mt19937_64;

std::uint32_t below(Random& random, std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); }

Graph random_graph(Random& random) {
  Graph graph;
  const std::uint32_t states = 1 + below(random, 9), atoms = 1 + below(random, 2);
  graph.processes = 1 + below(random, 3);
  for (std::uint32_t i = 0; i < 2 * graph.processes; ++i) {
    Word movers = Word{1} << i % graph.processes;
    if (below(random, 4) == 0) movers |= Word{1} << below(random, graph.processes);
    graph.movers.push_back(movers);
  }
  for (std::uint32_t state = 0; state < states; ++state) {
    std::vector<Arc> arcs;
    for (std::uint32_t event = 0; event < graph.movers.size(); ++event)
      if (below(random, 10) < 4) arcs.push_back({event, below(random, states)});
    graph.arcs.push_back(arcs);
    graph.letters.push_back(below(random, 1u << atoms));
  }
  return graph;
}

Automaton random_automaton(Random& random, std::uint32_t most_marks) {
  Automaton automaton;
  automaton.states = 1 + below(random, 3);
  automaton.initial = below(random, automaton.states);
  automaton.marks = below(random, most_marks + 1);
  const std::uint32_t edges = 1 + below(random, 3 * automaton.states);
  for (std::uint32_t i = 0; i < edges; ++i) {
    Automaton::Edge edge{below(random, automaton.states), below(random, automaton.states), {}, 0};
    for (std::uint32_t cubes = below(random, 3); cubes != 0 || edge.cubes.empty(); cubes -= cubes != 0) {
      const Word literals = below(random, 4);
      const Word values = below(random, 4);
      edge.cubes.push_back({literals & values, literals & ~values});
    }
    edge.marks = automaton.marks == 0 ? 0 : below(random, 1u << automaton.marks) & below(random, 1u << automaton.marks);
    automaton.edges.push_back(edge);
  }
  return automaton;
}

enum class Fairness { none, weak, strong, mixed };

/// The processes that are treated in this way; with mixed fairness, every other one is strongly fair.
Word strong(Fairness fairness) {
  return fairness == Fairness::strong ? ~Word{0} : fairness == Fairness::mixed ? Word{0xAAAAAAAAAAAAAAAA} : 0;
}
Word weak(Fairness fairness) { return fairness == Fairness::none ? 0 : ~strong(fairness); }

LivenessQuestion question_of(const Graph& graph, const Automaton& automaton, Fairness fairness) {
  LivenessQuestion question;
  question.automaton = automaton;
  if (fairness != Fairness::none)
    question.movers = {graph.processes,
                       {strong(fairness) & ((Word{1} << graph.processes) - 1)},
                       graph.movers,
                       std::vector<std::uint8_t>(graph.movers.size())};
  return question;
}

/// The same question with many more processes, which never can move: those of the graph are in different words.
LivenessQuestion among_many(LivenessQuestion question) {
  constexpr std::uint32_t distance = 62;
  const auto spread = [&](Word processes) {
    std::vector<Word> words((distance * question.movers.processes + 63) / 64);
    for (std::uint32_t process = 0; process < question.movers.processes; ++process)
      words[distance * process / 64] |= (processes >> process & 1) << distance * process % 64;
    return words;
  };
  Movers many{distance * question.movers.processes, spread(question.movers.strong.front()), {}, question.movers.varies};
  for (const Word moved : question.movers.of_event)
    for (const Word word : spread(moved)) many.of_event.push_back(word);
  question.movers = many;
  return question;
}

/// The same graph, in which the last process is like none: runs need not be fair to it.
Graph with_one_fair_process_less(Graph graph) {
  --graph.processes;
  for (Word& moved : graph.movers) moved &= (Word{1} << graph.processes) - 1;
  return graph;
}

// The obvious answer.

struct ProductEdge {
  std::uint32_t source, target;
  Word marks;  // of the automaton
  Word moved;
};

struct ExplicitProduct {
  std::uint32_t nodes;
  std::uint32_t initial;
  std::vector<ProductEdge> edges;
  std::vector<Word> able;  // by node
};

Word able_in(const Graph& graph, std::uint32_t state) {
  Word able = 0;
  for (const Arc& arc : graph.arcs[state]) able |= graph.movers[arc.event];
  return able;
}

bool reads(const Automaton::Edge& edge, Word letter) {
  for (const Cube& cube : edge.cubes) {
    bool holds = true;
    for (unsigned atom = 0; atom < 64; ++atom) {
      const bool value = letter >> atom & 1;
      if ((cube.true_atoms >> atom & 1) && !value) holds = false;
      if ((cube.false_atoms >> atom & 1) && value) holds = false;
    }
    if (holds) return true;
  }
  return false;
}

ExplicitProduct explicit_product(const Graph& graph, const Automaton& automaton) {
  const auto states = static_cast<std::uint32_t>(graph.arcs.size());
  ExplicitProduct product{states * automaton.states, automaton.initial, {}, {}};
  for (std::uint32_t state = 0; state < states; ++state) {
    std::vector<std::pair<std::uint32_t, Word>> next;
    for (const Arc& arc : graph.arcs[state]) next.push_back({arc.target, graph.movers[arc.event]});
    if (next.empty()) next.push_back({state, 0});
    for (std::uint32_t q = 0; q < automaton.states; ++q) product.able.push_back(able_in(graph, state));
    for (const Automaton::Edge& edge : automaton.edges) {
      if (!reads(edge, graph.letters[state])) continue;
      for (const auto& [target, moved] : next)
        product.edges.push_back(
            {state * automaton.states + edge.source, target * automaton.states + edge.target, edge.marks, moved});
    }
  }
  return product;
}

using Matrix = std::vector<std::vector<bool>>;

/// Which nodes are reached from which by one edge or more, through nodes that are kept.
Matrix reach(const ExplicitProduct& product, const std::vector<bool>& kept) {
  Matrix reached(product.nodes, std::vector<bool>(product.nodes));
  for (const ProductEdge& edge : product.edges)
    if (kept[edge.source] && kept[edge.target]) reached[edge.source][edge.target] = true;
  for (std::uint32_t via = 0; via < product.nodes; ++via)
    for (std::uint32_t from = 0; from < product.nodes; ++from)
      if (reached[from][via])
        for (std::uint32_t to = 0; to < product.nodes; ++to)
          if (reached[via][to]) reached[from][to] = true;
  return reached;
}

bool has_fair_run(const ExplicitProduct& product, std::uint32_t marks, std::uint32_t processes, Fairness fairness) {
  const Word all_marks = (Word{1} << marks) - 1, all_processes = (Word{1} << processes) - 1;
  const std::vector<bool> everything(product.nodes, true);
  const Matrix from_start = reach(product, everything);
  // With strong fairness: the processes that can move now and then. The other strongly fair ones never can.
  const Word sets = strong(fairness) & all_processes;
  for (Word now_and_then = 0; now_and_then <= sets; ++now_and_then) {
    std::vector<bool> kept(product.nodes);
    for (std::uint32_t node = 0; node < product.nodes; ++node)
      kept[node] = (product.able[node] & sets & ~now_and_then) == 0;
    const Matrix inside = reach(product, kept);
    for (std::uint32_t node = 0; node < product.nodes; ++node) {
      if (!inside[node][node] || (node != product.initial && !from_start[product.initial][node])) continue;
      Word seen = 0, weakly = 0, moved = 0, able = 0;
      for (const ProductEdge& edge : product.edges) {
        if (!inside[node][edge.source] || !inside[edge.target][node] || !kept[edge.source] || !kept[edge.target])
          continue;
        seen |= edge.marks;
        moved |= edge.moved;
        weakly |= edge.moved | ~product.able[edge.source];
        able |= product.able[edge.source];
      }
      if (seen != all_marks) continue;
      if ((~weakly & weak(fairness) & all_processes) != 0) continue;
      if ((able & ~moved & sets) != 0) continue;
      return true;
    }
  }
  return false;
}

/// What a way through the product has met so far.
struct Met {
  std::uint32_t node;
  Word marks, moved, always, ever;  // the processes that can move in all states, and in some
  auto operator<=>(const Met&) const = default;
};

/// Of all cycles from a node that are accepted and fair, how many steps the shortest has.
std::optional<std::size_t> shortest_cycle(const ExplicitProduct& product, std::uint32_t start, std::uint32_t marks,
                                          std::uint32_t processes, Fairness fairness) {
  const Word all_marks = (Word{1} << marks) - 1, all = (Word{1} << processes) - 1;
  std::set<Met> known;
  std::vector<Met> level{{start, 0, 0, all, 0}};
  for (std::size_t steps = 1; !level.empty(); ++steps) {
    std::vector<Met> next;
    for (const Met& met : level)
      for (const ProductEdge& edge : product.edges) {
        if (edge.source != met.node) continue;
        const Word able = product.able[edge.source];
        const Met after{edge.target, met.marks | edge.marks, met.moved | edge.moved, met.always & able,
                        met.ever | able};
        if (!known.insert(after).second) continue;
        next.push_back(after);
        const Word unfair = (weak(fairness) & after.always) | (strong(fairness) & after.ever);
        if (after.node == start && after.marks == all_marks && (unfair & ~after.moved & all) == 0) return steps;
      }
    level.swap(next);
  }
  return std::nullopt;
}

/// Parallel edges have the marks of all, because a run that repeats can take them in turn.
ExplicitProduct with_joint_marks(ExplicitProduct product) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, Word> marks;
  for (const ProductEdge& edge : product.edges) marks[{edge.source, edge.target}] |= edge.marks;
  for (ProductEdge& edge : product.edges) edge.marks = marks[{edge.source, edge.target}];
  return product;
}

/// How many steps the shortest lasso has, its path and its cycle together.
std::size_t shortest_lasso(const ExplicitProduct& separate, std::uint32_t marks, std::uint32_t processes,
                           Fairness fairness) {
  const ExplicitProduct product = with_joint_marks(separate);
  std::size_t shortest = ~std::size_t{0};
  std::vector<bool> known(product.nodes);
  std::vector<std::uint32_t> level{product.initial};
  known[product.initial] = true;
  for (std::size_t steps = 0; !level.empty(); ++steps) {
    std::vector<std::uint32_t> next;
    for (const std::uint32_t node : level) {
      if (const auto cycle = shortest_cycle(product, node, marks, processes, fairness))
        shortest = std::min(shortest, steps + *cycle);
      for (const ProductEdge& edge : product.edges)
        if (edge.source == node && !known[edge.target]) {
          known[edge.target] = true;
          next.push_back(edge.target);
        }
    }
    level.swap(next);
  }
  return shortest;
}

// A lasso, checked step by step.

struct Visit {
  std::uint32_t state;
  std::optional<std::uint32_t> event;  // none: a state without events is repeated
};

std::optional<std::uint32_t> follow(const Graph& graph, std::uint32_t state, const std::vector<EventId>& events,
                                    std::vector<Visit>& visits) {
  for (const EventId event : events) {
    const auto& arcs = graph.arcs[state];
    const auto taken = std::find_if(arcs.begin(), arcs.end(), [&](const Arc& arc) { return arc.event == event; });
    if (taken == arcs.end()) return std::nullopt;
    visits.push_back({state, event});
    state = taken->target;
  }
  return state;
}

/// The lasso as a graph of its own has one run; the automaton's runs on it are those of the product.
bool accepts(const Graph& graph, const Automaton& automaton, const std::vector<Visit>& stem,
             const std::vector<Visit>& cycle) {
  Graph line;
  line.movers = {1};
  for (const std::vector<Visit>& part : {stem, cycle}) {
    for (const Visit& visit : part) {
      line.letters.push_back(graph.letters[visit.state]);
      line.arcs.push_back({{0, static_cast<std::uint32_t>(line.arcs.size()) + 1}});
    }
  }
  line.arcs.back() = {{0, static_cast<std::uint32_t>(stem.size())}};
  return has_fair_run(explicit_product(line, automaton), automaton.marks, 1, Fairness::none);
}

bool is_fair(const Graph& graph, const std::vector<Visit>& cycle, Fairness fairness) {
  for (std::uint32_t process = 0; process < graph.processes; ++process) {
    bool moves = false, always = true, ever = false;
    for (const Visit& visit : cycle) {
      if (visit.event && (graph.movers[*visit.event] >> process & 1)) moves = true;
      const bool able = able_in(graph, visit.state) >> process & 1;
      always = always && able;
      ever = ever || able;
    }
    if ((weak(fairness) >> process & 1) && always && !moves) return false;
    if ((strong(fairness) >> process & 1) && ever && !moves) return false;
  }
  return true;
}

void check_lasso(const Graph& graph, const LivenessQuestion& question, Fairness fairness, const Finding& finding) {
  CHECK(finding.kind == Finding::Kind::lasso);
  std::vector<Visit> stem, cycle;
  const auto start = follow(graph, 0, finding.events, stem);
  CHECK(start.has_value());
  if (!start) return;
  if (finding.cycle.empty()) {
    CHECK(graph.arcs[*start].empty());
    cycle.push_back({*start, {}});
  } else {
    const auto end = follow(graph, *start, finding.cycle, cycle);
    CHECK(end == start);
  }
  CHECK(accepts(graph, question.automaton, stem, cycle));
  CHECK(is_fair(graph, cycle, fairness));
}

Outcome search(const Machine& machine, const LivenessQuestion& question, Compress compress,
               const ByteFields* fields = nullptr, std::uint64_t budget = std::uint64_t{256} << 20,
               const LivenessEffort& effort = {}, double seconds = 0) {
  Options options;
  options.limits.seconds = seconds;
  options.method = {strategy::DepthFirst{}, strategy::Full{compress}, {}};
  options.budget = budget;
  options.liveness = &question;
  options.effort = effort;
  options.fields = fields;
  Signals signals;
  return run(machine, options, signals);
}

/// Steps in which a state is repeated because it has no events are not listed.
void check_length(const Finding& lasso, std::size_t steps) {
  if (lasso.cycle.empty())
    CHECK(lasso.events.size() < steps);
  else
    CHECK_EQUAL(lasso.events.size() + lasso.cycle.size(), steps);
}

enum class Crowd { usual, many, some_unfair };

/// Little effort, so that small graphs take all ways.
LivenessEffort effort_of(std::uint64_t seed) {
  LivenessEffort effort;
  if (seed % 2 == 0) effort.near_bytes = 0;
  if (seed % 3 == 0) effort.first_near_states = 1;
  if (seed % 3 == 0) effort.near_factor = 2;
  if (seed % 5 == 0) effort.cycle_steps = 1 + seed % 7;
  if (seed % 7 == 0) effort.near_states = seed % 4;
  if (seed % 7 == 1) effort.near_edges = seed % 8;
  if (seed % 7 == 2) effort.near_words = seed % 8;
  if (seed % 4 == 0) effort.path_states = effort.path_factor = 0;
  return effort;
}
bool finds_the_shortest(const LivenessEffort& effort) {
  const LivenessEffort usual;
  return effort.cycle_steps == usual.cycle_steps && effort.near_states == usual.near_states &&
         effort.near_edges == usual.near_edges && effort.near_words == usual.near_words;
}

void compare(std::uint64_t seed, Fairness fairness, Compress compress, unsigned spare, Crowd crowd = Crowd::usual) {
  Random random(seed);
  Graph graph = random_graph(random);
  const bool nested = compress == Compress::cleary && fairness == Fairness::none;
  if (crowd == Crowd::some_unfair && graph.processes > 1) graph = with_one_fair_process_less(graph);
  LivenessQuestion question = question_of(graph, random_automaton(random, nested ? 1 : 3), fairness);
  if (crowd == Crowd::many) question = among_many(question);
  const GraphMachine machine(graph, spare);
  const std::uint32_t shift = 64 - spare - 16;
  const ByteFields fields{{{0, 1, shift - 1, (shift + 6) / 8}, {0, shift, 16, 2}}, (shift + 6) / 8 + 2};
  const LivenessEffort effort = effort_of(seed);
  const Outcome outcome = search(machine.machine(), question, compress, &fields, std::uint64_t{256} << 20, effort);
  const ExplicitProduct product = explicit_product(graph, question.automaton);
  const bool expected = has_fair_run(product, question.automaton.marks, graph.processes, fairness);
  const int before = scrimp::testing::failures;
  CHECK_EQUAL(std::string(name(outcome.reason)), expected ? "violations" : "closed");
  CHECK_EQUAL(outcome.findings.size(), expected ? 1u : 0u);
  if (expected && !outcome.findings.empty()) {
    const Finding& lasso = outcome.findings.front();
    check_lasso(graph, question, fairness, lasso);
    if (seed % 4 == 1 && finds_the_shortest(effort))
      check_length(lasso, shortest_lasso(product, question.automaton.marks, graph.processes, fairness));
  }
  if (scrimp::testing::failures != before) std::fprintf(stderr, "seed %llu\n", static_cast<unsigned long long>(seed));
}

constexpr std::uint64_t trials = 20'000;

Outcome search_in_levels(const Machine& machine, const LivenessQuestion& question, unsigned threads) {
  Options options;
  options.method = {strategy::BreadthFirst{}, strategy::Full{}, {}};
  options.budget = std::uint64_t{256} << 20;
  options.liveness = &question;
  options.threads = threads;
  options.worth_sharing = 1;
  Signals signals;
  return run(machine, options, signals);
}

/// Verdict, counts and lasso do not depend on the number of threads, and the lasso is that of one thread.
void compare_threads(std::uint64_t seed, Fairness fairness, std::uint32_t most_marks, Crowd crowd = Crowd::usual) {
  Random random(seed);
  const Graph graph = random_graph(random);
  LivenessQuestion question = question_of(graph, random_automaton(random, most_marks), fairness);
  if (crowd == Crowd::many) question = among_many(question);
  const GraphMachine machine(graph, 20);
  const bool expected =
      has_fair_run(explicit_product(graph, question.automaton), question.automaton.marks, graph.processes, fairness);
  const Outcome alone = search(machine.machine(), question, Compress::none);
  const int before = scrimp::testing::failures;
  const unsigned threads = std::array{1u, 2u, 3u}[seed % 3];
  const Outcome outcome = search_in_levels(machine.machine(), question, threads);
  CHECK_EQUAL(std::string(name(outcome.reason)), expected ? "violations" : "closed");
  CHECK_EQUAL(outcome.counts.states, alone.counts.states);
  CHECK_EQUAL(outcome.counts.transitions, alone.counts.transitions);
  CHECK_EQUAL(outcome.findings.size(), alone.findings.size());
  for (std::size_t i = 0; i < outcome.findings.size(); ++i) {
    CHECK(outcome.findings[i].events == alone.findings.at(i).events);
    CHECK(outcome.findings[i].cycle == alone.findings.at(i).cycle);
  }
  if (scrimp::testing::failures != before) std::fprintf(stderr, "seed %llu\n", static_cast<unsigned long long>(seed));
}

/// A detour of many states, which a depth-first search takes first, and a run that is accepted, two steps away.
///
///     0 → 1 → 2 → ... → detour
///     0 → detour + 1 → detour + 2, which is repeated
constexpr std::uint32_t detour = 10'000;

Graph graph_with_detour() {
  Graph graph;
  graph.movers = {1, 1};
  graph.arcs.push_back({{0, 1}, {1, detour + 1}});
  for (std::uint32_t state = 1; state < detour; ++state) graph.arcs.push_back({{0, state + 1}});
  graph.arcs.push_back({});
  graph.arcs.push_back({{0, detour + 2}});
  graph.arcs.push_back({{1, detour + 2}});
  graph.letters.assign(graph.arcs.size(), 0);
  graph.letters.back() = 1;
  return graph;
}

/// Accepts runs in which the atom is true from some point on. Until then, states are passing.
Automaton finally_always() { return {2, 0, 1, {{0, 0, {{}}, 0}, {0, 1, {{}}, 0}, {1, 1, {{1, 0}}, 1}}}; }

/// Calls `check` with the outcomes of each kind of search.
template <class Check>
void search_with_detour(const LivenessEffort& effort, Check check) {
  const Graph graph = graph_with_detour();
  const GraphMachine machine(graph, 20);
  for (const Compress compress : {Compress::none, Compress::cleary})
    for (const Fairness fairness : {Fairness::none, Fairness::weak}) {
      const LivenessQuestion question = question_of(graph, finally_always(), fairness);
      const Outcome outcome = search(machine.machine(), question, compress, nullptr, std::uint64_t{256} << 20, effort);
      for (const Finding& finding : outcome.findings) check_lasso(graph, question, fairness, finding);
      check(outcome);
    }
}

void the_shortest_run_is_found_beside_a_detour() {
  search_with_detour({}, [](const Outcome& outcome) {
    CHECK_EQUAL(outcome.findings.size(), 1u);
    for (const Finding& finding : outcome.findings) CHECK(finding.events.size() == 2 && finding.cycle.size() == 1);
  });
}

/// Beside the run that is found first, an event leads to a value for which a state has no room: 0 → 1 → 2, which is
/// repeated, and 0 → 3, where the event claims to lead back.
void values_without_room_lead_nowhere() {
  const Graph graph{{{{0, 1}, {1, 3}}, {{0, 2}}, {{0, 2}}, {{1 | misfit_flag, 3}}}, {0, 0, 0, 0}, {1, 1}, 1};
  const Automaton all_runs{1, 0, 0, {{0, 0, {{}}, 0}}};
  for (const std::uint64_t near_states : {0, 100}) {
    const LivenessQuestion question = question_of(graph, all_runs, Fairness::none);
    const GraphMachine machine(graph, 20);
    const Outcome outcome = search(machine.machine(), question, Compress::none, nullptr, std::uint64_t{256} << 20,
                                   {.near_states = near_states});
    CHECK_EQUAL(outcome.findings.size(), 1u);
    for (const Finding& finding : outcome.findings) check_lasso(graph, question, Fairness::none, finding);
  }
}

void there_is_a_path_through_visited_states() {
  search_with_detour({.path_states = 1, .path_factor = 0, .repeated_factor = 0, .last_states = 0, .near_states = 0},
                     [](const Outcome& outcome) {
                       CHECK(outcome.reason == Reason::violations && outcome.findings.size() == 1);
                       CHECK(outcome.counts.states < detour);
                     });
}

/// Visited states are not kept, and a shortest path would take too many.
LivenessEffort without_a_path(std::uint32_t repeated_factor, std::uint64_t last_states = ~std::uint64_t{0}) {
  return {.path_states = 1,
          .path_factor = 0,
          .keeps_visited = false,
          .repeated_factor = repeated_factor,
          .last_states = last_states,
          .near_states = 0};
}

void a_search_is_repeated_if_there_is_no_shortest_path() {
  search_with_detour(without_a_path(detour), [](const Outcome& outcome) {
    CHECK(outcome.reason == Reason::violations && outcome.findings.size() == 1);
    CHECK(outcome.counts.states > detour);
  });
}

void a_path_is_looked_for_if_a_repeated_search_takes_too_long() {
  search_with_detour(without_a_path(0), [](const Outcome& outcome) {
    CHECK(outcome.reason == Reason::violations && outcome.findings.size() == 1);
    CHECK(outcome.counts.states < detour);
  });
}

/// One step leads to the run, which is found before the time limit is looked at.
void no_path_is_looked_for_when_time_is_over() {
  const Graph graph{{{{0, 1}}, {{0, 1}}}, {0, 1}, {1}, 1};
  const LivenessQuestion question = question_of(graph, finally_always(), Fairness::none);
  const GraphMachine machine(graph, 20);
  const auto found = [&](bool keeps_visited) {
    return search(machine.machine(), question, Compress::none, nullptr, std::uint64_t{256} << 20,
                  {.keeps_visited = keeps_visited, .near_states = 0}, 1e-9);
  };
  CHECK(found(false).reason == Reason::time);
  CHECK(found(false).findings.empty());
  CHECK_EQUAL(found(true).findings.size(), 1u);
}

void a_run_without_a_path_is_no_proof() {
  search_with_detour(without_a_path(0, 0), [](const Outcome& outcome) {
    CHECK(outcome.reason == Reason::memory);
    CHECK(outcome.findings.empty());
  });
}

void regions_decide_generalised_acceptance() {
  for (std::uint64_t seed = 0; seed < trials / 40; ++seed) compare_threads(seed, Fairness::none, 3);
}

void regions_decide_weak_fairness() {
  for (std::uint64_t seed = 0; seed < trials / 40; ++seed) compare_threads(seed, Fairness::weak, 2);
}

void components_decide_generalised_acceptance() {
  for (std::uint64_t seed = 0; seed < trials; ++seed) compare(seed, Fairness::none, Compress::none, 20);
}

void components_decide_weak_fairness() {
  for (std::uint64_t seed = 0; seed < trials; ++seed) compare(seed, Fairness::weak, Compress::none, 20);
}

void components_decide_strong_fairness() {
  for (std::uint64_t seed = 0; seed < trials; ++seed) compare(seed, Fairness::strong, Compress::none, 20);
}

void components_decide_which_processes_are_treated_in_which_way() {
  for (std::uint64_t seed = 0; seed < trials; ++seed) compare(seed, Fairness::mixed, Compress::none, 20);
}

void runs_need_not_be_fair_to_all_processes() {
  for (std::uint64_t seed = 0; seed < trials / 4; ++seed)
    compare(seed, Fairness::strong, Compress::none, 20, Crowd::some_unfair);
}

/// The fair process can move in state 0 only, to where the automaton cannot follow; the cycle at 1 is fair to it.
void a_part_of_a_component_in_which_no_fair_process_moves_may_accept() {
  const Graph graph{{{{0, 1}, {1, 2}}, {{0, 0}, {2, 1}}, {}}, {0, 0, 1}, {0, 1, 0}, 1};
  const Automaton everywhere_but_at_2{1, 0, 0, {{0, 0, {{0, 1}}, 0}}};
  const LivenessQuestion question = question_of(graph, everywhere_but_at_2, Fairness::strong);
  const GraphMachine machine(graph, 20);
  const Outcome outcome = search(machine.machine(), question, Compress::none);
  CHECK_EQUAL(outcome.findings.size(), 1u);
  if (!outcome.findings.empty()) check_lasso(graph, question, Fairness::strong, outcome.findings.front());
}

void more_processes_than_a_word_has_bits_are_judged() {
  for (std::uint64_t seed = 0; seed < trials / 20; ++seed) {
    const Fairness fairness = std::array{Fairness::weak, Fairness::strong, Fairness::mixed}[seed % 3];
    compare(seed, fairness, Compress::none, 20, Crowd::many);
    if (fairness == Fairness::weak) compare_threads(seed, fairness, 2, Crowd::many);
  }
}

void a_nested_search_decides_acceptance() {
  for (std::uint64_t seed = 0; seed < trials; ++seed) compare(seed, Fairness::none, Compress::cleary, 20);
}

void an_automaton_that_does_not_fit_beside_a_state_has_a_word_of_its_own() {
  for (std::uint64_t seed = 0; seed < trials / 40; ++seed) {
    compare(seed, Fairness::weak, Compress::none, 0);
    compare(seed, Fairness::none, Compress::cleary, 0);
  }
}

void every_compression_gives_the_same_answer() {
  for (const Compress compress : {Compress::tree, Compress::huffman, Compress::rle})
    for (std::uint64_t seed = 0; seed < trials / 40; ++seed) {
      compare(seed, Fairness::none, compress, 20);
      compare(seed, Fairness::strong, compress, 0);
    }
  for (std::uint64_t seed = 0; seed < trials / 40; ++seed) {
    compare(seed, Fairness::weak, Compress::cleary, 20);
    compare(seed, Fairness::strong, Compress::cleary, 0);
  }
}

/// Whatever the budget, the answer is right, or there is none.
void without_room_there_is_no_answer() {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    for (const Compress compress : {Compress::none, Compress::tree, Compress::cleary}) {
      Random random(seed);
      const Graph graph = random_graph(random);
      const Automaton automaton = random_automaton(random, compress == Compress::cleary ? 1 : 3);
      const Fairness fairness = compress == Compress::cleary ? Fairness::none : Fairness::strong;
      const LivenessQuestion question = question_of(graph, automaton, fairness);
      const bool expected =
          has_fair_run(explicit_product(graph, automaton), automaton.marks, graph.processes, fairness);
      const GraphMachine machine(graph, 20);
      for (std::uint64_t pages = 0; pages < 400; pages += 9) {
        const Outcome outcome = search(machine.machine(), question, compress, nullptr, pages * 4096);
        if (outcome.reason == Reason::memory) {
          CHECK(outcome.findings.empty());
          continue;
        }
        CHECK_EQUAL(std::string(name(outcome.reason)), expected ? "violations" : "closed");
        CHECK_EQUAL(outcome.findings.size(), expected ? 1u : 0u);
      }
    }
  }
}

/// States 0 and 1 read letters of two atoms; 2 is bad and 3 is satisfied.
MonitorQuestion random_monitor(Random& random) {
  MonitorQuestion question;
  question.automaton.states = 4;
  question.bad = 2;
  question.satisfied = 3;
  question.repeats_ends = below(random, 2) == 0;
  for (std::uint32_t state = 0; state < 2; ++state)
    for (Word letter = 0; letter < 4; ++letter)
      question.automaton.edges.push_back({state, below(random, 8) % 5 % 4, {{letter, letter ^ 3}}, 0});
  return question;
}

std::uint32_t read(const MonitorQuestion& question, std::uint32_t state, Word letter) {
  for (const Automaton::Edge& edge : question.automaton.edges)
    if (edge.source == state && edge.cubes.front().holds(letter)) return edge.target;
  return state;
}

/// Whether a finite run leads the monitor to its bad state.
bool has_bad_run(const Graph& graph, const MonitorQuestion& question) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> waiting{{0, read(question, 0, graph.letters[0])}};
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    const auto [state, place] = waiting[i];
    if (place == question.bad) return true;
    std::vector<Arc> arcs = graph.arcs[state];
    if (arcs.empty() && question.repeats_ends) arcs.push_back({0, state});
    for (const Arc& arc : arcs) {
      const std::pair next{arc.target, read(question, place, graph.letters[arc.target])};
      if (std::find(waiting.begin(), waiting.end(), next) == waiting.end()) waiting.push_back(next);
    }
  }
  return false;
}

/// Whether the run that was found is one of the graph and leads to the bad state.
bool is_bad_run(const Graph& graph, const MonitorQuestion& question, const Finding& finding) {
  std::vector<Visit> visits;
  const auto end = follow(graph, 0, finding.events, visits);
  if (!end) return false;
  std::uint32_t place = 0;
  for (const Visit& visit : visits) place = read(question, place, graph.letters[visit.state]);
  const std::uint32_t repeated = question.repeats_ends && graph.arcs[*end].empty() ? question.automaton.states : 1;
  for (std::uint32_t i = 0; i < repeated; ++i) place = read(question, place, graph.letters[*end]);
  return place == question.bad;
}

void monitors_find_bad_runs() {
  for (std::uint64_t seed = 0; seed < trials; ++seed) {
    Random random(seed);
    const Graph graph = random_graph(random);
    MonitorQuestion question = random_monitor(random);
    const GraphMachine machine(graph, seed % 2 == 0 ? 20 : 0);
    Options options;
    options.method = {strategy::BreadthFirst{}, strategy::Full{seed % 3 == 0 ? Compress::cleary : Compress::none}, {}};
    options.budget = std::uint64_t{256} << 20;
    options.monitor = &question;
    options.question.violation_watches = 3;
    options.question.deadlock_is_violation = false;
    Signals signals;
    const Outcome outcome = run(machine.machine(), options, signals);
    const bool expected = has_bad_run(graph, question);
    CHECK_EQUAL(std::string(name(outcome.reason)), expected ? "violations" : "closed");
    CHECK_EQUAL(outcome.findings.size(), expected ? 1u : 0u);
    if (expected && !outcome.findings.empty()) CHECK(is_bad_run(graph, question, outcome.findings.front()));
  }
}

}  // namespace

int main() {
  const Test tests[] = {
      TEST(monitors_find_bad_runs),
      TEST(regions_decide_generalised_acceptance),
      TEST(regions_decide_weak_fairness),
      TEST(components_decide_generalised_acceptance),
      TEST(components_decide_weak_fairness),
      TEST(components_decide_strong_fairness),
      TEST(components_decide_which_processes_are_treated_in_which_way),
      TEST(runs_need_not_be_fair_to_all_processes),
      TEST(a_part_of_a_component_in_which_no_fair_process_moves_may_accept),
      TEST(more_processes_than_a_word_has_bits_are_judged),
      TEST(a_nested_search_decides_acceptance),
      TEST(an_automaton_that_does_not_fit_beside_a_state_has_a_word_of_its_own),
      TEST(every_compression_gives_the_same_answer),
      TEST(without_room_there_is_no_answer),
      TEST(the_shortest_run_is_found_beside_a_detour),
      TEST(values_without_room_lead_nowhere),
      TEST(there_is_a_path_through_visited_states),
      TEST(a_search_is_repeated_if_there_is_no_shortest_path),
      TEST(a_path_is_looked_for_if_a_repeated_search_takes_too_long),
      TEST(no_path_is_looked_for_when_time_is_over),
      TEST(a_run_without_a_path_is_no_proof),
  };
  return scrimp::testing::run_all(tests);
}
