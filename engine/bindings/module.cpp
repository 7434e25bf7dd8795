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

#include "bindings/checkpoints.h"
#include "bindings/lts.h"
#include "bindings/methods.h"
#include "bindings/tables.h"
#include "bindings/values.h"
#include "run.h"
#include "wire/compiled_machine.h"
#include "wire/requests.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace scrimp {

namespace {

/// One search, in a thread of its own.
class Search {
 public:
  Search(Subject subject, Options options, nb::object scribe) : subject_(std::move(subject)) {
    if (!scribe.is_none()) {
      scribe_.emplace(std::move(scribe));
      options.scribe = std::ref(*scribe_);
    }
    options_ = searching(subject_, std::move(options));
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
        std::async(std::launch::async, [this] { return scrimp::run(*subject_.machine, options_, signals_); }).share();
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

  const Subject subject_;
  Options options_;
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

/// Numbers in an array that Python owns, which is neither copied nor resized while this lives.
using Table = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// A sequence of numbers, or their bytes, four for each.
std::optional<std::vector<std::uint32_t>> holders_of(nb::object holders) {
  if (holders.is_none()) return std::nullopt;
  if (!nb::isinstance<nb::bytes>(holders)) return nb::cast<std::vector<std::uint32_t>>(holders);
  const auto bytes = nb::cast<nb::bytes>(holders);
  if (bytes.size() % sizeof(std::uint32_t) != 0) throw std::invalid_argument("a holder has four bytes");
  return items_of<std::uint32_t>(value_of(bytes));
}

std::string string_of(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

void construct_machine(CompiledMachine* self, nb::bytes code, std::uint32_t words, nb::bytes word_bits,
                       std::uint32_t max_successors, std::uint32_t transitions, std::uint32_t watches,
                       std::uint64_t initial, std::uint64_t successors, std::optional<std::uint64_t> watch,
                       std::optional<std::uint64_t> valid_end, nb::object holders, std::optional<std::uint64_t> alone,
                       std::optional<std::uint64_t> offers, std::optional<nb::bytes> steps,
                       std::optional<std::uint64_t> in_degree, std::optional<std::uint64_t> arrive,
                       const std::vector<Table>& context) {
  const Shape shape{words,
                    string_of(word_bits),
                    max_successors,
                    transitions,
                    watches,
                    holders_of(holders),
                    steps ? std::optional(string_of(*steps)) : std::nullopt};
  const EntryPoints entries{initial, successors, watch, valid_end, alone, offers, in_degree, arrive};
  std::vector<const std::uint32_t*> tables;
  for (const Table& table : context) tables.push_back(table.data());
  new (self) CompiledMachine({code.c_str(), code.size()}, shape, entries, std::move(tables), context);
}

void construct_search(Search* self, const CompiledMachine& machine, const nb::dict& method, std::uint64_t budget,
                      std::uint64_t violation_watches, std::uint64_t goal_watches, bool deadlock_is_violation,
                      bool fault_is_violation, bool stop_at_goals, std::uint64_t stop_after, std::uint64_t traces,
                      std::uint64_t depth_limit, double time_limit, std::uint64_t state_limit,
                      std::optional<std::uint64_t> shuffle_seed, std::uint32_t threads, std::uint64_t worth_sharing,
                      bool audit, const Relations* relations, std::optional<nb::bytes> fields, nb::object scribe,
                      bool states, std::optional<nb::dict> liveness, std::optional<nb::dict> monitor,
                      std::uint64_t disk, const std::string& spill, std::uint64_t change_after,
                      std::optional<nb::dict> checkpoint, std::optional<nb::dict> handover) {
  const auto number = [](std::uint64_t value) { return Value(Value::Content(value)); };
  const auto truth = [](bool value) { return Value(Value::Content(value)); };
  const Value record = Value::Content(Value::Record{
      {"method", value_of(method)},
      {"budget", number(budget)},
      {"violation_watches", number(violation_watches)},
      {"goal_watches", number(goal_watches)},
      {"deadlock_is_violation", truth(deadlock_is_violation)},
      {"fault_is_violation", truth(fault_is_violation)},
      {"stop_at_goals", truth(stop_at_goals)},
      {"stop_after", number(stop_after)},
      {"traces", number(traces)},
      {"depth_limit", number(depth_limit)},
      {"time_limit", Value::Content(time_limit)},
      {"state_limit", number(state_limit)},
      {"shuffle_seed", shuffle_seed ? number(*shuffle_seed) : Value()},
      {"threads", number(threads)},
      {"worth_sharing", number(worth_sharing)},
      {"audit", truth(audit)},
      {"states", truth(states)},
      {"disk", number(disk)},
      {"spill", Value::Content(Value::Text{spill})},
      {"change_after", number(change_after)},
      {"checkpoint", checkpoint ? value_of(*checkpoint) : Value()},
      {"handover", handover ? value_of(*handover) : Value()},
  });
  new (self) Search(subject_with(machine.machine(), relations, fields ? value_of(*fields) : Value(),
                                 liveness ? value_of(*liveness) : Value(), monitor ? value_of(*monitor) : Value()),
                    options_of(record), std::move(scribe));
}

void bind_machine(nb::module_& module) {
  nb::class_<CompiledMachine>(module, "Machine", "Native code of a model; it stays mapped while the object lives.")
      .def("__init__", construct_machine, "code"_a, nb::kw_only(), "words"_a, "word_bits"_a, "max_successors"_a,
           "transitions"_a, "watches"_a, "initial"_a, "successors"_a, "watch"_a.none(), "valid_end"_a.none(),
           "holders"_a.none() = nb::none(), "alone"_a.none() = nb::none(), "offers"_a.none() = nb::none(),
           "steps"_a.none() = nb::none(), "in_degree"_a.none() = nb::none(), "arrive"_a.none() = nb::none(),
           "context"_a = std::vector<Table>())
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
           "violation_watches"_a, "goal_watches"_a, "deadlock_is_violation"_a, "fault_is_violation"_a = true,
           "stop_at_goals"_a = false, "stop_after"_a, "traces"_a, "depth_limit"_a, "time_limit"_a, "state_limit"_a = 0,
           "shuffle_seed"_a.none(), "threads"_a = 1, "worth_sharing"_a = Options{}.worth_sharing, "audit"_a = false,
           "relations"_a.none() = nb::none(), "fields"_a.none() = nb::none(), "scribe"_a.none() = nb::none(),
           "states"_a = false, "liveness"_a.none() = nb::none(), "monitor"_a.none() = nb::none(), "disk"_a = 0,
           "spill"_a = "", "change_after"_a = 0, "checkpoint"_a.none() = nb::none(), "handover"_a.none() = nb::none())
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
          "checkpoint", [](const Outcome& self) { return self.checkpoint ? &*self.checkpoint : nullptr; },
          nb::rv_policy::reference_internal)
      .def_prop_ro(
          "complaint",
          [](const Outcome& self) { return self.complaint.empty() ? std::nullopt : std::optional(self.complaint); })
      .def_ro("findings", &Outcome::findings)
      .def_prop_ro("misfit", misfit)
      .def_prop_ro("handover", [](const Outcome& self) { return name(self.handover); })
      .def_ro("seconds", &Outcome::seconds);
}

}  // namespace

}  // namespace scrimp

NB_MODULE(SCRIMP_MODULE, module) {
  module.doc() = "The search engine: explores the states of a compiled model.";
  scrimp::bind_checkpoints(module);
  scrimp::bind_machine(module);
  scrimp::bind_relations(module);
  scrimp::bind_strategies(module);
  scrimp::bind_progress(module);
  scrimp::bind_finding(module);
  scrimp::bind_outcome(module);
  scrimp::bind_search(module);
  scrimp::bind_lts(module);
}
