#include "bindings/lts.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "lts/strong_bisimilarity.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace scrimp {

namespace {

/// Four bytes for each number, as an array("I") has them.
using Column = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

nb::bytes bytes_of(const std::uint64_t* numbers, std::size_t count) {
  return nb::bytes(numbers, count * sizeof *numbers);
}
nb::bytes bytes_of(const std::uint32_t* numbers, std::size_t count) {
  return nb::bytes(numbers, count * sizeof *numbers);
}

nb::bytes strong_blocks(std::uint32_t states, const Column& sources, const Column& labels, const Column& targets) {
  if (sources.size() != labels.size() || sources.size() != targets.size())
    throw std::invalid_argument("the columns must be of one length");
  std::vector<std::uint32_t> blocks;
  {
    nb::gil_scoped_release release;
    blocks = strongly_bisimilar({states, sources.data(), labels.data(), targets.data(), sources.size()});
  }
  return bytes_of(blocks.data(), blocks.size());
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
  module.def("strong_blocks", strong_blocks, "states"_a, "sources"_a, "labels"_a, "targets"_a,
             "The block of each state under strong bisimilarity, four bytes each.");
}

}  // namespace scrimp
