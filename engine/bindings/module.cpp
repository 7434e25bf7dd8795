// The Python module: the only place that knows both Python and the engine.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bindings/compiled_machine.h"
#include "bindings/lts.h"
#include "bindings/methods.h"
#include "bindings/tables.h"
#include "run.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace scrimp {

namespace {

/// One search, in a thread of its own.
class Search {
 public:
  Search(const CompiledMachine& machine, const Options& options, const Relations& relations,
         std::optional<ByteFields> fields, nb::object scribe)
      : machine_(machine), options_(options), relations_(relations), fields_(std::move(fields)) {
    if (!scribe.is_none()) {
      scribe_.emplace(std::move(scribe));
      options_.scribe = std::ref(*scribe_);
    }
    options_.relations = &relations_;
    options_.fields = fields_ ? &*fields_ : nullptr;
  }
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  /// Ends a search that nobody waits for: its thread uses the memory that is freed here.
  ~Search() {
    signals_.stop();
    nb::gil_scoped_release release;
    if (outcome_.valid()) outcome_.wait();
  }

  void start() {
    if (outcome_.valid()) throw std::runtime_error("a search runs only once");
    outcome_ =
        std::async(std::launch::async, [this] { return scrimp::run(machine_.machine(), options_, signals_); }).share();
  }

  /// Null if the search still runs after so many seconds.
  const Outcome* wait(std::optional<double> seconds) {
    if (!outcome_.valid()) throw std::runtime_error("the search was not started");
    if (!is_over(seconds)) {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      return nullptr;
    }
    if (scribe_) scribe_->rethrow();
    return &outcome_.get();
  }

  void stop() { signals_.stop(); }
  Progress progress() const { return signals_.progress(); }

 private:
  bool is_over(std::optional<double> seconds) const {
    nb::gil_scoped_release release;
    if (seconds) return outcome_.wait_for(std::chrono::duration<double>(*seconds)) == std::future_status::ready;
    outcome_.wait();
    return true;
  }

