#include "bindings/checkpoints.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>

#include "bindings/values.h"
#include "search/checkpoint/folder.h"
#include "wire/tables.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace scrimp {

namespace {

nb::tuple survey_checkpoints(const std::string& folder) {
  Survey found;
  {
    nb::gil_scoped_release release;
    found = survey(folder);
  }
  nb::object latest = nb::none();
  if (found.latest)
    latest = nb::make_tuple(found.latest->number, found.latest->states,
                            nb::bytes(found.latest->setup.data(), found.latest->setup.size()));
  return nb::make_tuple(latest, nb::cast(found.complaints));
}

}  // namespace

void bind_checkpoints(nb::module_& module) {
  module.def("survey_checkpoints", survey_checkpoints, "folder"_a);
  module.def(
      "reencode",
      [](const nb::tuple& record, const std::vector<Word>& state) {
        const Reencoding reencoding = reencoding_of(value_of(record));
        if (state.size() != reencoding.old_words()) throw std::invalid_argument("the state has another layout");
        std::vector<Word> result(reencoding.new_words());
        reencoding(state.data(), result.data());
        return nb::tuple(nb::cast(result));
      },
      "reencoding"_a, "state"_a);
  nb::class_<CheckpointReport>(module, "CheckpointReport")
      .def_ro("written", &CheckpointReport::written)
      .def_ro("states", &CheckpointReport::states)
      .def_ro("resumptions", &CheckpointReport::resumptions)
      .def_ro("resumed_states", &CheckpointReport::resumed_states)
      .def_ro("complaint", &CheckpointReport::complaint);
}

}  // namespace scrimp
