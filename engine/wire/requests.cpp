#include "wire/requests.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "wire/methods.h"
#include "wire/tables.h"

namespace scrimp {

namespace {

/// A record whose entries are all known.
template <std::size_t count>
void require_known(const Value& record, const std::array<std::string_view, count>& known) {
  for (const auto& [name, _] : record.record())
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw std::invalid_argument("'" + std::string(name) + "' is unknown here");
}

template <class Number>
std::optional<Number> number_if_any(const Value& value) {
  return value.is_none() ? std::nullopt : std::optional(value.whole<Number>());
}

Shape shape_of(const Value& record) {
  Shape shape{record["words"].whole<std::uint32_t>(),
              std::string(record["word_bits"].bytes()),
              record["max_successors"].whole<std::uint32_t>(),
              record["transitions"].whole<std::uint32_t>(),
              record["watches"].whole<std::uint32_t>(),
              {},
              {}};
  if (const Value& holders = record["holders"]; !holders.is_none()) shape.holders = items_of<std::uint32_t>(holders);
  if (const Value& steps = record["steps"]; !steps.is_none()) shape.steps = std::string(steps.bytes());
  return shape;
}

EntryPoints entries_of(const Value& record) {
  const auto entry = [&](const char* name) { return number_if_any<std::uint64_t>(record[name]); };
  return {record["initial"].whole<std::uint64_t>(),
          record["successors"].whole<std::uint64_t>(),
          entry("watch"),
          entry("valid_end"),
          entry("alone"),
          entry("offers"),
          entry("in_degree"),
          entry("arrive")};
}

std::unique_ptr<const CompiledMachine> machine_of(const Value& record) {
  std::vector<const std::uint32_t*> tables;
  for (const Value& table : record["context"].list())
    tables.push_back(reinterpret_cast<const std::uint32_t*>(table.bytes().data()));
  return std::make_unique<const CompiledMachine>(record["code"].bytes(), shape_of(record), entries_of(record),
                                                 std::move(tables));
}

/// For searches that do not use relations.
Relations no_relations(std::uint32_t events) {
  Relations relations;
  relations.kind.assign(events, 5);
  return relations;
}

bool trusts_hashes(const Store& store) {
  return std::holds_alternative<strategy::Compact>(store) || std::holds_alternative<strategy::Bitstate>(store);
}

void require_fitting(const Options& options, const Machine& machine, bool has_relations) {
  const Store& store = options.method.store;
  if (options.scribe && trusts_hashes(store))
    throw std::invalid_argument("a scribe needs state numbers, which this store does not have");
  if (const auto* const pseudoroot = std::get_if<strategy::Pseudoroot>(&store))
    if (pseudoroot->source != strategy::Pseudoroot::Source::counted && !machine.has_in_degree())
      throw std::invalid_argument("the machine has no function in_degree");
  const bool reduces = options.audit || leaves_out(options.method.reduction);
  if (reduces && !std::holds_alternative<strategy::Snapshots>(store) && !has_relations)
    throw std::invalid_argument("a reduction needs relations");
  if (has_relations && options.relations->events() != machine.transitions)
    throw std::invalid_argument("the relations are not those of the machine");
}

/// The same for a machine that is watched: an automaton changes the in-degrees of states.
void require_fitting(const Options& options, const MonitorQuestion&) {
  const auto* const pseudoroot = std::get_if<strategy::Pseudoroot>(&options.method.store);
  if (pseudoroot != nullptr && pseudoroot->source != strategy::Pseudoroot::Source::counted)
    throw std::invalid_argument("the in-degrees of a machine are not those of its product with an automaton");
}

/// The same for a search that leaves checkpoints behind, or hands over what it has found.
void require_resumable(const Options& options) {
  const Store& store = options.method.store;
  const auto* const full = std::get_if<strategy::Full>(&store);
  const bool by_levels = std::holds_alternative<strategy::BreadthFirst>(options.method.order);
  const bool is_listed = full != nullptr && full->compress != Compress::huffman && full->compress != Compress::rle;
  const bool keeps_all = full != nullptr || std::holds_alternative<strategy::Auto>(store);
  const bool has_more_to_save = options.scribe || options.liveness != nullptr || options.monitor != nullptr;
  if (has_more_to_save || !keeps_all || !(by_levels || is_listed) || leaves_out(options.method.reduction))
    throw std::invalid_argument("there are no checkpoints of such a search");
}

/// The same for a search for accepted runs.
void require_fitting(const Options& options, const Machine& machine, const LivenessQuestion& question) {
  const auto* const full = std::get_if<strategy::Full>(&options.method.store);
  if (full == nullptr) throw std::invalid_argument("a search for accepted runs keeps every state");
  const Reduction& reduction = options.method.reduction;
  const bool by_levels = std::holds_alternative<strategy::BreadthFirst>(options.method.order);
  if (by_levels && (full->compress != Compress::none || leaves_out(reduction) || question.movers.is_strong()))
    throw std::invalid_argument("such a search for accepted runs is depth-first");
  const bool sleeps = sleep_memory(reduction) != SleepMemory::none;
  if (leaves_out(reduction) && (sleeps || !has_proviso(reduction) || question.movers.processes != 0))
    throw std::invalid_argument("such a reduction may leave out all accepted runs");
  if (full->compress == Compress::cleary && question.automaton.marks > 1 && question.movers.processes == 0)
    throw std::invalid_argument("a nested search has one mark");
  if (question.movers.processes != 0 && question.movers.varies.size() != machine.transitions)
    throw std::invalid_argument("the movers are not those of the machine's events");
}

}  // namespace

Subject subject_with(const Machine& machine, const Relations* relations, const Value& fields, const Value& liveness,
                     const Value& monitor) {
  Subject subject;
  subject.machine = &machine;
  subject.has_relations = relations != nullptr;
  subject.relations = relations != nullptr ? *relations : no_relations(machine.transitions);
  if (!fields.is_none()) subject.fields = byte_fields_of(fields);
  if (!liveness.is_none()) subject.liveness = liveness_of(liveness);
  if (!monitor.is_none()) subject.monitor = monitor_of(monitor);
  return subject;
}

Subject subject_of(const Value& record) {
  require_known<5>(record, {"machine", "relations", "fields", "liveness", "monitor"});
  std::unique_ptr<const CompiledMachine> machine = machine_of(record["machine"]);
  std::optional<Relations> relations;
  if (const Value& given = record["relations"]; !given.is_none()) relations = relations_of(given);
  Subject subject = subject_with(machine->machine(), relations ? &*relations : nullptr, record["fields"],
                                 record["liveness"], record["monitor"]);
  subject.owned = std::move(machine);
  return subject;
}

Options options_of(const Value& record) {
  require_known<22>(record, {"method",
                             "budget",
                             "violation_watches",
                             "goal_watches",
                             "deadlock_is_violation",
                             "fault_is_violation",
                             "stop_at_goals",
                             "stop_after",
                             "traces",
                             "depth_limit",
                             "time_limit",
                             "state_limit",
                             "shuffle_seed",
                             "threads",
                             "worth_sharing",
                             "audit",
                             "states",
                             "disk",
                             "spill",
                             "change_after",
                             "checkpoint",
                             "handover"});
  Options options;
  options.method = method_of(record["method"]);
  options.budget = record["budget"].whole<std::uint64_t>();
  options.question = {.violation_watches = record["violation_watches"].whole<std::uint64_t>(),
                      .goal_watches = record["goal_watches"].whole<std::uint64_t>(),
                      .deadlock_is_violation = record["deadlock_is_violation"].truth(),
                      .fault_is_violation = record["fault_is_violation"].truth(),
                      .stop_after = record["stop_after"].whole<std::uint64_t>(),
                      .stop_at_goals = record["stop_at_goals"].truth(),
                      .traces = record["traces"].whole<std::uint64_t>()};
  options.limits = {record["depth_limit"].whole<std::uint64_t>(), record["time_limit"].real(),
                    record["state_limit"].whole<std::uint64_t>()};
  options.shuffle_seed = number_if_any<std::uint64_t>(record["shuffle_seed"]);
  options.threads = record["threads"].whole<std::uint32_t>();
  options.worth_sharing = record["worth_sharing"].whole<std::uint64_t>();
  options.audit = record["audit"].truth();
  options.wants_states = record["states"].truth();
  options.disk = record["disk"].whole<std::uint64_t>();
  options.spill_folder = record["spill"].text();
  options.change_after = record["change_after"].whole<std::uint64_t>();
  if (const Value& checkpoint = record["checkpoint"]; !checkpoint.is_none())
    options.checkpoint = checkpoint_options_of(checkpoint);
  if (const Value& handover = record["handover"]; !handover.is_none()) options.handover = handover_options_of(handover);
  if (std::isnan(options.limits.seconds) || options.limits.seconds < 0)
    throw std::invalid_argument("time_limit must not be negative");
  if (options.threads == 0) throw std::invalid_argument("a search needs at least one thread");
  return options;
}

Options searching(const Subject& subject, Options options) {
  const auto address = [](const auto& optional) { return optional ? &*optional : nullptr; };
  options.relations = &subject.relations;
  options.fields = address(subject.fields);
  options.liveness = address(subject.liveness);
  options.monitor = address(subject.monitor);
  require_fitting(options, *subject.machine, subject.has_relations);
  if (subject.liveness) require_fitting(options, *subject.machine, *subject.liveness);
  if (subject.monitor) require_fitting(options, *subject.monitor);
  if (options.checkpoint || options.handover) require_resumable(options);
  if (options.handover && !std::holds_alternative<strategy::BreadthFirst>(options.method.order))
    throw std::invalid_argument("only a breadth-first search is handed over");
  return options;
}

}  // namespace scrimp