  const CompiledMachine& machine_;
  Options options_;
  const Relations relations_;
  const std::optional<ByteFields> fields_;
  std::optional<PythonScribe> scribe_;
  Signals signals_;
  std::shared_future<Outcome> outcome_;
};

template <class Items>
nb::tuple tuple_of(const Items& items) {
  return nb::tuple(nb::cast(items));
}

nb::bytes bytes_of(const std::vector<std::uint8_t>& bytes) { return nb::bytes(bytes.data(), bytes.size()); }

/// Numbers where they are, not copied: there may be as many as the budget allows, and a list would take far more.
template <class Number>
auto view_of(const Number* numbers, std::size_t count, nb::handle owner) {
  return nb::ndarray<nb::memview, const Number, nb::ndim<1>>(numbers, {count}, owner);
}

nb::list list_of(const std::vector<CompiledMachine::Successor>& successors) {
  nb::list list;
  for (const auto& successor : successors) {
    list.append(nb::make_tuple(successor.event, tuple_of(successor.state)));
  }
  return list;
}

nb::list watch_hits(const Outcome& outcome, std::uint32_t watches) {
  nb::list list;
  for (std::uint32_t i = 0; i < watches; ++i) list.append(outcome.counts.watch_hits[i]);
  return list;
}

auto level_view(const Outcome& outcome) {
  static_assert(sizeof(Level) == 2 * sizeof(std::uint64_t) && offsetof(Level, states) == 0);
  const auto* numbers = reinterpret_cast<const std::uint64_t*>(outcome.levels.data());
  return view_of(numbers, 2 * outcome.levels.size(), nb::find(outcome));
}

nb::dict report_of(const Outcome& outcome) {
  nb::dict dict;
  for (const auto& [name, value] : outcome.report.values())
    std::visit([&, key = name.c_str()](const auto& number) { dict[key] = number; }, value);
  return dict;
}

nb::object misfit(const Outcome& outcome) {
  if (!outcome.misfit) return nb::none();
  return nb::make_tuple(tuple_of(outcome.misfit->state), outcome.misfit->event);
}

/// A sequence of numbers, or their bytes, four for each.
std::optional<std::vector<std::uint32_t>> holders_of(nb::object holders) {
  if (holders.is_none()) return std::nullopt;
  if (!nb::isinstance<nb::bytes>(holders)) return nb::cast<std::vector<std::uint32_t>>(holders);
  const auto bytes = nb::cast<nb::bytes>(holders);
  if (bytes.size() % sizeof(std::uint32_t) != 0) throw std::invalid_argument("a holder has four bytes");
  return numbers_of(bytes);
}

std::string string_of(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

void construct_machine(CompiledMachine* self, nb::bytes code, std::uint32_t words, nb::bytes word_bits,
                       std::uint32_t max_successors, std::uint32_t transitions, std::uint32_t watches,
                       std::uint64_t initial, std::uint64_t successors, std::optional<std::uint64_t> watch,
                       std::optional<std::uint64_t> valid_end, nb::object holders, std::optional<std::uint64_t> alone,
                       std::optional<std::uint64_t> offers, std::optional<nb::bytes> steps,
                       std::optional<std::uint64_t> in_degree, std::vector<Table> context) {
  const Shape shape{words,
                    string_of(word_bits),
                    max_successors,
                    transitions,
                    watches,
                    holders_of(holders),
                    steps ? std::optional(string_of(*steps)) : std::nullopt};
  const EntryPoints entries{initial, successors, watch, valid_end, alone, offers, in_degree};
  new (self) CompiledMachine(code.c_str(), code.size(), shape, entries, std::move(context));
}

/// For searches that do not use relations.
Relations no_relations(std::uint32_t events) {
  Relations relations;
  relations.kind.assign(events, 5);
  return relations;
}

/// Refuses a search that needs something that the machine or the store does not have.
void require_fitting(const Options& options, const Machine& machine, const Relations* relations, bool has_scribe) {
  const Store& store = options.method.store;
  const bool trusts_hashes =
      std::holds_alternative<strategy::Compact>(store) || std::holds_alternative<strategy::Bitstate>(store);
  if (has_scribe && trusts_hashes)
    throw std::invalid_argument("a scribe needs state numbers, which this store does not have");
  if (const auto* const pseudoroot = std::get_if<strategy::Pseudoroot>(&store))
    if (pseudoroot->source != strategy::Pseudoroot::Source::counted && !machine.has_in_degree())
      throw std::invalid_argument("the machine has no function in_degree");
  const bool reduces = options.audit || leaves_out(options.method.reduction);
  if (reduces && !std::holds_alternative<strategy::Snapshots>(store) && relations == nullptr)
    throw std::invalid_argument("a reduction needs relations");
  if (relations != nullptr && relations->events() != machine.transitions)
    throw std::invalid_argument("the relations are not those of the machine");
}

void construct_search(Search* self, const CompiledMachine& machine, const nb::dict& method, std::uint64_t budget,
                      std::uint64_t violation_watches, std::uint64_t goal_watches, bool deadlock_is_violation,
                      std::uint64_t stop_after, std::uint64_t traces, std::uint64_t depth_limit, double time_limit,
                      std::optional<std::uint64_t> shuffle_seed, std::uint32_t threads, std::uint64_t worth_sharing,
                      bool audit, const Relations* relations, std::optional<nb::bytes> fields, nb::object scribe,
                      bool states) {
  if (std::isnan(time_limit) || time_limit < 0) throw std::invalid_argument("time_limit must not be negative");
  if (threads == 0) throw std::invalid_argument("a search needs at least one thread");
  Options options;
  options.method = method_of(method);
  options.audit = audit;
  options.budget = budget;
  options.question = {violation_watches, goal_watches, deadlock_is_violation, stop_after, traces};
  options.limits = {depth_limit, time_limit};
  options.threads = threads;
  options.worth_sharing = worth_sharing;
  options.shuffle_seed = shuffle_seed;
  options.wants_states = states;
  require_fitting(options, machine.machine(), relations, !scribe.is_none());
  new (self) Search(machine, options, relations != nullptr ? *relations : no_relations(machine.machine().transitions),
                    fields ? std::optional(byte_fields_of(*fields)) : std::nullopt, std::move(scribe));
}

void bind_machine(nb::module_& module) {
  nb::class_<CompiledMachine>(module, "Machine", "Native code of a model; it stays mapped while the object lives.")
      .def("__init__", construct_machine, "code"_a, nb::kw_only(), "words"_a, "word_bits"_a, "max_successors"_a,
           "transitions"_a, "watches"_a, "initial"_a, "successors"_a, "watch"_a.none(), "valid_end"_a.none(),
           "holders"_a.none() = nb::none(), "alone"_a.none() = nb::none(), "offers"_a.none() = nb::none(),
           "steps"_a.none() = nb::none(), "in_degree"_a.none() = nb::none(), "context"_a = std::vector<Table>())
      .def("initial", [](const CompiledMachine& self) { return tuple_of(self.initial()); })
      .def(
          "successors",
          [](const CompiledMachine& self, const CompiledMachine::State& state) {
            return list_of(self.successors(state));
          },
          "state"_a)
      .def(
          "alone",
          [](const CompiledMachine& self, const CompiledMachine::State& state, std::uint32_t holder) {
            return list_of(self.alone(state, holder));
          },
          "state"_a, "holder"_a)
      .def("offers", &CompiledMachine::offers, "state"_a, "holder"_a)
      .def("in_degree", &CompiledMachine::in_degree, "state"_a)
      .def("watch", &CompiledMachine::watch, "state"_a)
      .def("valid_end", &CompiledMachine::valid_end, "state"_a);
}

void bind_search(nb::module_& module) {
  nb::class_<Search>(module, "Search", "One exploration of a machine's states.")
      .def("__init__", construct_search, nb::keep_alive<1, 2>(), "machine"_a, nb::kw_only(), "method"_a, "budget"_a,
           "violation_watches"_a, "goal_watches"_a, "deadlock_is_violation"_a, "stop_after"_a, "traces"_a,
           "depth_limit"_a, "time_limit"_a, "shuffle_seed"_a.none(), "threads"_a = 1,
           "worth_sharing"_a = Options{}.worth_sharing, "audit"_a = false, "relations"_a.none() = nb::none(),
           "fields"_a.none() = nb::none(), "scribe"_a.none() = nb::none(), "states"_a = false)
      .def("start", &Search::start, "Begins to search, once, in a thread of its own.")
      .def("wait", &Search::wait, "seconds"_a.none() = nb::none(), nb::rv_policy::reference_internal,
           "The outcome, or None if the search still runs after so many seconds.")
      .def("stop", &Search::stop, "Asks the search to end soon; from any thread.")
      .def("progress", &Search::progress, "How far the search is; from any thread.");
}

void bind_progress(nb::module_& module) {
  nb::class_<Progress>(module, "Progress")
      .def_ro("states", &Progress::states)
      .def_ro("transitions", &Progress::transitions)
      .def_ro("matched", &Progress::matched)
      .def_ro("depth", &Progress::depth)
      .def_ro("frontier", &Progress::frontier)
      .def_ro("bytes", &Progress::bytes);
}

void bind_finding(nb::module_& module) {
  module.attr("FINDINGS") = nb::tuple(nb::cast(finding_names));
  const auto view = [](std::vector<EventId> Finding::* events) {
    return
        [events](const Finding& self) { return view_of((self.*events).data(), (self.*events).size(), nb::find(self)); };
  };
  nb::class_<Finding>(module, "Finding")
      .def_prop_ro("kind", [](const Finding& self) { return name(self.kind); })
      .def_ro("watch", &Finding::watch)
      .def_prop_ro("events", view(&Finding::events))
      .def_prop_ro("cycle", view(&Finding::cycle));
}

void bind_outcome(nb::module_& module) {
  using Count = std::uint64_t;
  const auto count = [](Count Counts::* field) { return [field](const Outcome& self) { return self.counts.*field; }; };
  module.attr("ENDINGS") = nb::tuple(nb::cast(reason_names));
  nb::class_<Outcome>(module, "Outcome")
      .def_prop_ro("reason", [](const Outcome& self) { return name(self.reason); })
      .def_prop_ro("states", count(&Counts::states))
      .def_prop_ro("transitions", count(&Counts::transitions))
      .def_prop_ro("events_executed",
                   [](const Outcome& self) {
                     return self.counts.transitions + self.counts.inner_events + self.report.whole("events_beside");
                   })
      .def_prop_ro("report", report_of)
      .def_prop_ro("matched", count(&Counts::matched))
      .def_prop_ro("depth", count(&Counts::depth))
      .def_prop_ro("deadlocks", count(&Counts::deadlocks))
      .def_prop_ro("faults", count(&Counts::faults))
      .def_prop_ro("violations", count(&Counts::violations))
      .def_prop_ro("watch_hits", [](const Outcome& self) { return watch_hits(self, self.watches); })
      .def_prop_ro("levels", level_view)
      .def_prop_ro("fired", [](const Outcome& self) { return bytes_of(self.fired); })
      .def_ro("held_peak", &Outcome::held_peak)
      .def_prop_ro(
          "complaint",
          [](const Outcome& self) { return self.complaint.empty() ? std::nullopt : std::optional(self.complaint); })
      .def_ro("findings", &Outcome::findings)
      .def_prop_ro("misfit", misfit)
      .def_ro("seconds", &Outcome::seconds);
}

}  // namespace

}  // namespace scrimp

NB_MODULE(SCRIMP_MODULE, module) {
  module.doc() = "The search engine: explores the states of a compiled model.";
  scrimp::bind_machine(module);
  scrimp::bind_relations(module);
  scrimp::bind_strategies(module);
  scrimp::bind_progress(module);
  scrimp::bind_finding(module);
  scrimp::bind_outcome(module);
  scrimp::bind_search(module);
  scrimp::bind_lts(module);
}
