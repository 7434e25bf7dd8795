#include "bindings/lts.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "lts/edge_lines.h"
#include "lts/strong_bisimilarity.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace scrimp {

namespace {

/// Four bytes for each number, as an array("I") has them.
using Column = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
/// Eight bytes.
using LongColumn = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

nb::bytes bytes_of(const std::uint64_t* numbers, std::size_t count) {
  return nb::bytes(numbers, count * sizeof *numbers);
}
nb::bytes bytes_of(const std::uint32_t* numbers, std::size_t count) {
  return nb::bytes(numbers, count * sizeof *numbers);
}

void require_one_length(std::size_t sources, std::size_t labels, std::size_t targets) {
  if (sources != labels || sources != targets) throw std::invalid_argument("the columns must be of one length");
}

/// A Python function that is called while the interpreter is free for others. It also lets signals be heard, because
/// Python hears them when it runs code. If it raises, what it is called from ends.
Poll polling(const nb::callable& poll) {
  return [&poll] {
    nb::gil_scoped_acquire acquire;
    poll();
  };
}

nb::tuple minimal_lts(std::uint32_t states, const Column& sources, const Column& labels, const Column& targets,
                      const nb::callable& poll) {
  require_one_length(sources.size(), labels.size(), targets.size());
  MinimalLts found;
  {
    nb::gil_scoped_release release;
    found = minimised({states, sources.data(), labels.data(), targets.data(), sources.size()}, polling(poll));
  }
  return nb::make_tuple(found.states, nb::bytes(found.edges.data(), found.edges.size() * sizeof(LtsEdge)));
}

template <class Column>
const std::byte* bytes_of(const Column& column) {
  return static_cast<const std::byte*>(static_cast<const void*>(column.data()));
}

nb::bytes text_of(const EdgeLines& lines, const LongColumn& sources, const Column& labels, const LongColumn& targets) {
  require_one_length(sources.size(), labels.size(), targets.size());
  const std::string text = lines.text({bytes_of(sources), bytes_of(labels), bytes_of(targets), sources.size()});
  return nb::bytes(text.data(), text.size());
}

}  // namespace

bool PythonScribe::operator()(const Transcribed& transcribed) {
  if (raised_) return false;
  nb::gil_scoped_acquire acquire;
  try {
    function_(bytes_of(transcribed.sources, transcribed.count), bytes_of(transcribed.labels, transcribed.count),
              bytes_of(transcribed.targets, transcribed.count), transcribed.ways, transcribed.voided,
              bytes_of(transcribed.numbers, transcribed.state_count), bytes_of(transcribed.states, transcribed.words));
    return true;
  } catch (...) {
    raised_ = std::current_exception();
    return false;
  }
}

void bind_lts(nb::module_& module) {
  module.def("minimal_lts", minimal_lts, "states"_a, "sources"_a, "labels"_a, "targets"_a, "poll"_a,
             "The smallest strongly bisimilar LTS.");
  module.def(
      "minimising_bytes",
      [](std::uint64_t states, std::uint64_t transitions) {
        return states * minimising_bytes_of_a_state + transitions * minimising_bytes_of_a_transition;
      },
      "states"_a, "transitions"_a, "The most bytes that `minimal_lts` takes.");
  nb::class_<EdgeLines>(module, "EdgeLines")
      .def(nb::init<std::string>(), "before"_a)
      .def("add_label", &EdgeLines::add_label, "between"_a, "after"_a)
      .def("text", text_of, "sources"_a, "labels"_a, "targets"_a);
}

}  // namespace scrimp
